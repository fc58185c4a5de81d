/*
 * The queues that the program imported. NULL means the CPU only on the CPU's timer context: on
 * others it is a queue like any other (CUDA's default stream), which must be imported. OpenCL has
 * no such queue and refuses it.
 */
#include "timer/streams.h"

#include "timer/timer.h"

static char no_stream; /* whose address is no queue's */

kt_stream *kt_stream_find(kt_native *native, const void *handle)
{
    uint32_t count = native->stream_count;
    for (uint32_t i = 0; i < count; i++)
        if (native->streams[i].handle == handle)
            return &native->streams[i];
    return NULL;
}

static kt_status add_stream(kt_native *native, void *handle)
{
    if (kt_stream_find(native, handle))
        return KT_OK;
    uint32_t count = native->stream_count;
    kt_stream *stream = kt_stream_find(native, &no_stream);
    if (!stream && count == KT_STREAMS_MAX)
        return kt_fail(KT_LIMIT, "%d queues were imported already, as many as may be",
                       KT_STREAMS_MAX);
    bool is_new = !stream;
    if (is_new)
        stream = &native->streams[count];
    kt_status status = native->calls->stream_init(native->state, handle, &stream->in_order);
    if (status != KT_OK)
        return status;
    stream->handle = handle;
    if (is_new)
        native->stream_count = count + 1; /* the one that makes it found */
    return KT_OK;
}

/* Whether a span of it was not taken in yet; both mutexes are held. */
static bool is_in_use(const kt_native *native, const kt_stream *stream)
{
    bool in_use = stream->stopped.first != NULL;
    for (const kt_timer *timer = native->timers; timer; timer = timer->next)
        in_use |= timer->running && timer->stream == stream->handle;
    return in_use;
}

kt_status kt_native_remove_stream(const kt_backend *backend, kt_native *native, const void *handle)
{
    if (!native)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check_api(native, backend);
    if (status == KT_OK)
        status = kt_native_check(native);
    if (status != KT_OK)
        return status;
    kt_stream *stream = kt_stream_find(native, handle);
    if (!stream)
        return kt_fail(KT_INVALID, "this queue was not imported");
    kt_mutex_lock(native->collecting); /* who is at it has the spans in hand */
    kt_mutex_lock(native->mutex);
    bool in_use = is_in_use(native, stream);
    if (!in_use)
        stream->handle = &no_stream;
    kt_mutex_unlock(native->mutex);
    kt_mutex_unlock(native->collecting);
    return in_use ? kt_fail(KT_INVALID, "spans of this queue were not taken in yet: stop them, and "
                                        "call kt_native_wait()")
                  : KT_OK;
}

kt_status kt_native_import_stream(const kt_backend *backend, kt_backend_id id, const void *desc,
                                  uint32_t spans_max, void *handle, kt_native **out)
{
    kt_native *native = NULL;
    kt_status status = kt_native_import(backend, id, desc, spans_max, &native);
    if (status == KT_OK)
        status = add_stream(native, handle);
    if (status == KT_OK)
        *out = native;
    else
        kt_native_close(&native);
    return status;
}

kt_status kt_native_add_stream(const kt_backend *backend, kt_native *native, void *handle)
{
    if (!native)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check_api(native, backend);
    return status == KT_OK ? add_stream(native, handle) : status;
}
