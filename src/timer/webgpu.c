/* SPDX-License-Identifier: MIT */
/* webgpu.c - entry points of WebGPU: timers of passes, which are filled among commands of the
 * program, resolved there, and submitted with them. */
#include "support/options.h"
#include "timer/timer.h"

#include <kerntime/timer/webgpu.h>

kt_status kt_timer_context_import_webgpu(const kt_webgpu_import *desc, kt_timer_context **out)
{
    kt_webgpu_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_webgpu_import");
    if (status != KT_OK)
        return status;
    if (!given.instance || !given.device)
        return kt_fail(KT_INVALID, "no %s to import", given.instance ? "device" : "instance");
    return kt_timer_context_import(&kt_backend_webgpu, KT_BACKEND_WEBGPU, &given, 0, out);
}

/* ---- passes ---- */

/* Fills `descriptor` for a pass and starts a span. Any failure leaves no span. */
static kt_status fill(kt_timer *timer, void *commands, void *descriptor)
{
    kt_slot *slot = NULL;
    kt_status status =
        kt_slot_mark(timer, timer->context->calls->mark_fill, commands, descriptor, &slot);
    if (status == KT_OK)
        kt_slot_retain(slot, commands);
    return status;
}

const struct WGPUPassTimestampWrites *kt_timer_pass_webgpu(kt_timer *timer,
                                                           struct WGPUCommandEncoderImpl *encoder,
                                                           struct WGPUPassTimestampWrites *writes)
{
    if (!timer || kt_timer_context_check(timer->context) != KT_OK)
        return NULL;
    if (timer->context->backend != &kt_backend_webgpu || !encoder || !writes) {
        kt_fail(KT_INVALID,
                !encoder  ? "timer \"%s\": no encoder"
                : !writes ? "timer \"%s\": nothing to fill"
                          : "timer \"%s\" is not of WebGPU",
                timer->name);
        return NULL;
    }
    return kt_is_enabled() && fill(timer, encoder, writes) == KT_OK ? writes : NULL;
}

/* `may_be_all`: a NULL encoder stands for all encoders of the context. */
static kt_status check(const kt_timer_context *context, const void *encoder, bool may_be_all)
{
    if (!context)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    status = kt_timer_context_check_api(context, &kt_backend_webgpu);
    if (status != KT_OK)
        return status;
    return encoder || may_be_all ? KT_OK : kt_fail(KT_INVALID, "no encoder");
}

kt_status kt_timer_context_resolve_webgpu(kt_timer_context *context,
                                          struct WGPUCommandEncoderImpl *encoder)
{
    kt_status status = check(context, encoder, false);
    if (status != KT_OK)
        return status;
    status = context->calls->commands_resolve(context->state, encoder);
    if (status == KT_OK)
        kt_slots_set_resolved(context, encoder);
    else if (status != KT_INVALID) /* KT_INVALID: resolved before, its timestamps may still come */
        kt_slots_drop_commands(context, encoder, KT_TIMESTAMP_ERROR);
    return status;
}

static kt_status await(kt_timer_context *context, void *commands)
{
    kt_status status = context->calls->commands_submitted(context->state, commands);
    if (status == KT_OK)
        kt_slots_await_commands(context, commands);
    return status;
}

kt_status kt_timer_context_submitted_webgpu(kt_timer_context *context,
                                            struct WGPUCommandEncoderImpl *encoder)
{
    kt_status status = check(context, encoder, true);
    if (status != KT_OK || encoder)
        return status == KT_OK ? await(context, encoder) : status;
    void *resolved;
    while (status == KT_OK && (resolved = kt_slots_find_resolved(context)) != NULL)
        status = await(context, resolved);
    return status;
}

kt_status kt_timer_context_discard_webgpu(kt_timer_context *context,
                                          struct WGPUCommandEncoderImpl *encoder)
{
    kt_status status = check(context, encoder, false);
    if (status == KT_OK)
        kt_slots_drop_commands(context, encoder, KT_TIMESTAMP_OK);
    return status;
}
