/* SPDX-License-Identifier: MIT */
/* timer_limits.h - measures the timer limits of a device, and applies them to jobs. */
#ifndef KT_MEASURE_TIMER_LIMITS_H
#define KT_MEASURE_TIMER_LIMITS_H

#include <kerntime/device.h>
#include <kerntime/job.h>
#include <stdint.h>

/* Measures the timer limits of the device unless it has them. */
kt_status kt_timer_limits_ensure(kt_device *device, int64_t timeout_ns);

/* For a device with timer limits: the reason why this job's timestamps are untrusted, or NULL.
 * Known since the first timestamped submission, which shows the job's clock. */
const char *kt_job_untrusted_reason(const kt_job *job);
/* Shortest measurable span and resolution of a clock, in ns. */
double kt_clock_min_span_ns(const kt_device *device, uint32_t clock);
double kt_clock_resolution_ns(const kt_device *device, uint32_t clock);

#endif
