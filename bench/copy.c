/*
 * Bandwidth of copies: by a loop written by hand, and by kerntime, which checks what arrived after each of them. Both tell
 * the duration by the same stamps. Each round takes both ways, there and back (A B B A), a few copies each: what changes evenly within
 * it is alike in both. Of a round each way's median copy counts, of the rounds the median ratio, with the interval that
 * holds whatever their distribution is.
 *
 * How fast a copy is also depends on which pages its memories got, so after some rounds both sides make theirs anew.
 */
#include "bench.h"
#include "raw.h"

#include "workloads/copy/copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES   8 /* times that both make their memories */
#define ROUNDS  4 /* with each of these */
#define COPIES  4 /* of each way, in each direction */
#define WARM_UP 2 /* by hand, before the copies that count; kerntime's own are no fewer */

enum { RAW, KERNTIME, WAYS };

typedef struct api {
    const char *name;
    const char *library;
    const char *device;
    const char *direction;
    const raw_api *raw;
} api;

static const api apis[] = {
    {"cpu", NULL, "cpu:0", "heap-heap", &raw_cpu},
    {"opencl", "libOpenCL.so.1", "opencl:0", "heap-device", &raw_opencl},
#if HAVE_VULKAN
    {"vulkan", "libvulkan.so.1", "vulkan:0", "shared-shared", &raw_vulkan},
#endif
};
#define APIS (sizeof apis / sizeof apis[0])

static const size_t sizes_mib[] = {16, 64};
#define SIZES (sizeof sizes_mib / sizeof sizes_mib[0])

/* One direction on a device, opened by both. */
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

static int subject_open(subject *s, const api *which, size_t bytes)
{
    *s = (subject){.api = which, .raw = which->raw->open(which->library)};
    if (!s->raw)
        return 1;
    kt_job_desc desc = {.size = sizeof desc, .name = "copy", .variant = which->direction};
    if (!which->raw->make_copy(s->raw, bytes)) {
        fprintf(stderr, "kerntime-bench: %s: its memories could not be made\n", which->name);
    } else if (kt_context_create(&s->context, NULL) == KT_OK &&
               kt_device_open(s->context, which->device, &s->device) == KT_OK &&
               workload_open(&s->run, &workload_copy, NULL, s->device, bytes, &desc) == KT_OK) {
        return 0;
    } else {
        fprintf(stderr, "kerntime-bench: %s\n", kt_error_text());
    }
    subject_close(s);
    return 1;
}

static int kerntime_copies(subject *s, double *copies_ns)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .timing = KT_TIMING_DEVICE,
                                        .trials = 1,
                                        .max_time_ns = 1, /* samples_min beats it */
                                        .samples_min = COPIES,
                                        .samples_max = COPIES};
    kt_result *result = NULL;
    kt_status status = kt_measure(s->run.job, &options, &result);
    const kt_series *series = status == KT_OK ? kt_result_find(result, "copy") : NULL;
    bool complete = series && series->summary.n == COPIES;
    for (int i = 0; complete && i < COPIES; i++)
        copies_ns[i] = series->samples_ns[i];
    if (!complete)
        fprintf(stderr, "kerntime-bench: %s: %s\n", s->api->name,
                status == KT_OK ? "a copy has no duration" : kt_error_text());
    kt_result_destroy(&result);
    return !complete;
}

static int raw_copies(subject *s, double *copies_ns)
{
    bool works = true;
    double ns;
    for (int i = 0; i < WARM_UP && works; i++)
        works = s->api->raw->copy(s->raw, &ns);
    for (int i = 0; i < COPIES && works; i++)
        works = s->api->raw->copy(s->raw, &copies_ns[i]);
    if (!works)
        fprintf(stderr, "kerntime-bench: %s: a copy failed\n", s->api->name);
    return !works;
}

/* The median copy of each way in each round. 0, or 1 after a sentence. */
static int compare(subject *s, double rounds_ns[WAYS][PAGES * ROUNDS], int first)
{
    double copies_ns[WAYS][2 * COPIES];
    for (int round = first; round < first + ROUNDS; round++) {
        for (int i = 0; i < 2 * WAYS; i++) {
            int way = i < WAYS ? i : 2 * WAYS - 1 - i;
            double *to = copies_ns[way] + (i < WAYS ? 0 : COPIES);
            if (way == RAW ? raw_copies(s, to) : kerntime_copies(s, to))
                return 1;
        }
        for (int way = 0; way < WAYS; way++)
            rounds_ns[way][round] = bench_median(copies_ns[way], 2 * (size_t)COPIES);
    }
    return 0;
}

static void report(const api *which, const char *figure, size_t mib, double value, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "copy/%s-%s-%zu-MiB", which->name, figure, mib);
    bench_report(text, value, unit);
}

static int bench_size_of(const api *which, size_t mib)
{
    size_t bytes = mib << 20;
    double ns[WAYS][PAGES * ROUNDS], ratios[PAGES * ROUNDS], low, high;
    for (int page = 0; page < PAGES; page++) {
        subject s;
        if (subject_open(&s, which, bytes) != 0)
            return 1;
        int failed = compare(&s, ns, page * ROUNDS);
        subject_close(&s);
        if (failed)
            return 1;
    }
    for (int round = 0; round < PAGES * ROUNDS; round++)
        ratios[round] = ns[RAW][round] / ns[KERNTIME][round];
    report(which, "raw", mib, (double)bytes / bench_median(ns[RAW], PAGES * ROUNDS), "GB/s");
    report(which, "kerntime", mib, (double)bytes / bench_median(ns[KERNTIME], PAGES * ROUNDS),
           "GB/s");
    report(which, "ratio", mib, bench_median_ci95(ratios, PAGES * ROUNDS, &low, &high),
           "kerntime/raw");
    report(which, "ratio-low", mib, low, "kerntime/raw");
    report(which, "ratio-high", mib, high, "kerntime/raw");
    return 0;
}

int bench_copy(void)
{
    int failed = 0;
    for (size_t i = 0; i < APIS; i++)
        for (size_t k = 0; k < SIZES; k++)
            failed |= bench_size_of(&apis[i], sizes_mib[k]);
    return failed;
}
