/*
 * Bandwidth of copies: by loops written by hand, and by kerntime. All tell the duration by the same stamps. The one loop does nothing but
 * copy; the other one sets the source before and compares the destination after each copy, outside of what is timed, as
 * kerntime does: what is in the caches when a copy begins is alike.
 *
 * Each round takes all ways, there and back (A B C C B A), some copies each: what changes evenly within it is alike
 * in all. Of a round each way's median copy counts, of the rounds the median ratio, with the interval that holds whatever
 * their distribution is. How fast a copy is also depends on which pages its memories got, so each round makes them anew.
 */
#include "bench.h"
#include "subject.h"

#include "workloads/copy/copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS  18
#define COPIES  8 /* of each way, in each direction */
#define WARM_UP 2 /* by hand, before the copies that count; kerntime's own are no fewer */

enum { UNCHECKED, RAW, KERNTIME, WAYS };

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
        fprintf(stderr, "kerntime-bench: %s: %s\n", s->name,
                status == KT_OK ? "a copy has no duration" : kt_error_text());
    kt_result_destroy(&result);
    return !complete;
}

static int raw_copies(subject *s, bool checked, double *copies_ns)
{
    bool works = true;
    double ns;
    for (int i = 0; i < WARM_UP && works; i++)
        works = s->api->copy(s->raw, checked, &ns);
    for (int i = 0; i < COPIES && works; i++)
        works = s->api->copy(s->raw, checked, &copies_ns[i]);
    if (!works)
        fprintf(stderr, "kerntime-bench: %s: a copy failed\n", s->name);
    return !works;
}

/* The median copy of each way. 0, or 1 after a sentence. */
static int take_round(const api *which, size_t bytes, double round_ns[WAYS])
{
    subject s;
    double copies_ns[WAYS][2 * COPIES];
    int failed = !open_direction(&s, which, bytes);
    for (int i = 0; i < 2 * WAYS && !failed; i++) {
        int way = i < WAYS ? i : 2 * WAYS - 1 - i;
        double *to = copies_ns[way] + (i < WAYS ? 0 : COPIES);
        failed = way == KERNTIME ? kerntime_copies(&s, to) : raw_copies(&s, way == RAW, to);
    }
    subject_close(&s);
    for (int way = 0; way < WAYS && !failed; way++)
        round_ns[way] = bench_median(copies_ns[way], 2 * (size_t)COPIES);
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
    double ns[ROUNDS][WAYS], gb_per_s[WAYS][ROUNDS], ratios[WAYS][ROUNDS], low, high;
    for (int round = 0; round < ROUNDS; round++) {
        if (take_round(which, bytes, ns[round]) != 0)
            return 1;
        for (int way = 0; way < WAYS; way++) {
            gb_per_s[way][round] = (double)bytes / ns[round][way];
            ratios[way][round] = ns[round][way] / ns[round][KERNTIME];
        }
    }
    report(which, "raw-unchecked", mib, bench_median(gb_per_s[UNCHECKED], ROUNDS), "GB/s");
    report(which, "raw", mib, bench_median(gb_per_s[RAW], ROUNDS), "GB/s");
    report(which, "kerntime", mib, bench_median(gb_per_s[KERNTIME], ROUNDS), "GB/s");
    report(which, "ratio", mib, bench_median_ci95(ratios[RAW], ROUNDS, &low, &high),
           "kerntime/raw");
    report(which, "ratio-low", mib, low, "kerntime/raw");
    report(which, "ratio-high", mib, high, "kerntime/raw");
    report(which, "ratio-unchecked", mib, bench_median(ratios[UNCHECKED], ROUNDS),
           "kerntime/raw-unchecked");
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
