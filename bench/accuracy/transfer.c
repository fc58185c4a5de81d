/* SPDX-License-Identifier: MIT */
/*
 * How exactly a sweep of copies tells latency and bandwidth, and how often the intervals hold them:
 * seeded sweeps of a way whose truth is known, beside what people make of the same times: a
 * straight line by least squares, or latency as the time of the smallest size and bandwidth as that
 * of the largest. No clock takes part, so the figures are the same on every machine.
 */
#include "bench/bench.h"
#include "bench/calibrate/noise.h"

#include <kerntime/transfer.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SWEEPS      500
#define SAMPLES     40 /* of each size */
#define SIZES       18 /* 8 KiB to 1 GiB */
#define SMALLEST    8192.0
#define LATENCY_NS  10000.0
#define GB_PER_S    25.0
#define STAGE_BYTES 65536.0 /* up to here without the detour that costs a latency more */

typedef struct subject {
    const char *name;
    noise of;
    double spikes;   /* share of samples that something came between; up to 10 times as long */
    double per_size; /* of each size, what no number of samples averages out */
    int wild;        /* one size is 5 times as long */
    int staged;      /* small copies have half the latency, and a fifth of the bandwidth */
} subject;

/* `quiet` is what sim's jitter_share=0.05 makes. */
static const subject subjects[] = {
    {.name = "quiet-5%", .of = {.spread = 0.05}},
    {.name = "skewed-5%", .of = {.spread = 0}},
    {.name = "student-2%", .of = {.shape = NOISE_STUDENT, .spread = 0.02}},
    {.name = "spikes", .of = {.spread = 0.02}, .spikes = 0.03},
    {.name = "sizes-3%", .of = {.spread = 0.02}, .per_size = 0.03},
    {.name = "wild-size", .of = {.spread = 0.02}, .wild = 1},
    {.name = "staged", .of = {.spread = 0.02}, .staged = 1},
};
#define SUBJECTS (sizeof subjects / sizeof subjects[0])

static double true_ns(const subject *s, double bytes)
{
    if (s->staged && bytes <= STAGE_BYTES)
        return LATENCY_NS / 2 + 5 * bytes / GB_PER_S;
    return LATENCY_NS + bytes / GB_PER_S;
}

static void draw_sweep(const subject *s, uint64_t seed, kt_transfer_point points[SIZES])
{
    noise unit = s->of;
    unit.value = 1;
    noise_run run = noise_begin(&unit, seed);
    int wild = (int)(noise_share(&run.random) * SIZES);
    double bytes = SMALLEST;
    for (int i = 0; i < SIZES; i++, bytes *= 2) {
        double samples[SAMPLES], scratch[SAMPLES];
        double ns = true_ns(s, bytes) * (1 + s->per_size * noise_normal(&run.random));
        if (s->wild && i == wild)
            ns *= 5;
        for (int k = 0; k < SAMPLES; k++) {
            samples[k] = ns * (s->of.spread > 0 ? noise_next(&run)
                                                : 1 + 0.05 * (noise_exponential(&run.random) - 1));
            if (noise_share(&run.random) < s->spikes)
                samples[k] *= noise_log_uniform(&run.random, 1, 10);
        }
        points[i] = kt_transfer_point_of(bytes, samples, SAMPLES, scratch);
    }
}

/* Least squares of the times, all alike. */
static void straight_line(const kt_transfer_point *points, double *latency_ns, double *gb_per_s)
{
    double bytes = 0, ns = 0, squares = 0, product = 0;
    for (int i = 0; i < SIZES; i++) {
        bytes += points[i].bytes / SIZES;
        ns += points[i].time_ns / SIZES;
    }
    for (int i = 0; i < SIZES; i++) {
        squares += (points[i].bytes - bytes) * (points[i].bytes - bytes);
        product += (points[i].bytes - bytes) * (points[i].time_ns - ns);
    }
    *gb_per_s = squares / product;
    *latency_ns = ns - bytes / *gb_per_s;
}

typedef enum way { KERNTIME, LEAST_SQUARES, ENDS, WAYS } way;

static const char *const way_names[WAYS] = {"kerntime", "least-squares", "ends"};

typedef struct errors { /* relative */
    double latency[SWEEPS], gb_per_s[SWEEPS];
} errors;

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void report(const subject *s, const char *what, const char *how, double value,
                   const char *unit)
{
    char text[96];
    snprintf(text, sizeof text, "transfer/%s/%s/%s", s->name, what, how);
    bench_report(text, value, unit);
}

static void report_errors(const subject *s, const char *what, const char *how, double *relative)
{
    int beyond = 0;
    for (int i = 0; i < SWEEPS; i++) {
        relative[i] = fabs(relative[i] - 1);
        beyond += !(relative[i] <= 0.01);
    }
    qsort(relative, SWEEPS, sizeof *relative, compare_doubles);
    report(s, what, how, 100 * (relative[SWEEPS / 2 - 1] + relative[SWEEPS / 2]) / 2,
           "% median error");
    char beside[48];
    snprintf(beside, sizeof beside, "%s/beyond-1%%", how);
    report(s, what, beside, 100.0 * beyond / SWEEPS, "% of sweeps");
}

static void bench_subject(const subject *s)
{
    static errors of[WAYS];
    int given = 0, latency_held = 0, bandwidth_held = 0;
    double latency_width = 0, bandwidth_width = 0;
    for (int i = 0; i < SWEEPS; i++) {
        kt_transfer_point points[SIZES];
        kt_transfer_model model;
        draw_sweep(s, (uint64_t)i + 1, points);
        kt_transfer_fit(points, SIZES, GB_PER_S, &model);
        given += model.state == KT_TRANSFER_OK;
        latency_held += model.latency_low_ns <= LATENCY_NS && LATENCY_NS <= model.latency_high_ns;
        bandwidth_held += model.gb_per_s_low <= GB_PER_S && GB_PER_S <= model.gb_per_s_high;
        latency_width += (model.latency_high_ns - model.latency_low_ns) / LATENCY_NS / SWEEPS;
        bandwidth_width += (model.gb_per_s_high - model.gb_per_s_low) / GB_PER_S / SWEEPS;
        double latency_ns, gb_per_s;
        straight_line(points, &latency_ns, &gb_per_s);
        const kt_transfer_point *last = &points[SIZES - 1];
        const double found[WAYS][2] = {{model.latency_ns, model.gb_per_s},
                                       {latency_ns, gb_per_s},
                                       {points[0].time_ns, last->bytes / last->time_ns}};
        for (int w = 0; w < WAYS; w++) {
            of[w].latency[i] = found[w][0] / LATENCY_NS;
            of[w].gb_per_s[i] = found[w][1] / GB_PER_S;
        }
    }
    report(s, "given", "kerntime", 100.0 * given / SWEEPS, "% of sweeps");
    report(s, "latency-coverage", "kerntime", 100.0 * latency_held / given, "% of intervals");
    report(s, "bandwidth-coverage", "kerntime", 100.0 * bandwidth_held / given, "% of intervals");
    report(s, "latency-width", "kerntime", 100 * latency_width, "% mean width");
    report(s, "bandwidth-width", "kerntime", 100 * bandwidth_width, "% mean width");
    for (int w = 0; w < WAYS; w++) {
        report_errors(s, "latency", way_names[w], of[w].latency);
        report_errors(s, "bandwidth", way_names[w], of[w].gb_per_s);
    }
}

int bench_transfer(void)
{
    for (size_t i = 0; i < SUBJECTS; i++)
        bench_subject(&subjects[i]);
    return 0;
}
