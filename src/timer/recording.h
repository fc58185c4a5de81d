/* recording.h - spans among commands that the program records once and submits often. */
#ifndef KT_TIMER_RECORDING_H
#define KT_TIMER_RECORDING_H

#include "timer/timer.h"

/* A span of a recording. */
typedef struct kt_recorded {
    kt_timer *timer;
    struct kt_recorded *older_open;  /* as long as it was not stopped */
    bool failed;                     /* a stamp of it could not be put in: each run is an error */
    bool awaited;                    /* submitted, not taken in yet */
    bool seen;                       /* its queries have shown ... */
    uint64_t start_ticks, end_ticks; /* ... these in an earlier run */
} kt_recorded;

struct kt_recording {
    kt_native *native;
    kt_recording *next; /* of the native */
    void *state;        /* the backend's */
    kt_mutex *mutex;
    enum { KT_RECORDING_EMPTY = 0, KT_RECORDING_BEGUN, KT_RECORDING_SUBMITTED } phase;
    bool has_run; /* its queries may have been reset by the device, and stamped */
    uint32_t spans_max, span_count, awaited_count;
    kt_recorded *open;     /* the newest span that was not stopped */
    kt_recorded *spans;    /* what queries have shown is kept beyond resets */
    kt_stamp *stamps;      /* room for reading */
    int64_t submitted_ns;  /* host clock */
    const void *submitter; /* which thread did it */
};

/* Begins a recording of that backend in commands that the program began with the flags `usage`. */
kt_status kt_recording_begin(kt_recording *recording, const kt_backend *backend, void *commands,
                             uint32_t usage);
/* Starts a span by an object of the API that is handed out for one of the commands; NULL: none. */
void *kt_recording_hand_out(kt_recording *recording, const kt_backend *backend, kt_timer *timer);

#endif
