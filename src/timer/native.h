/* native.h - a device of the program's own. */
#ifndef KT_TIMER_NATIVE_H
#define KT_TIMER_NATIVE_H

#include "support/thread.h"
#include "timer/streams.h"

struct kt_native {
    const kt_backend *backend;       /* NULL: the CPU */
    const kt_instrumentation *calls; /* of the backend */
    kt_backend_id id;
    void *state; /* the backend's */
    /* those that have a name; of those that are followed, guarded by the mutex */
    kt_clock_info clocks[KT_CLOCKS_MAX];
    bool wraps;                        /* one of them does, or may, while the native lives */
    bool follows;                      /* one of them is followed: */
    kt_clock *followed[KT_CLOCKS_MAX]; /* by who has this mutex: */
    kt_mutex *calibrating;
    int64_t opened_ns;
    uint64_t spans_max;
    atomic_bool closed;
    kt_mutex *collecting; /* by one thread at a time; guards the list of recordings, too */
    kt_mutex *mutex;      /* guards what follows, and what timers say of their spans */
    uint32_t references;  /* of the program, and of each timer and recording */
    kt_slot *free_slots;
    char *fresh_slots; /* of the newest chunk, never used yet */
    size_t fresh_count, slot_count, slot_bytes;
    void **chunks;
    uint32_t chunk_count;
    kt_stream streams[KT_STREAMS_MAX];
    atomic_uint stream_count; /* never shrinks, so that streams are found without a lock */
    kt_slot_queue filled;     /* of commands that were not submitted yet */
    kt_slot_queue handed_out; /* they end in any order, but passes in that of their commands */
    kt_timer *timers;
    kt_recording *recordings;
    uint64_t awaited; /* spans of all timers */
    kt_native_counts counts;
    /* of what is followed: kt_first_readings_step(), 0: not known, ... */
    uint64_t clock_steps[KT_CLOCKS_MAX];
    kt_clock_state clock_states[KT_CLOCKS_MAX]; /* ... and what is known of it */
};

/* KT_INVALID with a sentence if it was closed. */
kt_status kt_native_check(const kt_native *native);
/* KT_OK, or KT_INVALID with a sentence if it is none of that backend. */
kt_status kt_native_check_api(const kt_native *native, const kt_backend *backend);
/* Gives up a reference, and frees it with the last one. */
void kt_native_release(kt_native *native);

/* `desc` is that of native/NAME.h, with all that the backend is told. */
kt_status kt_native_import(const kt_backend *backend, kt_backend_id id, const void *desc,
                           uint32_t spans_max, kt_native **out);
/* One without streams, clocks and backend. */
kt_status kt_native_create(kt_backend_id id, uint32_t spans_max, kt_native **out);

/* A moment of the host's clock before all that is put into a queue from now on. What cannot wrap
 * while the native lives needs no closer bound than its beginning. */
int64_t kt_native_begin_ns(const kt_native *native);

#endif
