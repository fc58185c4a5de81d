/* SPDX-License-Identifier: MIT */
/* kernels_judge.h - judges the observations of the checks that run kernels. Pure: takes numbers,
 * returns a diagnostic. */
#ifndef CLI_DOCTOR_KERNELS_JUDGE_H
#define CLI_DOCTOR_KERNELS_JUDGE_H

#include "cli/doctor/judge.h"

/* Judges the results of all submissions whose results were checked. */
doctor_diagnostic judge_results(const doctor_kernels *kernels);

/* Observations of long loops. */
typedef struct loops_seen {
    /* Length of the longest loop tried, or of the first one that was cut. */
    uint32_t iterations;
    uint32_t results, right;     /* of loops of that length: all and correct results */
    uint32_t cut;                /* runs whose loop ended early, after too few iterations */
    uint32_t done_min, done_max; /* fewest and most iterations of the runs cut short */
    double most_ns;              /* time limit for the first loop length */
    const char *quirk;           /* known quirk of the driver, or empty */
} loops_seen;

doctor_diagnostic judge_loops(const loops_seen *seen);

/* First run of a new kernel, and the later runs. In ns; NaN: unknown. */
typedef struct first_use_seen {
    double wall_ns, steady_wall_ns;
    /* Device time of the step: first run, median of later runs. */
    double device_ns, steady_device_ns;
    double resolution_ns; /* resolution of the device clock */
    double build_ns;      /* wall time of building the kernel, before its first run */
    bool compiles;        /* the driver compiles the kernel from text */
    bool known;           /* the kernel has run before: a new one was impossible */
} first_use_seen;

/* Whether the first run took longer, so that the check is worth repeating. */
bool first_use_is_longer(const first_use_seen *seen);
bool first_use_is_timestamped(const first_use_seen *seen);
doctor_diagnostic judge_first_use(const first_use_seen *seen);

/* Submissions with usable or refused spans: count, and times of the least disturbed one. */
typedef struct agreement_spans {
    uint32_t count;
    double device_ns, wall_ns;
} agreement_spans;

/* Observations of one kernel length. */
typedef struct agreement_rung {
    double device_ns; /* device time of the kernel; NaN: no timestamp is usable */
    double wall_ns;   /* wall time of the same submission */
    /* The candidates: spans within the wall time, and spans refused as longer than it. */
    agreement_spans usable, refused;
    uint32_t unusable,
        ambiguous; /* timestamps if none is usable, and how many of these are ambiguous */
    kt_timestamp_state state; /* state of the last unusable timestamp */
    bool has_ticks;           /* false: elapsed-only clock */
} agreement_rung;

#define AGREEMENT_RUNGS_MAX 12

typedef struct agreement_seen {
    agreement_rung rungs[AGREEMENT_RUNGS_MAX]; /* one per kernel length, ascending */
    uint32_t count;
    double shortest_ns;   /* planned wall time of the shortest kernel length */
    double resolution_ns; /* resolution of the device clock */
} agreement_seen;

/* Adds the observations of one series with raw timestamps. `clock`: their clock, or NULL. */
void agreement_look(agreement_rung *rung, const kt_clock_info *clock, const kt_series *series);
/* Device time over wall time of one kernel length. */
double agreement_ratio(const agreement_rung *rung);
/* Whether device and wall times differ enough to measure again. */
bool agreement_is_doubtful(const agreement_seen *seen);
doctor_diagnostic judge_agreement(const agreement_seen *seen);

/* Observations of repeating one kernel. */
typedef struct steady_seen {
    /* Relative change of the kernel's time from the first tenth to the last; NaN: unknown. */
    double change;
    double under_ns; /* total run time of the repeated kernel */
    double kernel_ns;
    uint32_t groups; /* groups that run in parallel */
    double step;     /* clock resolution over kernel_ns */
    bool of_device;  /* true: device times; false: wall times */
} steady_seen;

#define STEADY_UNDER_NS    INT64_C(500000000) /* total run time, longer only for long kernels */
#define STEADY_SAMPLES_MIN 30                 /* fewer samples show no change */

/* Number of groups that occupies all compute units of a device; a guess if it reports no units. */
uint32_t steady_groups(const kt_device_info *info);
/* Minimum number of runs of a kernel: they fill the time, but do not wait for a slow device. */
uint32_t steady_samples(double kernel_ns);
/* Change from the first tenth of the samples to the last three, by the shortest sample of each:
 * other load prolongs some samples, a lower clock all. Takes the smallest of the three changes; 0
 * if the first lies within the three. NaN: too few samples. */
double steady_change(const double *samples_ns, size_t n);
/* The smaller change of two measurements; 0 if their signs differ, since then the load is not the
 * cause. */
double steady_combine(double before, double again);
/* Whether a change is worth measuring again. */
bool steady_is_doubtful(const steady_seen *seen);
doctor_diagnostic judge_steady(const steady_seen *seen);

#endif
