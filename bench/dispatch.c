/*
 * The cost of one stamped empty dispatch: by hand and by kerntime, over a library whose calls
 * return at once (what kerntime itself adds) and over the system's drivers (what that means in
 * practice).
 *
 * What other programs and the clock of the cores do meanwhile is more than what is looked for. So
 * each round takes the ways in turn, there and back (A B B A): what changes evenly within it is alike
 * in all of them, and leaves their ratio. Of a round each way's median dispatch counts, which no
 * other program's turn is part of; of the rounds the median ratio, with the interval that holds
 * whatever their distribution is.
 *
 * All threads share one core: of two devices of one driver, one may have its threads on one core and
 * the other on two, for seconds, and be half as fast then (lavapipe 22.3).
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench.h"
#include "result.h"
#include "subject.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS       128
#define SLICES       100 /* of each way, in each direction */
#define NULL_SLICE   100 /* dispatches, so many that reading the clock between slices does not show */
#define DRIVER_SLICE 1
#define MAX_TIME_NS  INT64_C(20000000) /* kerntime warms up for a quarter of it, by hand as long */

enum { PLAIN, STAMPED, KERNTIME, WAYS };

typedef struct api {
    const char *name;
    const char *ways[WAYS]; /* in the names of figures */
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

/* ns of the host's clock per dispatch in each slice: from before its first submission to before the
 * one after its last. 0, or 1 after a sentence. */
static int kerntime_slices(subject *s, uint32_t slice, double *slices_ns)
{
    uint32_t count = SLICES * slice + 1;
    /* No measurement ends before samples_min, whatever max_time says. */
    kt_measure_options options = {.size = sizeof options,
                                  .timing = KT_TIMING_DEVICE,
                                  .max_time_ns = MAX_TIME_NS,
                                  .samples_min = count,
                                  .samples_max = count,
                                  .keep_raw = 1};
    kt_result *result = NULL;
    kt_status status = kt_measure(s->run.job, &options, &result);
    if (status == KT_OK) {
        const kt_raw *raw = kt_result_find(result, "wall_stamped")->raw;
        for (int i = 0; i < SLICES; i++, raw += slice)
            slices_ns[i] = (double)(raw[slice].host_before_ns - raw[0].host_before_ns) / slice;
    } else {
        fprintf(stderr, "kerntime-bench: %s\n", kt_error_text());
    }
    kt_result_destroy(&result);
    return status != KT_OK;
}

static int raw_slices(subject *s, bool stamped, uint32_t slice, double *slices_ns)
{
    const raw_api *raw = s->api;
    bool works = true;
    int64_t begin_ns = kt_host_now_ns(), end_ns = begin_ns;
    for (; works && end_ns - begin_ns < MAX_TIME_NS / 4; end_ns = kt_host_now_ns())
        works = raw->dispatch(s->raw, stamped, slice);
    for (int i = 0; works && i < SLICES; i++) {
        begin_ns = end_ns;
        works = raw->dispatch(s->raw, stamped, slice);
        end_ns = kt_host_now_ns();
        slices_ns[i] = (double)(end_ns - begin_ns) / slice;
    }
    if (!works)
        fprintf(stderr, "kerntime-bench: %s: a dispatch failed\n", s->name);
    return !works;
}

/* The median dispatch of each way in each round. 0, or 1 after a sentence. */
static int compare(subject *s, uint32_t slice, int rounds, double rounds_ns[WAYS][ROUNDS])
{
    double slices_ns[WAYS][2 * SLICES];
    if (kerntime_slices(s, slice, slices_ns[KERNTIME]) != 0) /* makes the ruler */
        return 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 2 * WAYS; i++) {
            int way = i < WAYS ? i : 2 * WAYS - 1 - i;
            double *to = slices_ns[way] + (i < WAYS ? 0 : SLICES);
            if (way == KERNTIME ? kerntime_slices(s, slice, to)
                                : raw_slices(s, way == STAMPED, slice, to))
                return 1;
        }
        for (int way = 0; way < WAYS; way++)
            rounds_ns[way][round] = bench_median(slices_ns[way], 2 * (size_t)SLICES);
    }
    return 0;
}

static void report(const char *name, const char *figure, double value, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "dispatch/%s-%s", name, figure);
    bench_report(text, value, unit);
}

/* By hand as stamped as kerntime's. 0, or 1 after a sentence. */
static int add_series(const char *name, const kt_device_info *device, int rounds,
                      double ns[WAYS][ROUNDS])
{
    char text[64];
    snprintf(text, sizeof text, "dispatch/%s", name);
    return result_series(text, device, ns[KERNTIME], ns[STAMPED], (size_t)rounds);
}

static int bench_null(const api *which, const char *library)
{
    subject s;
    double ns[WAYS][ROUNDS];
    int rounds = result_rounds(ROUNDS);
    int failed = !open_empty(&s, which, library) || compare(&s, NULL_SLICE, rounds, ns);
    subject_close(&s);
    if (failed)
        return 1;
    double raw_ns = bench_median(ns[STAMPED], rounds);
    double kerntime_ns = bench_median(ns[KERNTIME], rounds);
    report("null", "raw", raw_ns, "ns");
    report("null", "kerntime", kerntime_ns, "ns");
    report("null", "added", kerntime_ns - raw_ns, "ns");
    return add_series("null", NULL, rounds, ns);
}

static int bench_driver(const api *which, const char *library)
{
    subject s;
    double ns[WAYS][ROUNDS], ratios[ROUNDS], low, high;
    int rounds = result_rounds(ROUNDS);
    int failed = !open_empty(&s, which, library) || compare(&s, DRIVER_SLICE, rounds, ns) ||
                 add_series(which->name, kt_device_get_info(s.device), rounds, ns);
    subject_close(&s);
    if (failed)
        return 1;
    for (int way = 0; way < WAYS; way++)
        report(which->name, which->ways[way], bench_median(ns[way], rounds), "ns");
    for (int round = 0; round < rounds; round++)
        ratios[round] = ns[KERNTIME][round] / ns[STAMPED][round];
    char unit[64];
    snprintf(unit, sizeof unit, "kerntime/%s", which->ways[STAMPED]);
    report(which->name, "ratio", bench_median_ci95(ratios, rounds, &low, &high), unit);
    report(which->name, "ratio-low", low, unit);
    report(which->name, "ratio-high", high, unit);
    return 0;
}

/* SwiftShader stands beside the system's drivers, since Dawn does not take every version of lavapipe (22.3). */
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

static int bench_all(void)
{
    int failed = bench_null(&opencl, STUB_LIBRARY);
    failed |= bench_driver(&cpu, NULL);
    failed |= bench_driver(&opencl, NULL);
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
