/* SPDX-License-Identifier: MIT */
/* streams.h - the queues of a timer context that timers may be started in. */
#ifndef KT_TIMER_STREAMS_H
#define KT_TIMER_STREAMS_H

#include "timer/slots.h"

#include <stdatomic.h>

#define KT_STREAMS_MAX 64

/* A queue of the program. Spans end in the order in which they were stopped. */
typedef struct kt_stream {
    /* queue of the program; an address of no queue once the stream is removed */
    _Atomic(void *) handle;
    bool in_order;
    kt_slot_queue stopped;
} kt_stream;

/* NULL: the queue was not imported. Takes no lock. */
kt_stream *kt_stream_find(kt_timer_context *context, const void *handle);

/* Imports a timer context and its first stream. `desc` is the import structure of
 * <kerntime/timer/NAME.h>, with all its fields. */
kt_status kt_timer_context_import_stream(const kt_backend *backend, kt_backend_id id,
                                         const void *desc, uint32_t spans_max, void *handle,
                                         kt_timer_context **out);
/* Adds a stream to a context of that backend. KT_UNAVAILABLE: `context` is NULL. */
kt_status kt_timer_context_add_stream(const kt_backend *backend, kt_timer_context *context,
                                      void *handle);
/* Removes a stream that has no awaited spans. KT_UNAVAILABLE: `context` is NULL. */
kt_status kt_timer_context_remove_stream(const kt_backend *backend, kt_timer_context *context,
                                         const void *handle);

#endif
