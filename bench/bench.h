/* SPDX-License-Identifier: MIT */
/* bench.h - figures as they are printed and kept. */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>

/* The program that sentences on standard error are of. */
extern const char bench_name[];

/* Prints "name value unit", and a JSON line if --json was given. */
void bench_report(const char *name, double value, const char *unit);

#define BENCH_VALUES_MAX 256
/* Of at most so many. */
double bench_median(const double *values, size_t count);
/* The same, and its 95 % interval, NaN where none can be told. */
double bench_median_ci95(const double *values, size_t count, double *low, double *high);

/* Each prints its figures; 0, or 1 after a sentence on standard error. */
int bench_calibration(void);
int bench_calibration_host(void);    /* called by it, ... */
int bench_calibration_metal(void);   /* ... as is this, ... */
int bench_calibration_unknown(void); /* ... and this */
int bench_compare(void);
int bench_copy(void);
int bench_coverage(void);
int bench_dispatch(void);
int bench_energy(void);
int bench_fleet(void);
int bench_record(void);
int bench_size(void);
int bench_state(void);
int bench_timer(void);
int bench_trace(void);
int bench_transfer(void);
int bench_trace_vulkan(void);
int bench_tuning(void);

#endif
