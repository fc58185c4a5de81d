/*
 * The cost of one stamped empty dispatch: by hand and by kerntime, over a library whose calls
 * return at once (what kerntime itself adds) and over the system's driver (what that means in
 * practice).
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "bench.h"
#include "raw_opencl.h"

#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS            15 /* each takes the ways in turn, there and back: A B B A */
#define NULL_DISPATCHES   20000
#define DRIVER_DISPATCHES 1000

/* The empty workload on an opened device. */
typedef struct subject {
    raw_opencl *raw;
    kt_context *context;
    kt_device *device;
    workload_run run;
} subject;

static void subject_close(subject *s)
{
    workload_close(&s->run);
    kt_device_close(&s->device);
    kt_context_destroy(&s->context);
    if (s->raw)
        raw_opencl_close(s->raw);
}

/* `library`: opened by both sides; `variable` tells kerntime, NULL where it finds it by itself. */
static int subject_open(subject *s, const char *library, const char *variable)
{
    *s = (subject){0};
    s->raw = raw_opencl_open(library);
    if (!s->raw)
        return 1;
    if (variable)
        setenv("KERNTIME_LIB_OPENCL", variable, 1);
    else
        unsetenv("KERNTIME_LIB_OPENCL");
    kt_job_desc desc = {.size = sizeof desc, .name = "empty"};
    if (kt_context_create(&s->context, NULL) == KT_OK &&
        kt_device_open(s->context, "opencl:0", &s->device) == KT_OK &&
        workload_open(&s->run, workload_find("empty"), NULL, s->device, 1, &desc) == KT_OK)
        return 0;
    fprintf(stderr, "kerntime-bench: %s\n", kt_error_text());
    subject_close(s);
    return 1;
}

/* ns of the host's clock per sample, from before the first submission to after the last one. */
static double kerntime_dispatch_ns(subject *s, uint32_t count)
{
    kt_measure_options options = {.size = sizeof options,
                                  .timing = KT_TIMING_DEVICE,
                                  .samples_min = count,
                                  .samples_max = count,
                                  .keep_raw = 1};
    kt_result *result = NULL;
    double ns = NAN;
    if (kt_measure(s->run.job, &options, &result) == KT_OK) {
        const kt_series *wall = kt_result_find(result, "wall_stamped");
        ns = (double)(wall->raw[count - 1].host_after_ns - wall->raw[0].host_before_ns) / count;
    } else {
        fprintf(stderr, "kerntime-bench: %s\n", kt_error_text());
    }
    kt_result_destroy(&result);
    return ns;
}

/* 0: by hand, 1: by hand with profile, 2: kerntime. */
static double dispatch_ns(subject *s, int way, uint32_t count)
{
    return way == 2 ? kerntime_dispatch_ns(s, count)
                    : raw_opencl_dispatch_ns(s->raw, way == 1, count);
}

/* Medians of all ways, taken in turn. */
static void compare(subject *s, uint32_t count, double medians_ns[3])
{
    double values[3][2 * ROUNDS];
    for (int way = 0; way < 3; way++)
        dispatch_ns(s, way, count / 10 + 1); /* warm, and the ruler made */
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 6; i++) {
            int way = i < 3 ? i : 5 - i;
            values[way][2 * round + (i >= 3)] = dispatch_ns(s, way, count);
        }
    for (int way = 0; way < 3; way++)
        medians_ns[way] = bench_median(values[way], 2 * (size_t)ROUNDS);
}

static int bench_null(void)
{
    subject s;
    double ns[3];
    if (subject_open(&s, STUB_LIBRARY, STUB_LIBRARY) != 0)
        return 1;
    compare(&s, NULL_DISPATCHES, ns);
    subject_close(&s);
    bench_report("dispatch/null-raw", ns[1], "ns");
    bench_report("dispatch/null-kerntime", ns[2], "ns");
    bench_report("dispatch/null-added", ns[2] - ns[1], "ns");
    return 0;
}

static int bench_driver(void)
{
    subject s;
    double ns[3];
    if (subject_open(&s, "libOpenCL.so.1", NULL) != 0)
        return 1;
    compare(&s, DRIVER_DISPATCHES, ns);
    subject_close(&s);
    bench_report("dispatch/opencl-raw", ns[0], "ns");
    bench_report("dispatch/opencl-raw-profiled", ns[1], "ns");
    bench_report("dispatch/opencl-kerntime", ns[2], "ns");
    bench_report("dispatch/opencl-ratio", ns[2] / ns[1], "kerntime/raw-profiled");
    return 0;
}

int bench_dispatch(void)
{
    int failed = bench_null();
    return bench_driver() | failed;
}
