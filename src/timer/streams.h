/* streams.h - the queues of a program's own device that timers may be started in. */
#ifndef KT_TIMER_STREAMS_H
#define KT_TIMER_STREAMS_H

#include "timer/slots.h"

#include <stdatomic.h>

#define KT_STREAMS_MAX 64

/* A queue of the program. What was stopped there ends in that order. */
typedef struct kt_stream {
    _Atomic(void *) handle; /* the address of none: it was removed */
    bool in_order;
    kt_slot_queue stopped;
} kt_stream;

/* NULL: it was not imported. Takes no lock. */
kt_stream *kt_stream_find(kt_native *native, const void *handle);

/* A native and its first stream. `desc` is that of native/NAME.h, with all that the backend is told. */
kt_status kt_native_import_stream(const kt_backend *backend, kt_backend_id id, const void *desc,
                                  uint32_t spans_max, void *handle, kt_native **out);
/* One more, for a native of that backend. KT_UNAVAILABLE: native is NULL. */
kt_status kt_native_add_stream(const kt_backend *backend, kt_native *native, void *handle);
/* Takes one back, of which no span is awaited. KT_UNAVAILABLE: native is NULL. */
kt_status kt_native_remove_stream(const kt_backend *backend, kt_native *native, const void *handle);

#endif
