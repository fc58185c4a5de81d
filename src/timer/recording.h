/* SPDX-License-Identifier: MIT */
/* recording.h - spans among commands that the program records once and submits often. */
#ifndef KT_TIMER_RECORDING_H
#define KT_TIMER_RECORDING_H

#include "timer/timer.h"

/* A span of a recording. */
typedef struct kt_recorded {
    kt_timer *timer;
    struct kt_recorded *older_open; /* the next older open span, while this one is open */
    bool failed;                    /* a timestamp could not be recorded: each run is an error */
    bool awaited;                   /* submitted, not collected yet */
    bool seen;                      /* an earlier run left timestamps in the queries of this span */
    uint64_t start_ticks, end_ticks; /* latest timestamps, valid if `seen` */
} kt_recorded;

struct kt_recording {
    kt_timer_context *context;
    kt_recording *next; /* next recording of the context */
    void *state;        /* the backend's private state */
    kt_mutex *mutex;
    enum { KT_RECORDING_EMPTY = 0, KT_RECORDING_BEGUN, KT_RECORDING_SUBMITTED } phase;
    bool has_run; /* the recording was submitted, so the device may have written its queries */
    uint32_t spans_max, span_count, awaited_count;
    kt_recorded *open;        /* the newest span that was not stopped */
    kt_recorded *spans;       /* timestamps that queries have shown are kept beyond resets */
    kt_timestamp *timestamps; /* buffer for reading the timestamps of all spans */
    int64_t submitted_ns;     /* time of the last submission on the host clock */
    const void *submitter;    /* identifies the thread that submitted */
};

/* Begins a recording of that backend in commands that the program began with the flags `usage`. */
kt_status kt_recording_begin(kt_recording *recording, const kt_backend *backend, void *commands,
                             uint32_t usage);
/* Starts a span, and returns an API object that times one command, or NULL on failure. */
void *kt_recording_hand_out(kt_recording *recording, const kt_backend *backend, kt_timer *timer);

#endif
