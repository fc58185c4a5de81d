/* SPDX-License-Identifier: MIT */
/*
 * metal.c - entry points of Metal: timers of passes, of commands between two samples, and of whole
 * command buffers. All are awaited at once, since a command buffer can be asked whether it is
 * complete. They may end in any order.
 *
 * kt_slots_withdraw_commands() withdraws the timers of a command buffer that will not be committed.
 * A command buffer that is dropped without that call may still be committed.
 */
#include "support/options.h"
#include "timer/timer.h"

#include <kerntime/timer/metal.h>

kt_status kt_timer_context_import_metal(const kt_metal_import *desc, kt_timer_context **out)
{
    kt_metal_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_metal_import");
    if (status != KT_OK)
        return status;
    if (!given.device)
        return kt_fail(KT_INVALID, "no device to import");
    return kt_timer_context_import(&kt_backend_metal, KT_BACKEND_METAL, &given, given.spans_max,
                                   out);
}

/* Checks that the timer is of Metal, and that nothing is NULL. */
static kt_status check(const kt_timer *timer, const void *commands, const void *object,
                       const char *what)
{
    kt_status status = kt_timer_check_api(timer, &kt_backend_metal);
    if (status != KT_OK)
        return status;
    if (!commands || !object)
        return kt_fail(KT_INVALID, "timer \"%s\": no %s", timer->name,
                       commands ? what : "command buffer");
    return KT_OK;
}

/* Awaits the span's timestamps. */
static void await(kt_slot *slot, void *commands)
{
    slot->commands = commands;
    kt_slot_await(slot, &slot->timer->context->handed_out);
}

/* ---- passes ---- */

static kt_status fill(kt_timer *timer, void *commands, void *descriptor)
{
    kt_slot *slot = NULL;
    kt_status status =
        kt_slot_mark(timer, timer->context->calls->mark_fill, commands, descriptor, &slot);
    if (status == KT_OK)
        await(slot, commands);
    return status;
}

kt_status kt_timer_pass_metal(kt_timer *timer, void *command_buffer, void *pass_descriptor)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_timer_context *context = timer->context;
    kt_status status = check(timer, command_buffer, pass_descriptor, "pass descriptor");
    bool fills = status == KT_OK && kt_is_enabled();
    if (fills)
        status = fill(timer, command_buffer, pass_descriptor);
    if ((status != KT_OK || !fills) && pass_descriptor && context->backend == &kt_backend_metal &&
        !context->closed)
        context->calls->mark_unfill(context->state, pass_descriptor);
    return status;
}

/* ---- encoders ---- */

static kt_status start(kt_timer *timer, void *commands, void *encoder)
{
    kt_slot *slot = NULL;
    timer->skipped = 1; /* set back once a span exists */
    kt_status status =
        kt_slot_mark(timer, timer->context->calls->mark_encode, commands, encoder, &slot);
    if (status != KT_OK)
        return status;
    slot->commands = commands;
    timer->stream = encoder;
    timer->running = slot; /* set last: a reader of `running` may read `stream` */
    timer->skipped = 0;
    return KT_OK;
}

kt_status kt_timer_start_metal(kt_timer *timer, void *command_buffer, void *encoder)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_status status = check(timer, command_buffer, encoder, "encoder");
    if (status != KT_OK)
        return status;
    if (timer->running)
        return kt_fail(KT_INVALID, "timer \"%s\" was started already: stop it first", timer->name);
    timer->skipped = kt_is_enabled() ? 0 : 1;
    return timer->skipped ? KT_OK : start(timer, command_buffer, encoder);
}

kt_status kt_timer_stop_metal(kt_timer *timer, void *encoder)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_status status = check(timer, encoder, encoder, "encoder");
    if (status != KT_OK)
        return status;
    if (timer->skipped) {
        timer->skipped = 0;
        return KT_OK;
    }
    kt_slot *slot = timer->running;
    if (!slot)
        return kt_fail(KT_INVALID, "timer \"%s\" was not started", timer->name);
    if (encoder != timer->stream)
        return kt_fail(KT_INVALID, "timer \"%s\" was started in another encoder", timer->name);
    kt_timer_context *context = timer->context;
    status = context->calls->mark_stop(context->state, encoder, slot->mark);
    timer->running = NULL;
    if (status == KT_OK)
        await(slot, slot->commands);
    else
        kt_slot_drop(slot, KT_TIMESTAMP_ERROR);
    return status;
}

/* ---- command buffers ---- */

kt_status kt_timer_add_metal_commands(kt_timer *timer, void *command_buffer)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_status status = check(timer, command_buffer, command_buffer, "command buffer");
    if (status != KT_OK || !kt_is_enabled())
        return status;
    kt_timer_context *context = timer->context;
    kt_slot *slot = NULL;
    status = kt_slot_take(context, timer, &slot);
    if (status != KT_OK)
        return status;
    status = context->calls->mark_take(context->state, command_buffer, slot->mark);
    if (status == KT_OK)
        await(slot, command_buffer);
    else
        kt_slot_let_go(slot, status);
    return status;
}

kt_status kt_timer_context_discard_metal(kt_timer_context *context, void *command_buffer)
{
    if (!context)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    status = kt_timer_context_check_api(context, &kt_backend_metal);
    if (status != KT_OK)
        return status;
    if (!command_buffer)
        return kt_fail(KT_INVALID, "no command buffer");
    kt_slots_withdraw_commands(context, command_buffer);
    return KT_OK;
}
