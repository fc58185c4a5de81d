/* SPDX-License-Identifier: MIT */
/* rig.h - a device with a small job on it, for tests of the core through its public functions. */
#ifndef RIG_H
#define RIG_H

#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>

#define RIG_ITEMS 64

typedef struct rig {
    kt_context *context;
    kt_device *device;
    kt_program *program;
    kt_memory *input, *output;
    kt_job *job;
    char id[256];        /* of the device */
    kt_result **results; /* all that were measured; they live until the rig is closed */
    uint32_t result_count;
    kt_clock *clock;                    /* by rig_clock(); closed with the rig */
    uint32_t reset_count, verify_count; /* calls of the job's callbacks so far */
    uint32_t trials_max; /* of the job that is made; set between opening and making */
} rig;

/* Opens a device; `options` may be NULL. */
void rig_open_with(rig *r, const char *device, const kt_context_options *options);
void rig_open(rig *r, const char *device);
/* A job of `step_count` (1..3) steps "first", "second", "third", each of which makes output[i] of
 * input[i]; named "unit/64", workload "unit", parameter size = 64. */
void rig_make_job(rig *r, uint32_t step_count);
/* The same in one go. */
void rig_set_up(rig *r, const char *device, uint32_t step_count);
/* Destroys the job, its program and its memories. */
void rig_clear(rig *r);
void rig_close(rig *r);

/*
 * The rig of a test, opened anew after the one before is closed. `step_count` 0: without a job.
 * rig_sim() has the simulated device of a scenario. rig_end() closes the last one; it tears down a
 * group of tests.
 */
rig *rig_make(const char *device, uint32_t step_count);
rig *rig_make_with(const char *device, const kt_context_options *options, uint32_t step_count);
rig *rig_sim(uint32_t step_count, const char *scenario, ...) __attribute__((format(printf, 2, 3)));
int rig_end(void **state);

/*
 * A host clock that moves only when it is read, by `read_ns`, and when a group of the rig's kernel
 * is run (4 a dispatch), by `group_ns`: on the cpu device all times are then known before. One at
 * a time.
 */
kt_context_options rig_fake_clock(int64_t read_ns, int64_t group_ns);
/* On that clock, until it is made anew: what verifying an output takes. */
void rig_fake_verify(int64_t verify_ns);

/* Measures the job, which ends with that status. The result is the rig's; it may be NULL. */
kt_result *rig_try(rig *r, const kt_measure_options *options, kt_status expected);
/* `count` samples, no more and no less, after one round of warm-up: all the time that it is
 * given. */
kt_result *rig_measure(rig *r, uint32_t count, kt_timing timing, uint32_t trials);
/* Opens a clock of the device, after the one before is closed. */
kt_clock *rig_clock(rig *r, uint32_t index, const kt_clock_options *options);
/* Hands the newest result over to a report. */
void rig_report(rig *r, kt_report *report);
/* The series of that step; a failure if there is none. */
const kt_series *rig_series(const kt_result *result, const char *step);
/* All `count` samples are this one number, and so is all that is made of them. */
void rig_expect_all(const kt_series *series, size_t count, double ns);
/* Discarded samples in all states together. */
uint32_t rig_discarded(const kt_series *series);
/* Submissions of the user's job that were completed and verified. */
uint32_t rig_submissions(const kt_result *result);

#endif
