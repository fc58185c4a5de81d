/*
 * Bandwidth of copies: by a loop written by hand, and by kerntime, which writes its source before and compares its destination
 * after so many copies in a row as the loop makes. Both tell the duration by the same stamps. What else is done between two copies is
 * no cost of kerntime's, but it is seen where both memories just fit into the caches, so both copy without a pause: the loop, and
 * kerntime by as many trials.
 *
 * Each round takes both ways, there and back (A B B A): what changes evenly within it is alike in both. Of a round each way's
 * median counts, of the rounds the median ratio, with the interval that holds whatever their distribution is. How
 * fast a copy is also depends on which pages its memories got, so each round makes them anew.
 */
#include "bench.h"
#include "subject.h"

#include "workloads/copy/copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS  18
#define SAMPLES 4 /* of each way, in each direction */
#define TRIALS  8 /* copies in a row in each of them */

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
static bool open_direction(subject *s, const api *which, size_t bytes)
{
    kt_job_desc desc = {.size = sizeof desc, .name = "copy", .variant = which->direction};
    *s = (subject){.name = which->name, .api = which->raw, .raw = which->raw->open(which->library)};
    if (!s->raw)
        return false;
    if (which->raw->make_copy(s->raw, bytes))
        return subject_open(s, which->device, &workload_copy, bytes, &desc);
    fprintf(stderr, "kerntime-bench: %s: its memories could not be made\n", which->name);
    return false;
}

static int kerntime_samples(subject *s, double *samples_ns)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .timing = KT_TIMING_DEVICE,
                                        .trials = TRIALS,
                                        .max_time_ns = 1, /* samples_min beats it */
                                        .samples_min = SAMPLES,
                                        .samples_max = SAMPLES};
    kt_result *result = NULL;
    kt_status status = kt_measure(s->run.job, &options, &result);
    const kt_series *series = status == KT_OK ? kt_result_find(result, "copy") : NULL;
    bool complete = series && series->summary.n == SAMPLES;
    for (int i = 0; complete && i < SAMPLES; i++)
        samples_ns[i] = series->samples_ns[i];
    if (!complete)
        fprintf(stderr, "kerntime-bench: %s: %s\n", s->name,
                status == KT_OK ? "a copy has no duration" : kt_error_text());
    kt_result_destroy(&result);
    return !complete;
}

/* The first one is a warm-up; kerntime's own is no shorter. */
static int raw_samples(subject *s, double *samples_ns)
{
    bool works = true;
    for (int i = -1; i < SAMPLES && works; i++) {
        double sum_ns = 0, ns;
        for (int k = 0; k < TRIALS && works; k++) {
            works = s->api->copy(s->raw, &ns);
            sum_ns += ns;
        }
        if (i >= 0)
            samples_ns[i] = sum_ns / TRIALS;
    }
    if (!works)
        fprintf(stderr, "kerntime-bench: %s: a copy failed\n", s->name);
    return !works;
}

/* The median copy of each way. 0, or 1 after a sentence. */
static int take_round(const api *which, size_t bytes, double round_ns[WAYS])
{
    subject s;
    double samples_ns[WAYS][2 * SAMPLES];
    int failed = !open_direction(&s, which, bytes);
    for (int i = 0; i < 2 * WAYS && !failed; i++) {
        int way = i < WAYS ? i : 2 * WAYS - 1 - i;
        double *to = samples_ns[way] + (i < WAYS ? 0 : SAMPLES);
        failed = way == KERNTIME ? kerntime_samples(&s, to) : raw_samples(&s, to);
    }
    subject_close(&s);
    for (int way = 0; way < WAYS && !failed; way++)
        round_ns[way] = bench_median(samples_ns[way], 2 * (size_t)SAMPLES);
    return failed;
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
    double ns[ROUNDS][WAYS], gb_per_s[WAYS][ROUNDS], ratios[ROUNDS], low, high;
    for (int round = 0; round < ROUNDS; round++) {
        if (take_round(which, bytes, ns[round]) != 0)
            return 1;
        for (int way = 0; way < WAYS; way++)
            gb_per_s[way][round] = (double)bytes / ns[round][way];
        ratios[round] = ns[round][RAW] / ns[round][KERNTIME];
    }
    report(which, "raw", mib, bench_median(gb_per_s[RAW], ROUNDS), "GB/s");
    report(which, "kerntime", mib, bench_median(gb_per_s[KERNTIME], ROUNDS), "GB/s");
    report(which, "ratio", mib, bench_median_ci95(ratios, ROUNDS, &low, &high), "kerntime/raw");
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
