/* SPDX-License-Identifier: MIT */
/* What tests of timers share: a program with a queue, and what kerntime counts. */
#define _GNU_SOURCE
#include "tests/unit/timer/timer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

program_api cl;
cl_device_id devices[2];
cl_context context;
cl_command_queue queue;
kt_timer_context *timer_context;

void load_library(void)
{
    const char *path = getenv("KERNTIME_LIB_OPENCL");
    void *address, *library = dlopen(path ? path : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
#define LOAD(name)                              \
    address = dlsym(library, #name);            \
    memcpy(&cl.name, &address, sizeof cl.name); \
    assert_non_null(address);
    PROGRAM_FUNCTIONS(LOAD)
#undef LOAD
}

void open_program(void)
{
    cl_platform_id platform = NULL;
    cl_uint count = 0;
    load_library();
    assert_int_equal(cl.clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    assert_int_equal(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count),
                     CL_SUCCESS);
    context = cl.clCreateContext(NULL, count < 2 ? count : 2, devices, NULL, NULL, NULL);
    assert_non_null(context);
    queue = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
}

void close_program(void)
{
    assert_int_equal(cl.clReleaseCommandQueue(queue), CL_SUCCESS);
    assert_int_equal(cl.clReleaseContext(context), CL_SUCCESS);
}

cl_command_queue make_queue(cl_context in, cl_device_id device,
                            cl_command_queue_properties properties)
{
    cl_command_queue made = cl.clCreateCommandQueue(in, device, properties, NULL);
    assert_non_null(made);
    return made;
}

cl_event enqueue(cl_command_queue to)
{
    cl_event event = NULL;
    assert_int_equal(cl.clEnqueueMarkerWithWaitList(to, 0, NULL, &event), CL_SUCCESS);
    return event;
}

void enqueue_some(cl_command_queue to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(cl.clEnqueueMarkerWithWaitList(to, 0, NULL, NULL), CL_SUCCESS);
}

kt_status import(cl_command_queue from, uint32_t spans_max, kt_timer_context **out)
{
    const kt_opencl_import desc = {.size = sizeof desc, .queue = from, .spans_max = spans_max};
    return kt_timer_context_import_opencl(&desc, out);
}

void let_the_host_get_ahead(void)
{
    const struct timespec moment = {0, 2000000};
    nanosleep(&moment, NULL);
}

void open_timer_context(uint32_t spans_max)
{
    open_program();
    EXPECT_OK(import(queue, spans_max, &timer_context));
    assert_non_null(timer_context);
    let_the_host_get_ahead();
}

void close_timer_context(void)
{
    kt_timer_context_close(&timer_context);
    assert_null(timer_context);
    close_program();
}

kt_timer *make_timer(const char *name)
{
    kt_timer *timer = NULL;
    EXPECT_OK(kt_timer_create(timer_context, name, &timer));
    assert_non_null(timer);
    return timer;
}

void span(kt_timer *timer)
{
    EXPECT_OK(kt_timer_start(timer, queue));
    EXPECT_OK(kt_timer_stop(timer, queue));
}

kt_timer_context_counts counts_of(const kt_timer_context *of)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(of, &counts);
    return counts;
}

uint64_t discarded(const kt_timer_context_counts *counts)
{
    uint64_t all = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        all += counts->discarded[i];
    return all;
}

void expect_counts(uint64_t in_flight, uint64_t recorded, uint64_t refused, uint64_t all_discarded)
{
    kt_timer_context_counts counts = counts_of(timer_context);
    assert_int_equal(counts.pending, in_flight);
    assert_int_equal(counts.in_flight, in_flight);
    assert_int_equal(counts.recorded, recorded);
    assert_int_equal(counts.refused, refused);
    assert_int_equal(discarded(&counts), all_discarded);
}

const kt_row *row_of(kt_snapshot **snapshot, const char *name, kt_backend_id backend)
{
    EXPECT_OK(kt_snapshot_take(snapshot));
    const kt_row *row = kt_snapshot_find(*snapshot, name, backend);
    if (!row)
        fail_msg("there is no row %s", name);
    return row;
}
