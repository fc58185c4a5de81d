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
/* Shortest measurable span, in ns, of the clock that times the job. */
double kt_job_min_span_ns(const kt_job *job);

#endif
