/* SPDX-License-Identifier: MIT */
/*
 * recording.c - recordings in regular command lists of the program. The event that the end of each
 * span signals shows that the span's timestamps are written.
 *
 * The list itself resets that event at the start of the span, for programs that submit the list
 * without kt_recording_submit(). Intel's driver (22.43) keeps an event that it saw signalled as
 * signalled until the host resets it, so kt_recording_submit() resets it as well.
 *
 * The host reads the timestamps of handed-out events. zeCommandListAppendQueryKernelTimestamps
 * would write them to memory, but is a kernel: no copy-only queue group takes it (Intel's driver
 * 22.43 ends the process there), and it writes zeros before its values.
 */
#include "backends/level_zero/timer_context.h"
#include "support/alloc.h"

#include <string.h>

kt_status kt_level_zero_recording_init(void *recording, void *context, uint32_t spans_max)
{
    level_zero_recording *r = recording;
    r->context = context;
    r->spans = kt_alloc(spans_max, sizeof *r->spans);
    r->spans_max = r->spans ? spans_max : 0;
    return r->spans ? KT_OK : KT_NO_MEMORY;
}

void kt_level_zero_recording_fini(void *recording)
{
    level_zero_recording *r = recording;
    for (uint32_t i = 0; i < r->spans_max; i++) {
        const level_zero_span *span = &r->spans[i];
        if (r->was_submitted && span->own &&
            !kt_level_zero_cell_is_done(&r->context->own, span->own))
            continue; /* the span's run was not seen to end, so its cells stay in use */
        if (span->own)
            kt_level_zero_cell_give(&r->context->own, span->own);
        if (span->handed)
            kt_level_zero_cell_give(&r->context->handed, span->handed);
    }
    kt_free(r->spans);
}

kt_status kt_level_zero_recording_begin(void *recording, void *commands, uint32_t usage)
{
    level_zero_recording *r = recording;
    (void)usage; /* only Vulkan uses `usage` */
    r->list = commands;
    for (uint32_t i = 0; i < r->spans_max; i++)
        r->spans[i].was_put = false;
    return kt_level_zero_check_list(r->context, commands, false);
}

/* Begins both kinds of span: clears timestamps and events of earlier recordings, now and in each
 * run. */
static kt_status prepare(level_zero_recording *r, level_zero_span *span)
{
    const ze_api *api = &r->context->api;
    kt_status status = KT_OK;
    span->was_put = false;
    if (span->own)
        status = ZE_DO(api, zeEventHostReset, span->own->event);
    else
        status = kt_level_zero_cell_take(&r->context->own, &span->own);
    if (status != KT_OK)
        return status;
    memset(span->own->timestamps, 0, LEVEL_ZERO_CELL_BYTES);
    span->own->timestamp_count = 0;
    span->own->signals = false;
    return ZE_DO(api, zeCommandListAppendEventReset, r->list, span->own->event);
}

static kt_status put_start(level_zero_recording *r, level_zero_span *span)
{
    const ze_api *api = &r->context->api;
    kt_status status = kt_level_zero_check_global(r->context);
    if (status == KT_OK)
        status = prepare(r, span);
    if (status == KT_OK)
        status = kt_level_zero_barrier(api, r->list, NULL);
    if (status == KT_OK)
        status = kt_level_zero_append_timestamp(r->context, r->list, span->own, 0);
    if (status == KT_OK)
        status = kt_level_zero_barrier(api, r->list, NULL);
    span->is_command = false;
    span->was_put = status == KT_OK;
    return status;
}

static kt_status put_end(const level_zero_recording *r, const level_zero_span *span)
{
    const ze_api *api = &r->context->api;
    kt_status status = kt_level_zero_barrier(api, r->list, NULL);
    if (status == KT_OK && !span->is_command)
        status = kt_level_zero_append_timestamp(r->context, r->list, span->own, 1);
    return status == KT_OK ? kt_level_zero_append_signal(r->context, r->list, span->own) : status;
}

kt_status kt_level_zero_recording_timestamp(void *recording, uint32_t span, bool end)
{
    level_zero_recording *r = recording;
    level_zero_span *s = &r->spans[span];
    if (!end)
        return put_start(r, s);
    return s->was_put ? put_end(r, s) : KT_OK;
}

kt_status kt_level_zero_recording_hand_out(void *recording, uint32_t span, void **object)
{
    level_zero_recording *r = recording;
    level_zero_span *s = &r->spans[span];
    kt_status status = kt_level_zero_check_kernel(r->context);
    if (status == KT_OK)
        status = prepare(r, s);
    if (status == KT_OK && !s->handed)
        status = kt_level_zero_cell_take(&r->context->handed, &s->handed);
    if (status == KT_OK)
        status = ZE_DO(&r->context->api, zeCommandListAppendEventReset, r->list, s->handed->event);
    if (status == KT_OK)
        status = kt_level_zero_barrier(&r->context->api, r->list, NULL);
    s->is_command = true;
    s->was_put = status == KT_OK;
    if (status == KT_OK)
        *object = s->handed->event;
    return status;
}

/* Clears the previous run's timestamps and events. The list resets its events as well, for programs
 * that submit it without this call. */
kt_status kt_level_zero_recording_submit(void *recording)
{
    level_zero_recording *r = recording;
    const ze_api *api = &r->context->api;
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < r->spans_max && status == KT_OK; i++) {
        const level_zero_span *span = &r->spans[i];
        if (!span->was_put)
            continue;
        memset(span->own->timestamps, 0, LEVEL_ZERO_CELL_BYTES);
        status = ZE_DO(api, zeEventHostReset, span->own->event);
        if (status == KT_OK && span->is_command)
            status = ZE_DO(api, zeEventHostReset, span->handed->event);
    }
    r->was_submitted = status == KT_OK;
    return status;
}

void kt_level_zero_recording_reset(void *recording)
{
    level_zero_recording *r = recording;
    r->was_submitted = false;
}

kt_status kt_level_zero_recording_read(void *recording, uint32_t count, bool beside,
                                       kt_timestamp *timestamps)
{
    const level_zero_recording *r = recording;
    (void)beside;
    for (uint32_t i = 0; i < count; i++) {
        const level_zero_span *span = &r->spans[i];
        timestamps[i] = (kt_timestamp){.state = KT_TIMESTAMP_NOT_READY};
        kt_status status =
            span->was_put ? kt_level_zero_ask(r->context, span->own->event) : KT_NOT_READY;
        if (status == KT_NOT_READY)
            continue;
        if (status != KT_OK)
            return status;
        timestamps[i] = span->is_command ? kt_level_zero_event_timestamp(r->context, span->handed)
                                         : kt_level_zero_written_timestamp(span->own);
        /* The run has ended, and no command of it has signalled the handed-out event. */
        if (timestamps[i].state == KT_TIMESTAMP_NOT_READY)
            timestamps[i].state = KT_TIMESTAMP_ZERO;
    }
    return KT_OK;
}
