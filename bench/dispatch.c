/*
 * The cost of one stamped empty dispatch: by hand and by kerntime, over a library whose calls
 * return at once (what kerntime itself adds) and over the system's drivers (what that means in
 * practice).
 *
 * What changes from second to second (other programs, the clock of the cores) is larger than what is
 * looked for. So each round takes the ways in turn, there and back (A B B A): what changes evenly
 * within it is in all sums alike, and leaves their ratio. A round that something else disturbed is
 * one of many, and they count by rank: the figure is the median of the rounds' ratios, with the
 * interval that holds whatever their distribution is. Rounds are short for that, and many.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "bench.h"
#include "raw.h"

#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS             128
#define NULL_DISPATCHES    10000
#define DRIVER_DISPATCHES  100
#define WARM_UP_DISPATCHES 10
#define MAX_TIME_NS        INT64_C(20000000) /* kerntime warms up for a quarter of it, by hand as long */

enum { PLAIN, STAMPED, KERNTIME, WAYS };

typedef struct api {
    const char *name;
    const char *ways[WAYS]; /* in the names of figures */
    const char *library;
    const char *variable; /* tells kerntime another library */
    const char *device;
    const raw_api *raw;
} api;

static const api opencl = {.name = "opencl",
                           .ways = {"raw", "raw-profiled", "kerntime"},
                           .library = "libOpenCL.so.1",
                           .variable = "KERNTIME_LIB_OPENCL",
                           .device = "opencl:0",
                           .raw = &raw_opencl};

/* The empty workload on an opened device. */
typedef struct subject {
    const api *api;
    void *raw;
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
        s->api->raw->close(s->raw);
}

/* `library`: opened by both sides; NULL: the system's. */
static int subject_open(subject *s, const api *which, const char *library)
{
    *s = (subject){.api = which};
    s->raw = which->raw->open(library ? library : which->library);
    if (!s->raw)
        return 1;
    if (library)
        setenv(which->variable, library, 1);
    else
        unsetenv(which->variable);
    kt_job_desc desc = {.size = sizeof desc, .name = "empty"};
    if (kt_context_create(&s->context, NULL) == KT_OK &&
        kt_device_open(s->context, which->device, &s->device) == KT_OK &&
        workload_open(&s->run, workload_find("empty"), NULL, s->device, 1, &desc) == KT_OK)
        return 0;
    fprintf(stderr, "kerntime-bench: %s\n", kt_error_text());
    subject_close(s);
    return 1;
}

/* ns of the host's clock per sample, from before the first submission to after the last one. */
static double kerntime_dispatch_ns(subject *s, uint32_t count)
{
    /* No measurement ends before samples_min, whatever max_time says. */
    kt_measure_options options = {.size = sizeof options,
                                  .timing = KT_TIMING_DEVICE,
                                  .max_time_ns = MAX_TIME_NS,
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

static double dispatch_ns(subject *s, int way, uint32_t count)
{
    if (way == KERNTIME)
        return kerntime_dispatch_ns(s, count);
    /* As warm as kerntime's first sample is. */
    int64_t begin_ns = kt_host_now_ns();
    while (kt_host_now_ns() - begin_ns < MAX_TIME_NS / 4)
        s->api->raw->dispatch_ns(s->raw, way == STAMPED, WARM_UP_DISPATCHES);
    return s->api->raw->dispatch_ns(s->raw, way == STAMPED, count);
}

/* Per dispatch: the mean of there and back, of each way and each round. 0, or 1 after a sentence. */
static int compare(subject *s, uint32_t count, double rounds_ns[WAYS][ROUNDS])
{
    dispatch_ns(s, KERNTIME, 1); /* makes the ruler */
    for (int round = 0; round < ROUNDS; round++) {
        double sums[WAYS] = {0};
        for (int i = 0; i < 2 * WAYS; i++) {
            int way = i < WAYS ? i : 2 * WAYS - 1 - i;
            sums[way] += dispatch_ns(s, way, count);
        }
        for (int way = 0; way < WAYS; way++) {
            if (!isfinite(sums[way])) {
                fprintf(stderr, "kerntime-bench: %s: a dispatch failed\n", s->api->name);
                return 1;
            }
            rounds_ns[way][round] = sums[way] / 2;
        }
    }
    return 0;
}

static void report(const char *name, const char *figure, double value, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "dispatch/%s-%s", name, figure);
    bench_report(text, value, unit);
}

static int bench_null(const api *which, const char *library)
{
    subject s;
    double ns[WAYS][ROUNDS];
    if (subject_open(&s, which, library) != 0)
        return 1;
    int failed = compare(&s, NULL_DISPATCHES, ns);
    subject_close(&s);
    if (failed)
        return 1;
    double raw_ns = bench_median(ns[STAMPED], ROUNDS);
    double kerntime_ns = bench_median(ns[KERNTIME], ROUNDS);
    report("null", "raw", raw_ns, "ns");
    report("null", "kerntime", kerntime_ns, "ns");
    report("null", "added", kerntime_ns - raw_ns, "ns");
    return 0;
}

static int bench_driver(const api *which)
{
    subject s;
    double ns[WAYS][ROUNDS], ratios[ROUNDS], low, high;
    if (subject_open(&s, which, NULL) != 0)
        return 1;
    int failed = compare(&s, DRIVER_DISPATCHES, ns);
    subject_close(&s);
    if (failed)
        return 1;
    for (int way = 0; way < WAYS; way++)
        report(which->name, which->ways[way], bench_median(ns[way], ROUNDS), "ns");
    for (int round = 0; round < ROUNDS; round++)
        ratios[round] = ns[KERNTIME][round] / ns[STAMPED][round];
    char unit[64];
    snprintf(unit, sizeof unit, "kerntime/%s", which->ways[STAMPED]);
    report(which->name, "ratio", bench_median_ci95(ratios, ROUNDS, &low, &high), unit);
    report(which->name, "ratio-low", low, unit);
    report(which->name, "ratio-high", high, unit);
    return 0;
}

int bench_dispatch(void)
{
    int failed = bench_null(&opencl, STUB_LIBRARY);
    failed |= bench_driver(&opencl);
    return failed;
}
