/* SPDX-License-Identifier: MIT */
/*
 * doctor.h - examines the timer limits and clocks of a device. Each check has a file in this folder
 * and a line in doctor.c. It measures through the public API and adds diagnostics, good or bad.
 *
 * Judgements of numbers are separate files (judge.h), so that tests can produce every message from
 * synthetic numbers. A failed check ends the use of the device. Checks without device use (host.c,
 * shortest.c) come last and always run.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "cli/options/options.h"
#include "cli/terminal/progress.h"

/* State of the checks that run kernels; see kernel.h. */
typedef struct doctor_kernels {
    bool missing;                     /* the device runs no kernel, so these checks do nothing */
    uint32_t results;                 /* submissions whose result was checked */
    uint32_t wrong, first_wrong;      /* wrong results: count, and number of the first (from 1) */
    double dispatch_ns, iteration_ns; /* wall time per dispatch, and per loop iteration */
} doctor_kernels;

/* A device under examination. A value that a check sets for later checks is NaN before. */
typedef struct doctor {
    const cli_options *options;
    kt_report *report;
    kt_device *device;
    const kt_device_info *info;
    const kt_timer_limits *limits; /* NULL until the first check has measured them */
    uint32_t clock; /* index of the device clock behind its timestamps, found by the first check */
    /* Options of all measurements: has the user's timeout and stops on Ctrl-C; each check sets the
     * rest. */
    kt_measure_options measure;
    kt_host_state host_before;   /* host before the first check; load: before the first device */
    uint32_t examined;           /* number of devices so far, including this one */
    progress_part *progress;     /* progress bar of the running check */
    bool failed;                 /* a check could not measure something */
    const char *reason;          /* error text of the doctor itself; NULL: see kt_error_text() */
    const char *timestamp_fault; /* first check that found unreliable device times, or NULL */
    const char *other_fault;     /* first check that found any other fault, or NULL */
    bool busy;                   /* other processes load the machine */
    bool (*interrupted)(void);   /* whether the user interrupted: no further check starts */
    uint32_t found;              /* number of diagnostics of this device so far */

    double empty_jitter_ns; /* half the 95 % interval of an empty step's median span */
    double wall_jitter_ns;  /* the same for the median wall time of an empty submission */
    doctor_kernels kernels;
} doctor;

/* A check. It returns KT_OK even if it found faults. Other statuses: the device cannot be used
 * further; the error text says why. */
typedef struct doctor_check {
    const char *name;
    kt_status (*run)(doctor *d);
    double estimate_ns; /* estimated duration, for the progress bar */
} doctor_check;

/* A check's status when the host is out of memory: the library's error text would be an older
 * one. */
kt_status doctor_no_memory(doctor *d);

/* State of the idle device: throttling, clocks, limits, other processes, permissions. */
kt_status doctor_check_state(doctor *d);
/* Timestamps: resolution, shortest span, overhead, order, states. */
kt_status doctor_check_timestamps(doctor *d);
kt_status doctor_check_clocks(doctor *d); /* clock: width, domain, drift, resets, load */
kt_status doctor_check_loops(doctor *d);  /* whether the driver cuts long loops */
/* Cost of a first run, and whether it lies within the timestamps. */
kt_status doctor_check_first_use(doctor *d);
kt_status doctor_check_agreement(doctor *d); /* device and wall time of increasingly long work */
/* Whether equal work takes as long after a while. */
kt_status doctor_check_steady(doctor *d);
kt_status doctor_check_results(doctor *d);  /* wrong results of the checks above */
kt_status doctor_check_host(doctor *d);     /* other load on the host */
kt_status doctor_check_shortest(doctor *d); /* the shortest rankable kernel; the last check */

/* Opens a device, runs all checks and closes it. Returns an exit code. */
int doctor_examine(doctor *d, kt_context *context, const kt_device_info *info,
                   cli_progress *progress);
/* Estimated duration of all checks of a device. */
double doctor_estimate_ns(const kt_device_info *info);

/* ---- building diagnostics ---- */

#define DOCTOR_TEXT_BYTES 512
#define DOCTOR_VALUES_MAX 12

typedef struct doctor_diagnostic {
    const char *check;
    kt_severity severity;
    char seen[DOCTOR_TEXT_BYTES], means[DOCTOR_TEXT_BYTES],
        advice[DOCTOR_TEXT_BYTES]; /* empty: no advice */
    kt_diagnostic_value values[DOCTOR_VALUES_MAX];
    uint32_t value_count;
} doctor_diagnostic;

doctor_diagnostic doctor_begin(const char *check, kt_severity severity);
__attribute__((format(printf, 2, 3))) void doctor_seen(doctor_diagnostic *f, const char *format,
                                                       ...);
__attribute__((format(printf, 2, 3))) void doctor_means(doctor_diagnostic *f, const char *format,
                                                        ...);
__attribute__((format(printf, 2, 3))) void doctor_advise(doctor_diagnostic *f, const char *format,
                                                         ...);
/* Adds a value; `name` includes the unit and must outlive the diagnostic. */
void doctor_value(doctor_diagnostic *f, const char *name, double value);
/* Adds the diagnostic to the report. */
kt_status doctor_add(doctor *d, const doctor_diagnostic *f);

#endif
