/* SPDX-License-Identifier: MIT */
#include "trace/trace.h"

#include "support/alloc.h"
#include "support/error.h"
#include "support/host_clock.h"
#include "support/options.h"

#include <math.h>
#include <string.h>

kt_status kt_trace_create(kt_trace **out, const kt_trace_options *options)
{
    KT_NEED(out);
    kt_trace_options given;
    kt_status status = kt_take_options(&given, sizeof given, options, "kt_trace_options");
    if (status != KT_OK)
        return status;
    kt_trace *trace = kt_alloc(1, sizeof *trace);
    if (!trace)
        return KT_NO_MEMORY;
    trace->events_max = given.events_max ? given.events_max : KT_TRACE_EVENTS_DEFAULT;
    status = kt_mutex_create(&trace->mutex);
    if (status == KT_OK)
        *out = trace;
    else
        kt_trace_destroy(&trace);
    return status;
}

void kt_trace_destroy(kt_trace **trace)
{
    kt_trace *t = trace ? *trace : NULL;
    if (!t)
        return;
    kt_mutex_destroy(t->mutex);
    kt_names_fini(&t->texts);
    kt_names_fini(&t->timelines);
    kt_names_fini(&t->processes);
    kt_names_fini(&t->tracks);
    kt_names_fini(&t->reasons);
    kt_free(t->items);
    kt_free(t->args);
    kt_free(t->omissions);
    kt_free(t);
    *trace = NULL;
}

/* ---- Adding ---- */

static kt_status check_args(const kt_trace_event *event)
{
    if (event->arg_count > KT_TRACE_ARGS_MAX)
        return kt_fail(KT_INVALID, "event %s has %u arguments, at most %d can be kept", event->name,
                       event->arg_count, KT_TRACE_ARGS_MAX);
    for (uint32_t i = 0; i < event->arg_count; i++) {
        const char *name = event->args[i].name;
        if (!name)
            return kt_fail(KT_INVALID, "event %s: argument %u has no name", event->name, i);
        bool taken = strcmp(name, "uncertainty_ns") == 0;
        for (uint32_t k = 0; k < i; k++)
            taken |= strcmp(name, event->args[k].name) == 0;
        if (taken)
            return kt_fail(KT_INVALID, "event %s has two arguments %s", event->name, name);
    }
    return KT_OK;
}

static kt_status check(const kt_trace_event *event)
{
    if (!event->process || !event->track || !event->name || !event->category)
        return kt_fail(KT_INVALID, "an event needs a process, a track, a name and a category");
    if (event->end_ns < event->begin_ns)
        return kt_fail(KT_INVALID, "event %s ends at %lld ns, before it begins at %lld ns",
                       event->name, (long long)event->end_ns, (long long)event->begin_ns);
    if (event->uncertainty_ns < 0)
        return kt_fail(KT_INVALID, "event %s has an uncertainty below 0", event->name);
    return check_args(event);
}

/* Where an event or a value belongs. */
typedef struct place {
    const char *timeline, *process, *track;
    bool is_counter;
} place;

/* Number of the track. */
static kt_status find_track(kt_trace *trace, const place *where, uint32_t *track)
{
    const char *timeline = where->timeline ? where->timeline : kt_system_clock_name();
    kt_trace_process_key process;
    kt_trace_track_key key = {.is_counter = where->is_counter};
    kt_status status = kt_names_add_text(&trace->timelines, timeline, &process.timeline);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, where->process, &process.name);
    if (status == KT_OK)
        status = kt_names_add(&trace->processes, &process, sizeof process, &key.process);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, where->track, &key.name);
    if (status == KT_OK)
        status = kt_names_add(&trace->tracks, &key, sizeof key, track);
    return status;
}

/* Makes room for one more event with that many arguments. */
static kt_status reserve(kt_trace *trace, uint32_t arg_count)
{
    kt_trace_item *items =
        kt_make_room(trace->items, &trace->item_room, (size_t)trace->item_count + 1, sizeof *items);
    if (!items)
        return KT_NO_MEMORY;
    trace->items = items;
    kt_trace_item_arg *args =
        kt_make_room(trace->args, &trace->arg_room, trace->arg_count + arg_count, sizeof *args);
    if (!args)
        return KT_NO_MEMORY;
    trace->args = args;
    return KT_OK;
}

static kt_status add_arg(kt_trace *trace, const kt_trace_arg *from, kt_trace_item_arg *to)
{
    *to = (kt_trace_item_arg){.is_text = from->text != NULL, .number = from->number};
    kt_status status = kt_names_add_text(&trace->texts, from->name, &to->name);
    if (status == KT_OK && from->text)
        status = kt_names_add_text(&trace->texts, from->text, &to->text);
    return status;
}

static kt_status add(kt_trace *trace, const kt_trace_event *event)
{
    if (trace->item_count >= trace->events_max) {
        trace->lost++;
        return KT_OK;
    }
    kt_trace_item item = {.begin_ns = event->begin_ns,
                          .end_ns = event->end_ns,
                          .uncertainty_ns = event->uncertainty_ns,
                          .first_arg = trace->arg_count,
                          .arg_count = event->arg_count,
                          .sequence = trace->item_count};
    const place where = {event->timeline, event->process, event->track, false};
    kt_status status = find_track(trace, &where, &item.track);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, event->name, &item.name);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, event->category, &item.category);
    if (status == KT_OK)
        status = reserve(trace, event->arg_count);
    for (uint32_t i = 0; i < event->arg_count && status == KT_OK; i++)
        status = add_arg(trace, &event->args[i], &trace->args[trace->arg_count + i]);
    if (status != KT_OK)
        return status;
    trace->arg_count += event->arg_count;
    trace->items[trace->item_count++] = item;
    return KT_OK;
}

kt_status kt_trace_add(kt_trace *trace, const kt_trace_event *event)
{
    KT_NEED(trace);
    KT_NEED(event);
    kt_status status = check(event);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(trace->mutex);
    status = add(trace, event);
    kt_mutex_unlock(trace->mutex);
    return status;
}

static kt_status add_counter(kt_trace *trace, const kt_trace_counter *counter)
{
    if (trace->item_count >= trace->events_max) {
        trace->lost++;
        return KT_OK;
    }
    kt_trace_item item = {.begin_ns = counter->moment_ns,
                          .end_ns = counter->moment_ns,
                          .value = counter->value,
                          .sequence = trace->item_count};
    const place where = {counter->timeline, counter->process, counter->track, true};
    kt_status status = find_track(trace, &where, &item.track);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, counter->name, &item.name);
    if (status == KT_OK)
        status = reserve(trace, 0);
    if (status == KT_OK)
        trace->items[trace->item_count++] = item;
    return status;
}

kt_status kt_trace_add_counter(kt_trace *trace, const kt_trace_counter *counter)
{
    KT_NEED(trace);
    KT_NEED(counter);
    if (!counter->process || !counter->track || !counter->name)
        return kt_fail(KT_INVALID, "a counter needs a process, a track and a name");
    if (!isfinite(counter->value))
        return kt_fail(KT_INVALID, "a value of counter %s is not finite", counter->track);
    kt_mutex_lock(trace->mutex);
    kt_status status = add_counter(trace, counter);
    kt_mutex_unlock(trace->mutex);
    return status;
}

static kt_status omit(kt_trace *trace, const char *reason)
{
    size_t had = trace->omission_room;
    uint64_t *longer = kt_make_room(trace->omissions, &trace->omission_room,
                                    (size_t)trace->reasons.count + 1, sizeof *longer);
    if (!longer)
        return KT_NO_MEMORY;
    memset(longer + had, 0, (trace->omission_room - had) * sizeof *longer);
    trace->omissions = longer;
    uint32_t number;
    kt_status status = kt_names_add_text(&trace->reasons, reason, &number);
    if (status != KT_OK)
        return status;
    trace->omissions[number]++;
    trace->omitted++;
    return KT_OK;
}

kt_status kt_trace_omit(kt_trace *trace, const char *reason)
{
    KT_NEED(trace);
    if (!reason || !*reason)
        return kt_fail(KT_INVALID, "an event is left out for no reason");
    kt_mutex_lock(trace->mutex);
    kt_status status = omit(trace, reason);
    kt_mutex_unlock(trace->mutex);
    return status;
}

void kt_trace_get_counts(const kt_trace *trace, kt_trace_counts *out)
{
    if (!trace || !out)
        return;
    kt_mutex_lock(trace->mutex);
    *out = (kt_trace_counts){
        .events = trace->item_count, .lost = trace->lost, .omitted = trace->omitted};
    kt_mutex_unlock(trace->mutex);
}
