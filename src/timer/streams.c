/* SPDX-License-Identifier: MIT */
/* streams.c - the queues that the program imported. NULL means the CPU only on the CPU's timer
 * context. On others NULL is a queue like any other (CUDA's default stream), which must be
 * imported. OpenCL has no such queue and refuses it. */
#include "timer/streams.h"

#include "support/options.h"
#include "timer/timer.h"

static char no_stream; /* its address stands for a removed queue */

kt_stream *kt_stream_find(kt_timer_context *context, const void *handle)
{
    uint32_t count = context->stream_count;
    for (uint32_t i = 0; i < count; i++)
        if (context->streams[i].handle == handle)
            return &context->streams[i];
    return NULL;
}

static kt_status add_stream(kt_timer_context *context, void *handle)
{
    if (kt_stream_find(context, handle))
        return KT_OK;
    uint32_t count = context->stream_count;
    kt_stream *stream = kt_stream_find(context, &no_stream);
    if (!stream && count == KT_STREAMS_MAX)
        return kt_fail(KT_LIMIT, "%d queues were imported already, as many as may be",
                       KT_STREAMS_MAX);
    bool is_new = !stream;
    if (is_new)
        stream = &context->streams[count];
    kt_status status = context->calls->stream_init(context->state, handle, &stream->in_order);
    if (status != KT_OK)
        return status;
    stream->handle = handle;
    if (is_new)
        context->stream_count = count + 1; /* set last: kt_stream_find() takes no lock */
    return KT_OK;
}

/* Whether a span of the queue was not collected yet. context->collecting and ->mutex are held. */
static bool is_in_use(const kt_timer_context *context, const kt_stream *stream)
{
    bool in_use = stream->stopped.first != NULL;
    for (const kt_timer *timer = context->timers; timer; timer = timer->next)
        in_use |= timer->running && timer->stream == stream->handle;
    return in_use;
}

kt_status kt_timer_context_remove_stream(const kt_backend *backend, kt_timer_context *context,
                                         const void *handle)
{
    if (!context)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check_api(context, backend);
    if (status == KT_OK)
        status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    kt_stream *stream = kt_stream_find(context, handle);
    if (!stream)
        return kt_fail(KT_INVALID, "this queue was not imported");
    kt_mutex_lock(context->collecting); /* a running collection has taken the spans out */
    kt_mutex_lock(context->mutex);
    bool in_use = is_in_use(context, stream);
    if (!in_use)
        stream->handle = &no_stream;
    kt_mutex_unlock(context->mutex);
    kt_mutex_unlock(context->collecting);
    return in_use ? kt_fail(KT_INVALID, "spans of this queue were not taken in yet: stop them, and "
                                        "call kt_timer_context_wait()")
                  : KT_OK;
}

kt_status kt_timer_context_import_stream(const kt_backend *backend, kt_backend_id id,
                                         const void *desc, uint32_t spans_max, void *handle,
                                         kt_timer_context **out)
{
    KT_NEED(out);
    kt_timer_context *context = NULL;
    kt_status status = kt_timer_context_import(backend, id, desc, spans_max, &context);
    if (status == KT_OK)
        status = add_stream(context, handle);
    if (status == KT_OK)
        *out = context;
    else
        kt_timer_context_close(&context);
    return status;
}

kt_status kt_timer_context_add_stream(const kt_backend *backend, kt_timer_context *context,
                                      void *handle)
{
    if (!context)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check_api(context, backend);
    return status == KT_OK ? add_stream(context, handle) : status;
}
