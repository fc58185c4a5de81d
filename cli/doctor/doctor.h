/*
 * doctor.h - measuring the rulers of a device. Each check is a file of this folder and a line in
 * doctor.c: it measures something through the public API, and adds what it found, whether good or
 * bad.
 *
 * Judgements of numbers are in files of their own (judge.h), so that tests get each sentence from
 * made-up numbers. A check that fails ends what the device is asked. Checks that ask the device
 * nothing (host.c, shortest.c) come last and always run.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "cli/options/options.h"
#include "cli/terminal/progress.h"

/* Of the checks that run kernels; see kernel.h. */
typedef struct doctor_kernels {
    bool missing;     /* there is none for this device: they have nothing to do */
    uint32_t results; /* that were looked at, ... */
    uint32_t wrong,
        first_wrong; /* ... how many of them were wrong, and which was the first, from 1 on */
    double dispatch_ns,
        iteration_ns; /* wall time of a dispatch, and what an iteration adds to it */
} doctor_kernels;

/* A device under examination. What a check leaves for those after it is NaN until then. */
typedef struct doctor {
    const cli_options *options;
    kt_report *report;
    kt_device *device;
    const kt_device_info *info;
    const kt_ruler *ruler; /* NULL until the first check has made it */
    uint32_t clock;        /* of the device's, that its stamps are of: the first check finds that */
    /* with the user's timeout, and ended by Ctrl-C; each check sets the rest */
    kt_measure_options measure;
    kt_host_state
        host_before;         /* before the first check; the load average before the first device */
    uint32_t examined;       /* devices, this one among them */
    progress_part *progress; /* of the check that is running */
    bool failed;             /* something could not be measured */
    const char *why;         /* what failed was no call of the library's; NULL: the error text */
    const char *stamp_fault; /* the first check that found its times not to be relied on, ... */
    const char *other_fault; /* ... or anything else wrong; NULL: none */
    bool busy;               /* others use the machine */
    bool (*interrupted)(void); /* by the user: then no further check is begun */
    uint32_t found;            /* findings about this device so far */

    double empty_jitter_ns; /* half the interval of the median span of an empty step */
    double wall_jitter_ns;  /* half the interval of the median wall time of an empty submission */
    doctor_kernels kernels;
} doctor;

/* KT_OK also where it found faults. Anything else: the device cannot be gone on with; the reason is
 * the error text. */
typedef struct doctor_check {
    const char *name;
    kt_status (*run)(doctor *d);
    double estimate_ns; /* how long it takes, for the progress bar */
} doctor_check;

/* The answer of a check for which the host has no memory: the library's text would be of an older
 * failure. */
kt_status doctor_no_memory(doctor *d);

kt_status doctor_check_stamps(doctor *d); /* grid, floor, cost, order, states */
kt_status doctor_check_clocks(doctor *d); /* width, domain, relation, drift, resets, under load */
kt_status doctor_check_loops(doctor *d);  /* whether long loops are cut */
/* what it costs, and whether it lies inside the stamps */
kt_status doctor_check_first_use(doctor *d);
kt_status doctor_check_agreement(doctor *d); /* device and wall time of ever longer work */
/* whether the same work takes as long after a while of it */
kt_status doctor_check_steady(doctor *d);
kt_status doctor_check_results(doctor *d); /* of all kernels above */
kt_status doctor_check_host(doctor *d);    /* what else the host was doing */
kt_status doctor_check_shortest(
    doctor *d); /* the shortest kernel that can be ranked; the last one */

/* All checks on one device, which is opened and closed here. An exit code. */
int doctor_examine(doctor *d, kt_context *context, const kt_device_info *info,
                   cli_progress *progress);
/* Of how long that takes. */
double doctor_estimate_ns(const kt_device_info *info);

/* ---- a finding in the making ---- */

#define DOCTOR_TEXT_BYTES 512
#define DOCTOR_VALUES_MAX 12

typedef struct doctor_finding {
    const char *check;
    kt_severity severity;
    char seen[DOCTOR_TEXT_BYTES], means[DOCTOR_TEXT_BYTES],
        advice[DOCTOR_TEXT_BYTES]; /* empty: none */
    kt_finding_value values[DOCTOR_VALUES_MAX];
    uint32_t value_count;
} doctor_finding;

doctor_finding doctor_begin(const char *check, kt_severity severity);
__attribute__((format(printf, 2, 3))) void doctor_seen(doctor_finding *f, const char *format, ...);
__attribute__((format(printf, 2, 3))) void doctor_means(doctor_finding *f, const char *format, ...);
__attribute__((format(printf, 2, 3))) void doctor_advise(doctor_finding *f, const char *format,
                                                         ...);
/* `name` with its unit, and to live as long as the finding. */
void doctor_value(doctor_finding *f, const char *name, double value);
/* Hands it to the report. */
kt_status doctor_add(doctor *d, const doctor_finding *f);

#endif
