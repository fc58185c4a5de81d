/* SPDX-License-Identifier: MIT */
/* spin.h - the kernel that knows how long it ran: it spins for a while and writes down its own
 * begin and end by %globaltimer. */
#ifndef BENCH_HW_SPIN_H
#define BENCH_HW_SPIN_H

#include <kerntime/kerntime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPIN_ENTRY "hw_spin"
const char *spin_text(void); /* in PTX */

/* a warp on each compute unit: few stores at the end, and all units take part */
#define SPIN_GROUP_SIZE 32
#define SPIN_KEPT       256 /* runs */

/* Begin and end of one thread. */
typedef struct spin_timestamp {
    uint64_t begin_ns, end_ns;
} spin_timestamp;

/* What the timestamps of all runs say. Zeroed to begin with. */
typedef struct spin_log {
    double truths_ns[SPIN_KEPT]; /* of the newest runs, that of run number i at i % SPIN_KEPT */
    uint64_t runs;
    uint64_t step_ns; /* greatest common divisor of all distances between timestamps */
} spin_log;

/* From the first begin to the last end; NaN if a thread did not run or ended too early. Adds it to
 * the log. */
double spin_log_add(spin_log *log, const spin_timestamp *timestamps, size_t threads,
                    uint64_t duration_ns);
/* The run of so many runs before the newest, which is 0. Less than SPIN_KEPT. */
double spin_log_back(const spin_log *log, uint64_t runs_back);

/* On a device of kerntime. Zeroed to begin with. */
typedef struct spin {
    kt_device *device;
    kt_program *program;
    kt_memory *memory;
    kt_memory *heap, *beside; /* what the copy is of */
    kt_job *job;              /* of one run of `duration_ns` */
    uint32_t groups;
    size_t threads;
    spin_timestamp *timestamps, *zeros;
    uint64_t duration_ns;
    spin_log *log;
} spin;

/* Builds it; `log` is what is filled. Errors as those of kt_program_create(). */
kt_status spin_open(spin *s, kt_device *device, spin_log *log);
void spin_close(spin *s);
/* Makes the job anew, for kernels of this length. `beside_copy`: a copy from the heap follows the
 * kernel, with which kerntime does not block the stream while it queues, since such a copy may wait
 * for the host (src/backends/cuda_hip/blocking_kernel.c). */
kt_status spin_set(spin *s, uint64_t duration_ns, bool beside_copy);

#endif
