/* SPDX-License-Identifier: MIT */
/*
 * submission.h - one submission of a job, timed by the host clock.
 *
 * Between the two readings of the host clock the core does not allocate, lock or log. Every
 * submission is waited for, so the next one finds an empty queue.
 */
#ifndef KT_DEVICE_SUBMISSION_H
#define KT_DEVICE_SUBMISSION_H

#include "device/device.h"

typedef struct kt_submission {
    int64_t host_before_ns, host_after_ns;
    bool traced;               /* job_submit was called, for a trace */
    int64_t host_submitted_ns; /* host time when job_submit returned; only if traced */
    bool submitted;            /* job_submit returned KT_OK; only if traced */
} kt_submission;

static inline double kt_submission_wall_ns(const kt_submission *submission)
{
    return (double)(submission->host_after_ns - submission->host_before_ns);
}

/*
 * Runs a backend's job once and waits for it. `timestamps`: one per step, or NULL for a submission
 * without timestamps. `traced`: reads the host clock once more, between submitting and waiting. On
 * KT_TIMEOUT the device counts as hung.
 */
kt_status kt_submit_and_wait(kt_device *device, void *job_state, uint32_t trials,
                             int64_t timeout_ns, kt_timestamp *timestamps, bool traced,
                             kt_submission *out);

/* Creates a backend's job of one empty step, the least that can be timestamped; `clock` as in
 * kt_backend_job. `*job_state` is NULL before. Call kt_empty_job_fini() in any case. */
kt_status kt_empty_job_init(kt_device *device, uint32_t clock, void **job_state);
void kt_empty_job_fini(kt_device *device, void **job_state);

/* Flushes the caches of the job's device; only if the backend can. On KT_TIMEOUT the device counts
 * as hung. */
kt_status kt_flush_caches(kt_device *device, void *job_state, int64_t timeout_ns);

#endif
