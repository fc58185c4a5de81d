/*
 * submission.h - one submission of a job, timed by the host's clock: the heart of every
 * measurement.
 *
 * Between its two readings of the host's clock the core allocates, locks and logs nothing. Each
 * submission is waited for, so the next one finds the queue empty.
 */
#ifndef KT_DEVICE_SUBMISSION_H
#define KT_DEVICE_SUBMISSION_H

#include "device/device.h"

typedef struct kt_submission {
    int64_t host_before_ns, host_after_ns;
    bool traced;               /* it got as far as being submitted, and is to be traced; then ... */
    int64_t host_submitted_ns; /* ... this is when that had returned, ... */
    bool submitted;            /* ... and whether it went well */
} kt_submission;

static inline double kt_submission_wall_ns(const kt_submission *submission)
{
    return (double)(submission->host_after_ns - submission->host_before_ns);
}

/*
 * Runs a backend's job once and waits for it. `stamps` (one per step) are read if stamped, else
 * NULL. `traced`: the host's clock is read once more, between submitting and waiting. What the
 * device did before is over, since every submission is waited for. On KT_TIMEOUT the device counts
 * as hung.
 */
kt_status kt_submit_and_wait(kt_device *device, void *job_state, uint32_t trials,
                             int64_t timeout_ns, kt_stamp *stamps, bool traced, kt_submission *out);

/* A backend's job of one empty step, the least that can be stamped; `as_copy` as in kt_backend_job.
 * `*job_state` is NULL before; it is let go by kt_empty_job_fini() in any case. */
kt_status kt_empty_job_init(kt_device *device, bool as_copy, void **job_state);
void kt_empty_job_fini(kt_device *device, void **job_state);

/* Flushes the caches of the device that a backend's job runs on; only where the backend can. On
 * KT_TIMEOUT the device counts as hung. */
kt_status kt_flush_caches(kt_device *device, void *job_state, int64_t timeout_ns);

#endif
