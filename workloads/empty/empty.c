/* SPDX-License-Identifier: MIT */
/* A kernel that does nothing: what remains is the cost of launching it. */
#include "../workload.h"
#include "empty.cl.h"
#include "empty.comp.h"
#include "empty.ptx.h"
#include "empty.spv.h"
#include "empty.wgsl.h"

static void empty_c(const kt_c_group *group, void *const *args)
{
    (void)group, (void)args;
}

static uint64_t bytes(uint64_t size)
{
    (void)size;
    return 0;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const kt_step step = {0};
    return workload_create_job(run, device, size, &step, desc);
}

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(empty, empty),
};

const workload workload_empty = {
    .name = "empty",
    .summary = "does nothing: launch latency (1 dispatch) and throughput (many)",
    .param = "dispatches",
    .param_help = "dispatches in one submission; times are per dispatch",
    .sizes = "1,1000",
    .size_max = 1000000,
    .targets = WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(empty_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .size_is_trials = 1,
    .flops = workload_no_flops,
    .bytes = bytes,
    .memory_bytes = bytes,
    .largest_bytes = bytes,
    .open = open,
};
