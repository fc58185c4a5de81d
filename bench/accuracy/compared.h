/* SPDX-License-Identifier: MIT */
/* compared.h - made-up result files of 50 rows, before and after a change that is known: what
 * comparisons are counted on. No clock takes part. */
#ifndef BENCH_COMPARED_H
#define BENCH_COMPARED_H

#include "bench/calibrate/noise.h"

#include <kerntime/compare.h>

enum { COMPARED_ROWS = 50, COMPARED_RUNS = 10, COMPARED_SAMPLES = 30, COMPARED_CHANGED = 10 };

/* One side: each run of each row has its own samples, around its own median. */
typedef struct compared_side {
    double samples[COMPARED_ROWS][COMPARED_RUNS][COMPARED_SAMPLES];
    kt_summary summaries[COMPARED_ROWS][COMPARED_RUNS];
    kt_compare_run runs[COMPARED_ROWS][COMPARED_RUNS];
} compared_side;

typedef struct compared_file {
    compared_side baseline, contender;
    int rows; /* rows that are compared, from the first on */
    int job;  /* so many rows one after another are a job; 0: each is by itself */
} compared_file;

/* Ten kinds of noise, in turn over the rows. `quiet`: all rows of 0.3 %. Each run of each row is
 * off by a normal number of deviation `run_noise`. Nothing differs between the sides. */
void compared_fill(compared_file *file, uint64_t seed, double run_noise, int quiet);

/* Makes the contender of a row differ by `change`, after compared_fill() of the same arguments. */
void compared_change(compared_file *file, uint64_t seed, double run_noise, int quiet, int row,
                     double change);

/* Every other row is quiet, 0.2 % from run to run, and every other one noisy, 2 %. Each run of a
 * side is off by a normal number of deviation `process`, which all its rows share. The first
 * `changed` rows differ by `change`. */
typedef struct compared_mix {
    double process, change;
    int changed;
} compared_mix;

void compared_fill_mixed(compared_file *file, uint64_t seed, const compared_mix *mix);

/* Rows of one device with a run-to-run deviation of 1 %, or of three devices, one after another,
 * with 0.7, 1 and 1.4 % in any order. The first `slower` rows are slower by `change`. Each
 * side has COMPARED_SCENARIO_RUNS runs. */
typedef struct compared_scenario {
    int rows, devices, slower;
    double change;
} compared_scenario;

enum { COMPARED_SCENARIO_RUNS = 3 };

void compared_fill_scenario(compared_file *file, uint64_t seed, const compared_scenario *of);

/* All rows are quiet. Each run of each job, of `job` rows, is off by a normal number of deviation
 * `run_noise`, which its rows share. Nothing differs between the sides. */
void compared_fill_jobs(compared_file *file, uint64_t seed, double run_noise, int job);

/* Rows COMPARED_CHANGED and on have not changed. Counts are sums over files. */
typedef struct compared_counts {
    double wrong_share;                /* share of the wrong among the called, sum over files */
    int files, with_any;               /* files in which some row is called different */
    int changed, found;                /* called different, the right way */
    int called, wrong;                 /* called different, though unchanged or the other way */
    int slower;                        /* files with a row called slower */
    int unchanged, same, inconclusive; /* of the unchanged */
    int common,
        common_right;    /* files in which what is common matters; whose interval holds `truth` */
    int intervals, held; /* of rows; that hold the true change */
} compared_counts;

typedef enum compared_way {
    COMPARED_MEANS,  /* of all samples, 1 % or more apart */
    COMPARED_MINIMA, /* likewise */
    COMPARED_T_TEST, /* Welch's, of all samples, at 5 % */
    COMPARED_U_TEST, /* Mann and Whitney's, likewise */
    COMPARED_WAYS
} compared_way;

const char *compared_way_name(compared_way way);

/* What kerntime says of the first `runs` of each side. `changes`: of the first COMPARED_CHANGED
 * rows, relative; NULL: none. `common`: what is common to all. */
void compared_count(const compared_file *file, size_t runs, const double *changes, double common,
                    compared_counts *counts);

/* The same of files whose first `changed` rows are slower by `change`, and how many intervals hold
 * the truth. */
void compared_count_slower(const compared_file *file, size_t runs, int changed, double change,
                           compared_counts *counts);

/* The same of the habits, COMPARED_WAYS of them, for whom all runs are one heap of samples. */
void compared_count_habits(const compared_file *file, size_t runs, const double *changes,
                           compared_counts *counts);

#endif
