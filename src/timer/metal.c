/*
 * Metal: timers of what the program encodes: passes, commands between two samples, and whole
 * command buffers. All are awaited at once, since a command buffer can be asked whether it is
 * complete.
 *
 * They may end in any order. Timers of a command buffer that will not be committed are taken back
 * out of what is awaited (kt_slots_withdraw_commands()); one that is given up without a word may
 * still be committed.
 */
#include "support/options.h"
#include "timer/timer.h"

#include <kerntime/native/metal.h>

kt_status kt_native_import_metal(const kt_metal_import *desc, kt_native **out)
{
    kt_metal_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_metal_import");
    if (status != KT_OK)
        return status;
    if (!given.device)
        return kt_fail(KT_INVALID, "no device to import");
    return kt_native_import(&kt_backend_metal, KT_BACKEND_METAL, &given, given.spans_max, out);
}

/* Whether the timer is of Metal, and everything is there. */
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

/* It is asked for from now on. */
static void await(kt_slot *slot, void *commands)
{
    slot->commands = commands;
    kt_slot_await(slot, &slot->timer->native->handed_out);
}

/* ---- passes ---- */

static kt_status fill(kt_timer *timer, void *commands, void *descriptor)
{
    kt_slot *slot = NULL;
    kt_status status =
        kt_slot_mark(timer, timer->native->calls->mark_fill, commands, descriptor, &slot);
    if (status == KT_OK)
        await(slot, commands);
    return status;
}

kt_status kt_timer_pass_metal(kt_timer *timer, void *command_buffer, void *pass_descriptor)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_native *native = timer->native;
    kt_status status = check(timer, command_buffer, pass_descriptor, "pass descriptor");
    bool fills = status == KT_OK && kt_is_enabled();
    if (fills)
        status = fill(timer, command_buffer, pass_descriptor);
    if ((status != KT_OK || !fills) && pass_descriptor && native->backend == &kt_backend_metal &&
        !native->closed)
        native->calls->mark_unfill(native->state, pass_descriptor);
    return status;
}

/* ---- encoders ---- */

static kt_status start(kt_timer *timer, void *commands, void *encoder)
{
    kt_slot *slot = NULL;
    timer->skipped = 1; /* until there is a span */
    kt_status status =
        kt_slot_mark(timer, timer->native->calls->mark_encode, commands, encoder, &slot);
    if (status != KT_OK)
        return status;
    slot->commands = commands;
    timer->stream = encoder;
    timer->running = slot; /* who finds it running may ask where */
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
    kt_native *native = timer->native;
    status = native->calls->mark_stop(native->state, encoder, slot->mark);
    timer->running = NULL;
    if (status == KT_OK)
        await(slot, slot->commands);
    else
        kt_slot_drop(slot, KT_STAMP_ERROR);
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
    kt_native *native = timer->native;
    kt_slot *slot = NULL;
    status = kt_slot_take(native, timer, &slot);
    if (status != KT_OK)
        return status;
    status = native->calls->mark_take(native->state, command_buffer, slot->mark);
    if (status == KT_OK)
        await(slot, command_buffer);
    else
        kt_slot_let_go(slot, status);
    return status;
}

kt_status kt_native_discard_metal(kt_native *native, void *command_buffer)
{
    if (!native)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check(native);
    if (status != KT_OK)
        return status;
    status = kt_native_check_api(native, &kt_backend_metal);
    if (status != KT_OK)
        return status;
    if (!command_buffer)
        return kt_fail(KT_INVALID, "no command buffer");
    kt_slots_withdraw_commands(native, command_buffer);
    return KT_OK;
}
