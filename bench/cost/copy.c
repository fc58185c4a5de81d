/* SPDX-License-Identifier: MIT */
/*
 * Bandwidth of copies: by a loop written by hand, and by kerntime, which writes its source before
 * and compares its destination after so many copies in a row as the loop makes. Both tell the
 * duration by the same timestamps. What else is done between two copies is no cost of kerntime's, but
 * it is seen where both memories just fit into the caches, so both copy without a pause: the loop,
 * and kerntime by as many trials.
 *
 * Each round takes both ways, there and back (A B B A): what changes evenly within it is alike in
 * both. Of a round each way's median counts, of the rounds the median ratio, with the interval that
 * holds whatever their distribution is. How fast a copy is also depends on which pages its memories
 * got, so each round makes them anew.
 */
#include "workloads/copy/copy.h"
#include "bench/bench.h"
#include "bench/by_hand/copies.h"
#include "bench/by_hand/raw_cuda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 18

typedef struct api {
    const char *name;
    const char *library;
    const char *device;
    const char *direction;
    const raw_api *raw;
    bool (*is_here)(const char *library); /* NULL: it has to be */
} api;

static const api apis[] = {
    {"cpu", NULL, "cpu:0", "heap-heap", &raw_cpu, NULL},
    {"opencl", "libOpenCL.so.1", "opencl:0", "heap-device", &raw_opencl, NULL},
    {"cuda", NULL, "cuda:0", "heap-device", &raw_cuda, raw_cuda_is_here},
    {"hip", NULL, "hip:0", "heap-device", &raw_hip, raw_hip_is_here},
#if HAVE_VULKAN
    {"vulkan", "libvulkan.so.1", "vulkan:0", "shared-shared", &raw_vulkan, NULL},
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

/* The median copy of each way. 0, or 1 after a sentence. */
static int take_round(const api *which, size_t bytes, double round_ns[COPIES_WAYS])
{
    subject s;
    int failed = !open_direction(&s, which, bytes) || copies_compare(&s, round_ns);
    subject_close(&s);
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
    if (which->is_here && !which->is_here(which->library)) {
        fprintf(stderr, "kerntime-bench: no device of %s is here: no figure of it\n", which->name);
        return 0;
    }
    double ns[ROUNDS][COPIES_WAYS], gb_per_s[COPIES_WAYS][ROUNDS], ratios[ROUNDS], low, high;
    for (int round = 0; round < ROUNDS; round++) {
        if (take_round(which, bytes, ns[round]) != 0)
            return 1;
        for (int way = 0; way < COPIES_WAYS; way++)
            gb_per_s[way][round] = (double)bytes / ns[round][way];
        ratios[round] = ns[round][COPIES_RAW] / ns[round][COPIES_KERNTIME];
    }
    report(which, "raw", mib, bench_median(gb_per_s[COPIES_RAW], ROUNDS), "GB/s");
    report(which, "kerntime", mib, bench_median(gb_per_s[COPIES_KERNTIME], ROUNDS), "GB/s");
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
