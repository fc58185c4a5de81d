/* kernel.h - the loop kernel on a device under examination, for the checks that run kernels. */
#ifndef CLI_DOCTOR_KERNEL_H
#define CLI_DOCTOR_KERNEL_H

#include "cli/doctor/doctor.h"
#include "workloads/loop/loop.h"

/* Loops of more are cut by some drivers: whoever is not after that stays below. */
#define KERNEL_ITERATIONS_MAX 50000
#define KERNEL_TRIALS_MAX     4096 /* dispatches between two stamps */

/* The kernel with its number of iterations, and what became of its results so far. Zero it before
 * kernel_open(), and do not move it until it is closed. */
typedef struct doctor_kernel {
    workload_run run; /* the first member: its callbacks are given it */
    workload workload;
    void *problem;
    doctor *doctor;
    uint32_t results, right;
    uint32_t cut;                /* results of fewer iterations, ... */
    uint32_t done_min, done_max; /* ... which were so many, if any */
} doctor_kernel;

/* `which` is workload_loop, or that under another mark. kernel_close() follows in any case. */
kt_status kernel_open(doctor *d, const workload *which, uint32_t iterations, doctor_kernel *kernel);
/* The same by so many groups at once. */
kt_status kernel_open_wide(doctor *d, const workload *which, uint32_t iterations, uint32_t groups,
                           doctor_kernel *kernel);
void kernel_close(doctor_kernel *kernel);

/*
 * Measures it, whatever its results are: they are counted. Options left 0 are the defaults, but the
 * user's timeout. The bar of the check goes from `from` to `to`.
 */
kt_status kernel_measure(doctor_kernel *kernel, kt_measure_options options, double from, double to,
                         kt_result **out);

/* All samples of that step, in the order taken; NULL: there is none, or no such row. */
const double *kernel_samples(const kt_result *result, const char *step, size_t *n);
/* The shortest of them; NaN: none. */
double kernel_shortest_ns(const kt_result *result, const char *step);

/* How to make kernels that take as long as is wanted, by what the loops check has found. */
typedef struct kernel_length {
    uint32_t iterations, trials;
    double expected_ns; /* of all trials; wall time */
} kernel_length;

kernel_length kernel_of_length(const doctor_kernels *kernels, double wanted_ns);

/* What may be planned to take so long: were it several times as long, it would still not be taken
 * for a device that hangs. */
double kernel_longest_ns(const doctor *d);

/* "65,535"; returns `text`. */
char *kernel_format_count(char text[32], uint32_t count);

#endif
