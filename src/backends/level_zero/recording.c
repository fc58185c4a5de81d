/*
 * Recordings in regular lists of the program. The event that each span's end signals says that its
 * timestamps are there.
 *
 * The list itself resets that event at the start of the span, for programs that submit the list
 * without saying so. A driver may keep an event signalled for the host until the host resets it
 * (Intel 22.43), which kt_recording_submit() does.
 *
 * The host reads what a handed-out event holds. zeCommandListAppendQueryKernelTimestamps would
 * bring it to memory, but is a kernel: no list of a group of queues that only copies takes it
 * (Intel's driver 22.43 ends the process there), and it writes zeros before its values.
 */
#include "backends/level_zero/native.h"
#include "support/alloc.h"

#include <string.h>

kt_status level_zero_recording_init(void *recording, void *native, uint32_t spans_max)
{
    level_zero_recording *r = recording;
    r->native = native;
    r->spans = kt_alloc(spans_max, sizeof *r->spans);
    r->spans_max = r->spans ? spans_max : 0;
    return r->spans ? KT_OK : KT_NO_MEMORY;
}

void level_zero_recording_fini(void *recording)
{
    level_zero_recording *r = recording;
    for (uint32_t i = 0; i < r->spans_max; i++) {
        const level_zero_span *span = &r->spans[i];
        if (r->was_submitted && span->own && !level_zero_cell_is_done(&r->native->own, span->own))
            continue; /* of a run that was never seen to end */
        if (span->own)
            level_zero_cell_give(&r->native->own, span->own);
        if (span->handed)
            level_zero_cell_give(&r->native->handed, span->handed);
    }
    kt_free(r->spans);
}

kt_status level_zero_recording_begin(void *recording, void *commands, uint32_t usage)
{
    level_zero_recording *r = recording;
    (void)usage; /* Vulkan's */
    r->list = commands;
    for (uint32_t i = 0; i < r->spans_max; i++)
        r->spans[i].was_put = false;
    return level_zero_check_list(r->native, commands, false);
}

/* What both kinds of span begin with: nothing of an earlier recording is left, on the host and in
 * each run. */
static kt_status prepare(level_zero_recording *r, level_zero_span *span)
{
    const ze_api *api = &r->native->api;
    kt_status status = KT_OK;
    span->was_put = false;
    if (span->own)
        status = ZE_DO(api, zeEventHostReset, span->own->event);
    else
        status = level_zero_cell_take(&r->native->own, &span->own);
    if (status != KT_OK)
        return status;
    memset(span->own->stamps, 0, LEVEL_ZERO_CELL_BYTES);
    span->own->stamp_count = 0;
    span->own->signals = false;
    return ZE_DO(api, zeCommandListAppendEventReset, r->list, span->own->event);
}

static kt_status put_start(level_zero_recording *r, level_zero_span *span)
{
    const ze_api *api = &r->native->api;
    kt_status status = level_zero_check_global(r->native);
    if (status == KT_OK)
        status = prepare(r, span);
    if (status == KT_OK)
        status = level_zero_barrier(api, r->list, NULL);
    if (status == KT_OK)
        status = level_zero_append_stamp(r->native, r->list, span->own, 0);
    if (status == KT_OK)
        status = level_zero_barrier(api, r->list, NULL);
    span->is_command = false;
    span->was_put = status == KT_OK;
    return status;
}

static kt_status put_end(const level_zero_recording *r, const level_zero_span *span)
{
    const ze_api *api = &r->native->api;
    kt_status status = level_zero_barrier(api, r->list, NULL);
    if (status == KT_OK && !span->is_command)
        status = level_zero_append_stamp(r->native, r->list, span->own, 1);
    return status == KT_OK ? level_zero_append_signal(r->native, r->list, span->own) : status;
}

kt_status level_zero_recording_stamp(void *recording, uint32_t span, bool end)
{
    level_zero_recording *r = recording;
    level_zero_span *s = &r->spans[span];
    if (!end)
        return put_start(r, s);
    return s->was_put ? put_end(r, s) : KT_OK;
}

kt_status level_zero_recording_hand_out(void *recording, uint32_t span, void **object)
{
    level_zero_recording *r = recording;
    level_zero_span *s = &r->spans[span];
    kt_status status = level_zero_check_kernel(r->native);
    if (status == KT_OK)
        status = prepare(r, s);
    if (status == KT_OK && !s->handed)
        status = level_zero_cell_take(&r->native->handed, &s->handed);
    if (status == KT_OK)
        status = ZE_DO(&r->native->api, zeCommandListAppendEventReset, r->list, s->handed->event);
    if (status == KT_OK)
        status = level_zero_barrier(&r->native->api, r->list, NULL);
    s->is_command = true;
    s->was_put = status == KT_OK;
    if (status == KT_OK)
        *object = s->handed->event;
    return status;
}

/*
 * What the run before has left goes: Intel's driver 22.43 keeps an event that it once saw signalled
 * as signalled until the host resets it, whatever the device does meanwhile. The list resets its
 * events all the same, for programs that submit it without saying so.
 */
kt_status level_zero_recording_submit(void *recording)
{
    level_zero_recording *r = recording;
    const ze_api *api = &r->native->api;
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < r->spans_max && status == KT_OK; i++) {
        const level_zero_span *span = &r->spans[i];
        if (!span->was_put)
            continue;
        memset(span->own->stamps, 0, LEVEL_ZERO_CELL_BYTES);
        status = ZE_DO(api, zeEventHostReset, span->own->event);
        if (status == KT_OK && span->is_command)
            status = ZE_DO(api, zeEventHostReset, span->handed->event);
    }
    r->was_submitted = status == KT_OK;
    return status;
}

void level_zero_recording_reset(void *recording)
{
    level_zero_recording *r = recording;
    r->was_submitted = false;
}

kt_status level_zero_recording_read(void *recording, uint32_t count, bool beside, kt_stamp *stamps)
{
    const level_zero_recording *r = recording;
    (void)beside;
    for (uint32_t i = 0; i < count; i++) {
        const level_zero_span *span = &r->spans[i];
        stamps[i] = (kt_stamp){.state = KT_STAMP_NOT_READY};
        kt_status status =
            span->was_put ? level_zero_ask(r->native, span->own->event) : KT_NOT_READY;
        if (status == KT_NOT_READY)
            continue;
        if (status != KT_OK)
            return status;
        stamps[i] = span->is_command ? level_zero_event_stamp(r->native, span->handed)
                                     : level_zero_written_stamp(span->own);
        /* The run has ended, so no command of it has signalled what was handed out. */
        if (stamps[i].state == KT_STAMP_NOT_READY)
            stamps[i].state = KT_STAMP_ZERO;
    }
    return KT_OK;
}
