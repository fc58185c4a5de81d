/* SPDX-License-Identifier: MIT */
#include "timer/events.h"

#include <string.h>

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

/* ---- objects that calls of the program write to a timer's cell ---- */

static void *object_of(const kt_timer *timer)
{
    void *object;
    memcpy(&object, &timer->cell, sizeof object);
    return object;
}

/* Makes a span of the object in the timer's cell, if there is one; its mark gets a reference of its
 * own. The mutex is held, so that the timer's thread does not release the object meanwhile. */
static kt_status take_object(kt_timer *timer, kt_slot **failed)
{
    kt_timer_context *context = timer->context;
    kt_slot *slot = timer->lent;
    void *object = object_of(timer);
    if (!slot || !object)
        return KT_OK;
    timer->lent = NULL;
    context->lent--;
    kt_status status = context->calls->mark_take(context->state, object, slot->mark);
    if (status == KT_OK) {
        kt_slot_append(slot, &context->handed_out);
    } else {
        slot->next = *failed;
        *failed = slot;
    }
    return status;
}

static void drop_failed(kt_slot *failed)
{
    while (failed) {
        kt_slot *slot = failed;
        failed = slot->next;
        kt_slot_drop(slot, KT_TIMESTAMP_ERROR);
    }
}

kt_status kt_timers_take(kt_timer_context *context, const kt_timer *timer, bool all)
{
    kt_status last = KT_OK;
    kt_slot *failed = NULL;
    kt_mutex_lock(context->mutex);
    for (kt_timer *t = context->timers; t && context->lent > 0; t = t->next) {
        bool may = all || t == timer || t->lent_to == kt_slots_this_thread();
        kt_status status = may ? take_object(t, &failed) : KT_OK;
        last = status == KT_OK ? last : status;
    }
    kt_mutex_unlock(context->mutex);
    drop_failed(failed);
    return last;
}

/* Takes the timer's object and releases the reference that its call gave. Returns the lent slot if
 * the call wrote none. */
static kt_slot *empty_cell(kt_timer *timer)
{
    kt_timer_context *context = timer->context;
    kt_slot *failed = NULL;
    kt_mutex_lock(context->mutex);
    take_object(timer, &failed);
    void *object = object_of(timer);
    timer->cell = NULL;
    kt_slot *left = timer->lent;
    kt_mutex_unlock(context->mutex);
    drop_failed(failed);
    if (object)
        context->calls->object_release(context->state, object);
    return left;
}

static void set_lent(kt_timer *timer, kt_slot *slot)
{
    kt_timer_context *context = timer->context;
    kt_mutex_lock(context->mutex);
    context->lent += (slot != NULL) - (timer->lent != NULL);
    timer->lent = slot;
    timer->lent_to = kt_slots_this_thread();
    kt_mutex_unlock(context->mutex);
}

void *kt_timer_lend(kt_timer *timer)
{
    kt_timer_context *context = timer->context;
    kt_slot *slot = empty_cell(timer);
    if (!slot && kt_slot_take(context, timer, &slot) != KT_OK)
        return NULL;
    slot->begin_ns = kt_timer_context_begin_ns(context);
    set_lent(timer, slot);
    return &timer->cell;
}

void kt_timer_reclaim(kt_timer *timer)
{
    kt_slot *slot = empty_cell(timer);
    if (slot) {
        set_lent(timer, NULL);
        kt_slot_give(slot);
    }
}
