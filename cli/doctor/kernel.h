/* SPDX-License-Identifier: MIT */
/* kernel.h - runs the loop kernel on a device under examination, for the checks that need
 * kernels. */
#ifndef CLI_DOCTOR_KERNEL_H
#define CLI_DOCTOR_KERNEL_H

#include "cli/doctor/doctor.h"
#include "workloads/loop/loop.h"

/* Maximum of loop iterations outside the loops check, since some drivers cut longer loops. */
#define KERNEL_ITERATIONS_MAX 50000
#define KERNEL_TRIALS_MAX     4096 /* dispatches per sample */

/* The kernel with its number of iterations, and its results so far. Zero it before kernel_open(),
 * and do not move it until kernel_close(). */
typedef struct doctor_kernel {
    workload_run run; /* first member: its callbacks receive it */
    workload workload;
    void *problem;
    doctor *doctor;
    uint32_t results, right;
    uint32_t cut;                /* runs whose loop ended early, after too few iterations */
    uint32_t done_min, done_max; /* fewest and most iterations of the runs cut short */
} doctor_kernel;

/* `which`: workload_loop, or a copy with another mark. Call kernel_close() in any case. */
kt_status kernel_open(doctor *d, const workload *which, uint32_t iterations, doctor_kernel *kernel);
/* As kernel_open(), with `groups` groups per dispatch. */
kt_status kernel_open_wide(doctor *d, const workload *which, uint32_t iterations, uint32_t groups,
                           doctor_kernel *kernel);
void kernel_close(doctor_kernel *kernel);

/*
 * Measures the kernel and counts its results, right or wrong. Zero options take their defaults,
 * except the user's timeout. The progress bar moves from `from` to `to`.
 */
kt_status kernel_measure(doctor_kernel *kernel, kt_measure_options options, double from, double to,
                         kt_result **out);

/* All samples of the step `step`, in the order taken; NULL if it has no sample. */
const double *kernel_samples(const kt_result *result, const char *step, size_t *n);
/* The shortest sample of the step `step`; NaN if it has no sample. */
double kernel_shortest_ns(const kt_result *result, const char *step);

/* Loop iterations and dispatches (trials) that take a wanted duration. */
typedef struct kernel_length {
    uint32_t iterations, trials;
    double expected_ns; /* wall time of all trials */
} kernel_length;

kernel_length kernel_of_length(const doctor_kernels *kernels, double wanted_ns);

/* The longest duration to plan: even several times as long is not taken for a hung device. */
double kernel_longest_ns(const doctor *d);

/* Formats a count with separators, for example "65,535"; returns `text`. */
char *kernel_format_count(char text[32], uint32_t count);

#endif
