/* SPDX-License-Identifier: MIT */
/*
 * The cost of one timestamped empty dispatch: by hand and by kerntime, over a library whose calls
 * return at once (what kerntime itself adds) and over the system's drivers (what that means in
 * practice).
 *
 * What other programs and the clock of the cores do meanwhile is more than what is looked for. So
 * each round takes the ways in turn, there and back (A B B A): what changes evenly within it is
 * alike in all of them, and leaves their ratio. Of a round each way's median dispatch counts, which
 * no other program's turn is part of; of the rounds the median ratio, with the interval that holds
 * whatever their distribution is.
 *
 * All threads share one core: of two devices of one driver, one may have its threads on one core
 * and the other on two, for seconds, and be half as fast then (lavapipe 22.3).
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench/bench.h"
#include "bench/by_hand/launches.h"
#include "bench/by_hand/raw_cuda.h"
#include "bench/by_hand/subject.h"
#include "bench/cost/result.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS LAUNCH_ROUNDS_MAX
/* dispatches, so many that reading the clock between slices does not show */
#define NULL_SLICE   100
#define DRIVER_SLICE 1

typedef struct api {
    const char *name;
    const char *ways[LAUNCH_WAYS]; /* in the names of figures */
    const char *library;
    const char *variable; /* tells kerntime another library */
    const char *device;
    const raw_api *raw;
} api;

static const api cpu = {
    .name = "cpu", .ways = {"raw", "raw-timed", "kerntime"}, .device = "cpu:0", .raw = &raw_cpu};

static const api opencl = {.name = "opencl",
                           .ways = {"raw", "raw-profiled", "kerntime"},
                           .library = "libOpenCL.so.1",
                           .variable = "KERNTIME_LIB_OPENCL",
                           .device = "opencl:0",
                           .raw = &raw_opencl};

/* The driver's usual name, which people open, too. */
static const api cuda = {.name = "cuda",
                         .ways = {"raw", "raw-timed", "kerntime"},
                         .variable = "KERNTIME_LIB_CUDA",
                         .device = "cuda:0",
                         .raw = &raw_cuda};
static const api hip = {.name = "hip",
                        .ways = {"raw", "raw-timed", "kerntime"},
                        .variable = "KERNTIME_LIB_HIP",
                        .device = "hip:0",
                        .raw = &raw_hip};

#if HAVE_VULKAN
static const api vulkan = {.name = "vulkan",
                           .ways = {"raw", "raw-timed", "kerntime"},
                           .library = "libvulkan.so.1",
                           .variable = "KERNTIME_LIB_VULKAN",
                           .device = "vulkan:0",
                           .raw = &raw_vulkan};
#endif

/* A library of one's own, or the one that ./dev bench installs. */
static const api webgpu = {.name = "webgpu",
                           .ways = {"raw", "raw-timed", "kerntime"},
                           .library = DAWN_LIBRARY,
                           .variable = "KERNTIME_LIB_WEBGPU",
                           .device = "webgpu:0",
                           .raw = &raw_webgpu};

/* The empty workload on a device. `library`: opened by both sides; NULL: the usual one. */
static bool open_empty(subject *s, const api *which, const char *library)
{
    kt_job_desc desc = {.size = sizeof desc, .name = "empty"};
    *s = (subject){.name = which->name,
                   .api = which->raw,
                   .raw = which->raw->open(library ? library : which->library)};
    if (!s->raw)
        return false;
    if (library)
        setenv(which->variable, library, 1);
    else if (which->variable)
        unsetenv(which->variable);
    return subject_open(s, which->device, workload_find("empty"), 1, &desc);
}

static void report(const char *name, const char *figure, double value, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "dispatch/%s-%s", name, figure);
    bench_report(text, value, unit);
}

/* By hand as timestamped as kerntime's. 0, or 1 after a sentence. */
static int add_series(const char *name, const kt_device_info *device, int rounds,
                      double ns[LAUNCH_WAYS][ROUNDS])
{
    char text[64];
    snprintf(text, sizeof text, "dispatch/%s", name);
    return result_series(text, device, ns[LAUNCH_KERNTIME], ns[LAUNCH_TIMESTAMPED], (size_t)rounds);
}

static int bench_null(const api *which, const char *library)
{
    subject s;
    double ns[LAUNCH_WAYS][ROUNDS];
    int rounds = result_rounds(ROUNDS);
    int failed = !open_empty(&s, which, library) || launches_compare(&s, NULL_SLICE, rounds, ns);
    subject_close(&s);
    if (failed)
        return 1;
    double raw_ns = bench_median(ns[LAUNCH_TIMESTAMPED], rounds);
    double kerntime_ns = bench_median(ns[LAUNCH_KERNTIME], rounds);
    report("null", "raw", raw_ns, "ns");
    report("null", "kerntime", kerntime_ns, "ns");
    report("null", "added", kerntime_ns - raw_ns, "ns");
    return add_series("null", NULL, rounds, ns);
}

static int bench_driver(const api *which, const char *library)
{
    subject s;
    double ns[LAUNCH_WAYS][ROUNDS], ratios[ROUNDS], low, high;
    int rounds = result_rounds(ROUNDS);
    int failed = !open_empty(&s, which, library) ||
                 launches_compare(&s, DRIVER_SLICE, rounds, ns) ||
                 add_series(which->name, kt_device_get_info(s.device), rounds, ns);
    subject_close(&s);
    if (failed)
        return 1;
    for (int way = 0; way < LAUNCH_WAYS; way++)
        report(which->name, which->ways[way], bench_median(ns[way], rounds), "ns");
    for (int round = 0; round < rounds; round++)
        ratios[round] = ns[LAUNCH_KERNTIME][round] / ns[LAUNCH_TIMESTAMPED][round];
    char unit[64];
    snprintf(unit, sizeof unit, "kerntime/%s", which->ways[LAUNCH_TIMESTAMPED]);
    report(which->name, "ratio", bench_median_ci95(ratios, rounds, &low, &high), unit);
    report(which->name, "ratio-low", low, unit);
    report(which->name, "ratio-high", high, unit);
    return 0;
}

/* SwiftShader stands beside the system's drivers, since Dawn does not take every version of
 * lavapipe (22.3). */
static int bench_webgpu(void)
{
    const char *given = getenv(webgpu.variable);
    char library[4096];
    snprintf(library, sizeof library, "%s", given && given[0] ? given : webgpu.library);
    if (strchr(library, '/') && access(library, R_OK) != 0) {
        fprintf(stderr, "kerntime-bench: %s is not here: no figure of WebGPU\n", library);
        return 0;
    }
    if (access(SWIFTSHADER_ICD, R_OK) == 0)
        setenv("VK_ADD_DRIVER_FILES", SWIFTSHADER_ICD, 0);
    return bench_driver(&webgpu, library);
}

/* Few machines have one, so that none is no failure. The library is the one that the variable
 * names, if any. */
static int bench_gpu(const api *which, bool (*is_here)(const char *library))
{
    const char *given = getenv(which->variable);
    if (is_here(given && given[0] ? given : NULL))
        return bench_driver(which, given && given[0] ? given : NULL);
    fprintf(stderr, "kerntime-bench: no device of %s is here: no figure of it\n", which->name);
    return 0;
}

static int bench_all(void)
{
    int failed = bench_null(&opencl, STUB_LIBRARY);
    failed |= bench_driver(&cpu, NULL);
    failed |= bench_driver(&opencl, NULL);
    failed |= bench_gpu(&cuda, raw_cuda_is_here);
    failed |= bench_gpu(&hip, raw_hip_is_here);
#if HAVE_VULKAN
    failed |= bench_driver(&vulkan, NULL);
#else
    fprintf(stderr,
            "kerntime-bench: built without vulkan/vulkan.h or glslc: no figure of Vulkan\n");
#endif
    failed |= bench_webgpu();
    return failed;
}

int bench_dispatch(void)
{
#ifdef CPU_SET
    cpu_set_t all, one;
    int core = sched_getcpu();
    if (core >= 0 && sched_getaffinity(0, sizeof all, &all) == 0) {
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
        int failed = bench_all();
        sched_setaffinity(0, sizeof all, &all);
        return failed;
    }
#endif
    return bench_all();
}
