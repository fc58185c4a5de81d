#include "timer/events.h"

/* From now on the command's stamps are asked for, if the backend knows where they come. */
static kt_status settle(kt_slot *slot, kt_status status)
{
    if (status == KT_OK)
        kt_slot_await(slot, &slot->timer->native->handed_out);
    else
        kt_slot_give(slot);
    return status;
}

kt_status kt_timer_add_event(kt_timer *timer, void *event)
{
    kt_native *native = timer->native;
    kt_slot *slot = NULL;
    kt_status status = kt_slot_take(native, timer, &slot);
    if (status != KT_OK)
        return status;
    return settle(slot, native->calls->mark_take(native->state, event, slot->mark));
}

void *kt_timer_hand_out(kt_timer *timer)
{
    kt_native *native = timer->native;
    void *object = NULL;
    kt_slot *slot = NULL;
    if (kt_slot_take(native, timer, &slot) != KT_OK)
        return NULL;
    slot->begin_ns = kt_native_begin_ns(native); /* its command is yet to come */
    kt_status status = native->calls->mark_hand_out(native->state, slot->mark, &object);
    if (status == KT_INVALID) { /* an object was misused, and is not handed out again */
        kt_slot_refuse(slot);
        return NULL;
    }
    return settle(slot, status) == KT_OK ? object : NULL;
}
