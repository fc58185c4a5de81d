#include "workload.h"

#include <stdlib.h>
#include <string.h>

/* The only list of workloads, in the order in which they are shown: NAME is a folder that defines
 * workload_NAME. */
#define WORKLOADS(X) \
    X(empty)         \
    X(matmul)

#define DECLARE(name) extern const workload workload_##name;
WORKLOADS(DECLARE)

#define ADDRESS(name) &workload_##name,
const workload *const workloads[] = {WORKLOADS(ADDRESS) NULL};

const workload *workload_find(const char *name)
{
    for (const workload *const *which = workloads; *which; which++)
        if (strcmp((*which)->name, name) == 0)
            return *which;
    return NULL;
}

kt_status workload_open(workload_run *run, const workload *which, const void *problem,
                        kt_device *device, uint64_t size, kt_job_desc *desc)
{
    run->workload = which;
    run->problem = problem;
    return which->open(run, device, size, desc);
}

void workload_close(workload_run *run)
{
    kt_job_destroy(&run->job);
    for (int i = 0; i < WORKLOAD_MEMORIES_MAX; i++)
        kt_memory_destroy(&run->memories[i]);
    kt_program_destroy(&run->program);
    free(run->output);
    run->output = NULL;
}

kt_status workload_build(kt_device *device, const workload_kernel *kernel, kt_program **out)
{
    kt_program_desc desc = {.size = sizeof desc,
                            .language = KT_LANGUAGE_C_FUNCTION,
                            .entry = kernel->entry,
                            .function = kernel->function,
                            .build_flags = kernel->build_flags};
    uint32_t languages = kt_device_get_info(device)->languages;
    if (!(languages & KT_LANGUAGE_C_FUNCTION) && kernel->opencl_source) {
        desc.language = KT_LANGUAGE_OPENCL_C;
        desc.source = kernel->opencl_source;
    }
    return kt_program_create(device, &desc, out);
}
