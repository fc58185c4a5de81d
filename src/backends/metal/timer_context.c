/* SPDX-License-Identifier: MIT */
/*
 * timer_context.c - timers in the program's own passes, encoders and command buffers. Each mark has
 * two samples of its own, or none, and retains its command buffer, whose status says when the
 * samples are complete. Only the trial during import waits for the GPU.
 *
 * Apple's GPUs sample at pass boundaries: kt_metal_mark_fill() fills the pass descriptor. AMD's and
 * Intel's sample between commands: kt_metal_mark_encode() puts the first sample into the encoder,
 * kt_metal_mark_stop() the second. An unsupported call aborts the process, so this file asks the GPU
 * first. Programs reuse descriptors, so kt_metal_mark_unfill() clears the descriptor of an untimed
 * pass.
 *
 * The CPU resolves samples once the command buffer is complete: resolving on the GPU gives zeros on
 * macOS 26. The times of a whole command buffer (GPUStartTime, GPUEndTime) belong to another clock
 * and never replace samples.
 *
 * No call reports the length of a tick, so calibrated timestamps of both clocks determine it
 * (Apple, "Converting GPU timestamps into CPU time"). The counter's width is unknown, too, so the
 * host's time of the start places a span until the counter wraps.
 *
 * Metal 4 writes timestamps between commands (writeTimestampIntoHeap:atIndex:). That would need a
 * recording that starts anew with each commit, and is not supported yet.
 */
#include "backends/metal/timer_context.h"

#include "backends/metal/internal.h"
#include "support/host_clock.h"

#include <kerntime/timer/metal.h>
#include <string.h>

/* The commands of a pass descriptor or an encoder. */
typedef enum metal_kind { METAL_NO_KIND = 0, METAL_COMPUTE, METAL_BLIT, METAL_RENDER } metal_kind;

/* ---- devices ---- */

static kt_status describe(metal_timer_context *n, kt_clock_info *clocks)
{
    bool has_samples = n->sampling.strategy != METAL_BY_COMMANDS;
    if (!has_samples && !n->sampling.has_times)
        return kt_fail(KT_UNSUPPORTED, "%s; and its command buffers have no times",
                       n->sampling.reason);
    if (has_samples)
        clocks[METAL_TIMER_CONTEXT_GPU] = metal_gpu_clock();
    if (n->sampling.has_times)
        clocks[METAL_TIMER_CONTEXT_COMMANDS] = metal_commands_clock();
    return has_samples
               ? kt_metal_samples_init(&n->samples, &n->api, n->device, n->sampling.counter_set)
               : KT_OK;
}

static kt_status open_device(metal_timer_context *n, objc_id device, kt_clock_info *clocks)
{
    if (!METAL_KNOWS(&n->api, device, new_queue))
        return kt_fail(KT_INVALID, "what was imported is no device of Metal");
    n->device = metal_retain(&n->api, device);
    kt_status status = kt_metal_pairs_init(&n->pairs, &n->api, n->device, &kt_system_clock);
    if (status == KT_OK)
        status = kt_metal_work_init(&n->work, &n->api, n->device);
    if (status == KT_OK)
        status = kt_metal_try_samples(&n->work, &n->pairs, &n->sampling);
    n->is_hung = status == KT_TIMEOUT;
    return status == KT_OK ? describe(n, clocks) : status;
}

kt_status kt_metal_timer_context_init(void *context, const void *desc, kt_clock_info *clocks)
{
    metal_timer_context *n = context;
    const kt_metal_import *given = desc;
    kt_status status = kt_metal_open(&n->api);
    if (status == KT_OK)
        METAL_WITHIN_POOL(&n->api, status, open_device(n, given->device, clocks));
    return status;
}

/* Is safe while the GPU still writes samples: the command buffers keep their sample buffers. */
void kt_metal_timer_context_fini(void *context)
{
    metal_timer_context *n = context;
    if (!n->device || n->is_hung)
        return;
    void *pool = metal_pool_push(&n->api);
    kt_metal_samples_fini(&n->samples);
    kt_metal_sampling_fini(&n->api, &n->sampling);
    kt_metal_pairs_fini(&n->pairs);
    kt_metal_work_fini(&n->work);
    metal_release(&n->api, n->device);
    metal_pool_pop(&n->api, pool);
}

/* The caller reads only the clock "gpu", since the period of the other clock is known. */
kt_status kt_metal_timer_context_clock_pair(void *context, uint32_t clock, kt_clock_pair *pair)
{
    metal_timer_context *n = context;
    kt_status status;
    (void)clock;
    METAL_WITHIN_POOL(&n->api, status, kt_metal_pairs_take(&n->pairs, pair));
    return status;
}

/* ---- objects of the program ---- */

/* Finds an encoder's kind by the messages it takes, since its class is private to Metal. */
static metal_kind kind_of_encoder(const metal_api *api, objc_id encoder)
{
    if (!METAL_KNOWS(api, encoder, sample_counters))
        return METAL_NO_KIND;
    return METAL_KNOWS(api, encoder, dispatch)      ? METAL_COMPUTE
           : METAL_KNOWS(api, encoder, copy_buffer) ? METAL_BLIT
           : METAL_KNOWS(api, encoder, draw)        ? METAL_RENDER
                                                    : METAL_NO_KIND;
}

static kt_status check_commands(const metal_timer_context *n, objc_id commands)
{
    if (!METAL_KNOWS(&n->api, commands, status) || !METAL_KNOWS(&n->api, commands, commit))
        return kt_fail(KT_INVALID, "that is no command buffer; those of Metal 4 cannot be timed");
    return metal_device_of(&n->api, commands) == n->device
               ? KT_OK
               : kt_fail(KT_INVALID, "the command buffer is of another device than the one "
                                     "imported");
}

static kt_status check_encoding(const metal_timer_context *n, objc_id commands)
{
    if (n->sampling.strategy == METAL_BY_COMMANDS)
        return kt_fail(KT_UNSUPPORTED, "%s: use kt_timer_add_metal_commands()", n->sampling.reason);
    kt_status status = check_commands(n, commands);
    if (status == KT_OK && metal_status(&n->api, commands) >= METAL_COMMITTED)
        status = kt_fail(KT_INVALID, "the command buffer was committed already");
    return status;
}

/* Reports how to continue without samples: a context may hold more spans than samples exist. */
static kt_status say_how_to_go_on(void)
{
    return kt_fail(
        KT_LIMIT,
        "%s: call kt_collect() more often, and kt_timer_context_discard_metal() for what is "
        "not committed",
        kt_error_text());
}

/* Gives the mark the samples and a reference to the command buffer. */
static kt_status take_samples(metal_timer_context *n, objc_id commands, metal_mark *m)
{
    kt_status status = kt_metal_samples_take(&n->samples, 2, &m->range);
    if (status != KT_OK)
        return status == KT_LIMIT ? say_how_to_go_on() : status;
    m->commands = metal_retain(&n->api, commands);
    kt_metal_keep(&n->api.objc, commands, m->range.buffer);
    return KT_OK;
}

/* ---- passes ---- */

/* Finds the first attachment of a pass descriptor. KT_INVALID: not a pass descriptor. */
static kt_status find_attachment(const metal_api *api, objc_id descriptor, objc_id *out)
{
    *out = NULL;
    if (!METAL_KNOWS(api, descriptor, attachments))
        return kt_fail(KT_INVALID, "that is no pass descriptor with sample buffers");
    *out = metal_attachment_at(api, metal_attachments(api, descriptor), 0);
    return *out ? KT_OK : kt_fail(KT_DRIVER_ERROR, "sampleBufferAttachments gives none");
}

/* Whether a sample buffer is of any timer context, by its label: a descriptor may still hold a
 * sample buffer that is no longer in use here. */
static bool is_ours(const metal_api *api, objc_id buffer)
{
    const char *label = metal_utf8(api, metal_label(api, buffer));
    return label && strcmp(label, METAL_SAMPLES_LABEL) == 0;
}

static void fill_attachment(const metal_api *api, objc_id attachment, const metal_range *range)
{
    metal_set_sample_buffer(api, attachment, range->buffer);
    if (!METAL_KNOWS(api, attachment, set_vertex_start_index)) {
        metal_set_start_index(api, attachment, range->first);
        metal_set_end_index(api, attachment, range->first + 1);
        return;
    }
    metal_set_vertex_start_index(api, attachment, range->first);
    metal_set_vertex_end_index(api, attachment, METAL_DONT_SAMPLE);
    metal_set_fragment_start_index(api, attachment, METAL_DONT_SAMPLE);
    metal_set_fragment_end_index(api, attachment, range->first + 1);
}

static kt_status check_pass(const metal_timer_context *n, objc_id descriptor)
{
    const metal_api *api = &n->api;
    if (!n->sampling.at_stage)
        return kt_fail(KT_UNSUPPORTED, "this GPU samples between commands, not at the ends of "
                                       "passes: use kt_timer_start_metal()");
    if (n->sampling.of_copies || !METAL_KNOWS(api, descriptor, is_kind_of) ||
        !metal_is_kind_of(api, descriptor, api->blit_pass_class))
        return KT_OK;
    return kt_fail(KT_UNSUPPORTED, "%s: use kt_timer_add_metal_commands()", n->sampling.reason);
}

static kt_status fill(metal_timer_context *n, objc_id commands, objc_id descriptor, metal_mark *m)
{
    objc_id attachment = NULL;
    kt_status status = check_encoding(n, commands);
    if (status == KT_OK)
        status = check_pass(n, descriptor);
    if (status == KT_OK)
        status = find_attachment(&n->api, descriptor, &attachment);
    if (status != KT_OK)
        return status;
    objc_id before = metal_attached_buffer(&n->api, attachment);
    if (before && !is_ours(&n->api, before))
        return kt_fail(KT_INVALID, "sampleBufferAttachments[0] has a sample buffer of the "
                                   "program's own");
    status = take_samples(n, commands, m);
    if (status == KT_OK)
        fill_attachment(&n->api, attachment, &m->range);
    return status;
}

kt_status kt_metal_mark_fill(void *context, void *commands, void *descriptor, void *mark)
{
    metal_timer_context *n = context;
    kt_status status;
    METAL_WITHIN_POOL(&n->api, status, fill(n, commands, descriptor, mark));
    return status;
}

/* Reports no error: the caller has already reported why the pass has no timer. */
void kt_metal_mark_unfill(void *context, void *descriptor)
{
    const metal_timer_context *n = context;
    const metal_api *api = &n->api;
    void *pool = metal_pool_push(api);
    objc_id attachment = NULL;
    if (METAL_KNOWS(api, (objc_id)descriptor, attachments))
        attachment = metal_attachment_at(api, metal_attachments(api, descriptor), 0);
    objc_id before = metal_attached_buffer(api, attachment);
    if (before && is_ours(api, before))
        metal_set_sample_buffer(api, attachment, NULL);
    metal_pool_pop(api, pool);
}

/* ---- encoders ---- */

static kt_status check_point(const metal_timer_context *n, metal_kind kind)
{
    bool can = kind == METAL_COMPUTE ? n->sampling.at_dispatch
               : kind == METAL_BLIT  ? n->sampling.at_blit
                                     : n->sampling.at_draw;
    if (kind == METAL_NO_KIND)
        return kt_fail(KT_INVALID, "that is no encoder of compute, blit or render commands");
    if (can)
        return KT_OK;
    if (n->sampling.at_stage)
        return kt_fail(KT_UNSUPPORTED, "this GPU samples at the ends of passes, not between "
                                       "commands: use kt_timer_pass_metal()");
    return kt_fail(KT_UNSUPPORTED, "this GPU does not sample between such commands: use "
                                   "kt_timer_add_metal_commands()");
}

static kt_status encode(metal_timer_context *n, objc_id commands, objc_id encoder, metal_mark *m)
{
    kt_status status = check_encoding(n, commands);
    if (status == KT_OK)
        status = check_point(n, kind_of_encoder(&n->api, encoder));
    if (status == KT_OK)
        status = take_samples(n, commands, m);
    if (status == KT_OK)
        metal_sample_counters(&n->api, encoder, m->range.buffer, m->range.first, 1);
    return status;
}

kt_status kt_metal_mark_encode(void *context, void *commands, void *encoder, void *mark)
{
    metal_timer_context *n = context;
    kt_status status;
    METAL_WITHIN_POOL(&n->api, status, encode(n, commands, encoder, mark));
    return status;
}

static kt_status stop(const metal_timer_context *n, objc_id encoder, const metal_mark *m)
{
    if (metal_status(&n->api, m->commands) >= METAL_COMMITTED)
        return kt_fail(KT_INVALID, "the command buffer was committed already: stop what was "
                                   "started in an encoder before its end");
    metal_sample_counters(&n->api, encoder, m->range.buffer, m->range.first + 1, 1);
    return KT_OK;
}

kt_status kt_metal_mark_stop(void *context, void *encoder, void *mark)
{
    const metal_timer_context *n = context;
    kt_status status;
    METAL_WITHIN_POOL(&n->api, status, stop(n, encoder, mark));
    return status;
}

/* ---- whole command buffers ---- */

static kt_status take(metal_timer_context *n, objc_id commands, metal_mark *m)
{
    kt_status status = check_commands(n, commands);
    if (status == KT_OK && !n->sampling.has_times)
        return kt_fail(KT_UNSUPPORTED,
                       "the command buffers of this GPU have no times (macOS 10.15): "
                       "use kt_timer_pass_metal() or kt_timer_start_metal()");
    if (status == KT_OK)
        m->commands = metal_retain(&n->api, commands);
    return status;
}

kt_status kt_metal_mark_take(void *context, void *commands, void *mark)
{
    metal_timer_context *n = context;
    kt_status status;
    METAL_WITHIN_POOL(&n->api, status, take(n, commands, mark));
    return status;
}

/* ---- reading marks ---- */

static kt_status read_samples(const metal_timer_context *n, const metal_mark *m,
                              kt_timestamp *timestamp)
{
    uint64_t values[2] = {0};
    kt_status status = kt_metal_samples_resolve(&n->samples, &m->range, values);
    if (status != KT_OK)
        return status;
    *timestamp = (kt_timestamp){.state = metal_timestamp_state(values[0], values[1]),
                                .clock = METAL_TIMER_CONTEXT_GPU,
                                .start_ticks = values[0],
                                .end_ticks = values[1]};
    return KT_OK;
}

static void read_times(const metal_timer_context *n, objc_id commands, kt_timestamp *timestamp)
{
    *timestamp = (kt_timestamp){.state = KT_TIMESTAMP_OK, .clock = METAL_TIMER_CONTEXT_COMMANDS};
    if (!kt_metal_commands_times(&n->api, commands, &timestamp->start_ticks, &timestamp->end_ticks))
        timestamp->state = KT_TIMESTAMP_ZERO;
}

static kt_status read_mark(const metal_timer_context *n, const metal_mark *m,
                           kt_timestamp *timestamp)
{
    size_t phase = metal_status(&n->api, m->commands);
    if (phase < METAL_COMPLETED)
        return KT_NOT_READY;
    if (phase != METAL_COMPLETED || kt_fault(KT_FAULT_DRIVER, "status"))
        return kt_metal_fail_ended(&n->api, m->commands);
    if (m->range.count)
        return read_samples(n, m, timestamp);
    read_times(n, m->commands, timestamp);
    return KT_OK;
}

kt_status kt_metal_mark_read(void *context, void *mark, kt_timestamp *timestamp)
{
    const metal_timer_context *n = context;
    kt_status status;
    METAL_WITHIN_POOL(&n->api, status, read_mark(n, mark, timestamp));
    return status;
}

void kt_metal_mark_fini(void *context, void *mark)
{
    metal_timer_context *n = context;
    metal_mark *m = mark;
    if (!m->commands)
        return;
    void *pool = metal_pool_push(&n->api);
    if (m->range.count)
        kt_metal_samples_give_back(&n->samples, &m->range);
    metal_release(&n->api, m->commands);
    m->commands = NULL;
    metal_pool_pop(&n->api, pool);
}
