#include "timer/events.h"

/* Awaits the span if the backend accepted it; else gives the slot back. */
static kt_status settle(kt_slot *slot, kt_status status)
{
    if (status == KT_OK)
        kt_slot_await(slot, &slot->timer->context->handed_out);
    else
        kt_slot_give(slot);
    return status;
}

kt_status kt_timer_add_event(kt_timer *timer, void *event)
{
    kt_timer_context *context = timer->context;
    kt_slot *slot = NULL;
    kt_status status = kt_slot_take(context, timer, &slot);
    if (status != KT_OK)
        return status;
    return settle(slot, context->calls->mark_take(context->state, event, slot->mark));
}

void *kt_timer_hand_out(kt_timer *timer)
{
    kt_timer_context *context = timer->context;
    void *object = NULL;
    kt_slot *slot = NULL;
    if (kt_slot_take(context, timer, &slot) != KT_OK)
        return NULL;
    slot->begin_ns = kt_timer_context_begin_ns(context); /* the command of the span runs later */
    kt_status status = context->calls->mark_hand_out(context->state, slot->mark, &object);
    if (status == KT_INVALID) { /* the program misused an object, which is not handed out again */
        kt_slot_refuse(slot);
        return NULL;
    }
    return settle(slot, status) == KT_OK ? object : NULL;
}
