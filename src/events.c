/* Timers of single commands, by their events: those that the program has from the API, and those
 * that it is given. */
#include "slots.h"

#include "error.h"
#include "support/host_clock.h"

#include <kerntime/native/level_zero.h>
#include <kerntime/native/opencl.h>

/* Whether the timer is of this API. */
static kt_status check(const kt_timer *timer, const kt_backend *backend)
{
    kt_status status = kt_native_check(timer->native);
    if (status == KT_OK && timer->native->backend != backend)
        status = kt_fail(KT_INVALID, "timer \"%s\" is not of %s", timer->name, backend->title);
    return status;
}

/* From now on the command's stamps are asked for, if the backend knows where they come. */
static kt_status settle(kt_slot *slot, kt_status status)
{
    if (status == KT_OK)
        kt_slot_await(slot, &slot->timer->native->handed_out);
    else
        kt_slot_give(slot);
    return status;
}

kt_status kt_timer_add_opencl_event(kt_timer *timer, struct _cl_event *event)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_status status = check(timer, &kt_backend_opencl);
    if (status != KT_OK)
        return status;
    if (!event)
        return kt_fail(KT_INVALID, "timer \"%s\": no event", timer->name);
    if (!kt_is_enabled())
        return KT_OK;
    kt_native *native = timer->native;
    kt_slot *slot = NULL;
    status = kt_slot_take(native, timer, &slot);
    if (status != KT_OK)
        return status;
    return settle(slot, native->backend->mark_take(native->state, event, slot->mark));
}

/* NULL: there is none, for this timer. */
static void *hand_out(kt_timer *timer)
{
    kt_native *native = timer->native;
    void *object = NULL;
    kt_slot *slot = NULL;
    if (kt_slot_take(native, timer, &slot) != KT_OK)
        return NULL;
    slot->begin_ns = kt_native_begin_ns(native); /* its command is yet to come */
    kt_status status = native->backend->mark_hand_out(native->state, slot->mark, &object);
    if (status == KT_INVALID) { /* an object was misused, and is not handed out again */
        kt_slot_refuse(slot);
        return NULL;
    }
    return settle(slot, status) == KT_OK ? object : NULL;
}

struct _ze_event_handle_t *kt_timer_event_level_zero(kt_timer *timer)
{
    if (!timer || check(timer, &kt_backend_level_zero) != KT_OK || !kt_is_enabled())
        return NULL;
    return hand_out(timer);
}
