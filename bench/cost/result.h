/* SPDX-License-Identifier: MIT */
/*
 * result.h - what kerntime costs beside what is done by hand, as a result file: what `kerntime
 * compare` takes.
 *
 * A sample is the ratio of kerntime's time to the time of the same thing by hand in the same round,
 * since other programs on a machine change both alike.
 */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <kerntime/device.h>
#include <stddef.h>

/* Parts add series from now on, and take fewer rounds: of a comparison it is several runs that
 * tell, not long ones. 0, or 1 after a sentence on standard error. */
int result_begin(void);

/* `all`, or the part of it that a result file takes. */
int result_rounds(int all);

#define RESULT_SCALE_NS 1000

/*
 * Adds what kerntime takes where by hand it takes RESULT_SCALE_NS: a sample for each round, of its
 * two times. On a machine that others use a time differs by tens of percent from one process to the
 * next, and both alike. Nothing is added unless there is a result file. `device`: that it ran on;
 * NULL: the host alone, which is cpu:0. 0, or 1 after a sentence.
 */
int result_series(const char *name, const kt_device_info *device, const double *kerntime_ns,
                  const double *by_hand_ns, size_t rounds);

/* 0, or 1 after a sentence. */
int result_end(const char *path);

#endif
