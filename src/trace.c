/*
 * A trace: events as they come, each text once; when it is written they are sorted into tracks and
 * lanes.
 */
#include "results/trace.h"

#include "core.h"
#include "lanes.h"
#include "names.h"
#include "results/json_writer.h"
#include "support/alloc.h"
#include "support/file.h"
#include "support/host_clock.h"

#include <stdlib.h>
#include <string.h>

/* Texts of a process and of a track, by their numbers: what tells two apart. */
typedef struct process_key {
    uint32_t timeline, name;
} process_key;

typedef struct track_key {
    uint32_t process, name;
} track_key;

struct kt_trace {
    kt_mutex *mutex;
    uint32_t events_max;
    kt_names texts;
    kt_names timelines; /* names */
    kt_names processes; /* process_key */
    kt_names tracks;    /* track_key */
    kt_names reasons;   /* names */
    kt_trace_item *items;
    uint32_t item_count;
    size_t item_room;
    kt_trace_item_arg *args;
    size_t arg_count, arg_room;
    uint64_t lost, omitted;
    uint64_t *omissions; /* for each reason */
    size_t omission_room;
};

kt_status kt_trace_create(kt_trace **out, const kt_trace_options *options)
{
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
    kt_trace *t = *trace;
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

/* ---- adding ---- */

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

/* The number of its track. */
static kt_status find_track(kt_trace *trace, const kt_trace_event *event, uint32_t *track)
{
    const char *timeline = event->timeline ? event->timeline : kt_system_clock_name();
    process_key process;
    track_key key;
    kt_status status = kt_names_add_text(&trace->timelines, timeline, &process.timeline);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, event->process, &process.name);
    if (status == KT_OK)
        status = kt_names_add(&trace->processes, &process, sizeof process, &key.process);
    if (status == KT_OK)
        status = kt_names_add_text(&trace->texts, event->track, &key.name);
    if (status == KT_OK)
        status = kt_names_add(&trace->tracks, &key, sizeof key, track);
    return status;
}

/* Room for one more event with so many arguments. */
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
    kt_status status = find_track(trace, event, &item.track);
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
    kt_status status = check(event);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(trace->mutex);
    status = add(trace, event);
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
    if (!reason || !*reason)
        return kt_fail(KT_INVALID, "an event is left out for no reason");
    kt_mutex_lock(trace->mutex);
    kt_status status = omit(trace, reason);
    kt_mutex_unlock(trace->mutex);
    return status;
}

void kt_trace_get_counts(const kt_trace *trace, kt_trace_counts *out)
{
    kt_mutex_lock(trace->mutex);
    *out = (kt_trace_counts){
        .events = trace->item_count, .lost = trace->lost, .omitted = trace->omitted};
    kt_mutex_unlock(trace->mutex);
}

/* ---- writing ---- */

/* What a document points to. */
typedef struct layout {
    kt_trace_timeline *timelines;
    kt_trace_process *processes;
    kt_trace_lane *lanes;
    size_t lane_count, lane_room;
    kt_trace_omission *omissions;
    kt_lanes places;
} layout;

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Track after track, in each by time; in the order of their coming where that is the same. */
static int by_time(const void *a, const void *b)
{
    const kt_trace_item *left = a, *right = b;
    int order = compare(left->track, right->track);
    if (order == 0)
        order = compare(left->begin_ns, right->begin_ns);
    if (order == 0)
        order = compare(left->end_ns, right->end_ns);
    return order ? order : compare(left->sequence, right->sequence);
}

/* Lane after lane. */
static int by_lane(const void *a, const void *b)
{
    const kt_trace_item *left = a, *right = b;
    int order = compare(left->lane, right->lane);
    if (order == 0)
        order = compare(left->begin_ns, right->begin_ns);
    return order ? order : compare(left->sequence, right->sequence);
}

static kt_status add_lane(kt_trace *trace, layout *l, uint32_t track, uint32_t number)
{
    kt_trace_lane *longer =
        kt_make_room(l->lanes, &l->lane_room, l->lane_count + 1, sizeof *longer);
    if (!longer)
        return KT_NO_MEMORY;
    l->lanes = longer;
    track_key key;
    memcpy(&key, kt_names_get(&trace->tracks, track), sizeof key);
    l->lanes[l->lane_count++] = (kt_trace_lane){
        .track = kt_names_get(&trace->texts, key.name), .process = key.process, .number = number};
    return KT_OK;
}

/* Gives each event its lane, and brings them into the order in which they are printed. */
static kt_status lay_out_lanes(kt_trace *trace, layout *l)
{
    uint32_t count = trace->item_count;
    size_t first_lane = 0; /* of the track */
    if (count)
        qsort(trace->items, count, sizeof *trace->items, by_time);
    for (uint32_t i = 0; i < count; i++) {
        kt_trace_item *item = &trace->items[i];
        if (i > 0 && item->track != trace->items[i - 1].track) {
            kt_lanes_clear(&l->places);
            first_lane = l->lane_count;
        }
        uint32_t number;
        kt_status status = kt_lanes_place(&l->places, item->begin_ns, item->end_ns, &number);
        if (status == KT_OK && first_lane + number == l->lane_count)
            status = add_lane(trace, l, item->track, number);
        if (status != KT_OK)
            return status;
        item->lane = (uint32_t)(first_lane + number);
        l->lanes[item->lane].event_count++;
    }
    if (count)
        qsort(trace->items, count, sizeof *trace->items, by_lane);
    return KT_OK;
}

static kt_status lay_out_processes(const kt_trace *trace, layout *l)
{
    l->processes = kt_alloc(trace->processes.count, sizeof *l->processes);
    l->timelines = kt_alloc(trace->timelines.count, sizeof *l->timelines);
    if (!l->processes || !l->timelines)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < trace->timelines.count; i++)
        l->timelines[i] = (kt_trace_timeline){kt_names_get(&trace->timelines, i), INT64_MAX};
    for (uint32_t i = 0; i < trace->processes.count; i++) {
        process_key key;
        memcpy(&key, kt_names_get(&trace->processes, i), sizeof key);
        l->processes[i] = (kt_trace_process){kt_names_get(&trace->texts, key.name), key.timeline};
    }
    for (uint32_t i = 0; i < trace->item_count; i++) {
        const kt_trace_item *item = &trace->items[i];
        kt_trace_timeline *timeline =
            &l->timelines[l->processes[l->lanes[item->lane].process].timeline];
        if (item->begin_ns < timeline->first_ns)
            timeline->first_ns = item->begin_ns;
    }
    return KT_OK;
}

static kt_status lay_out_omissions(const kt_trace *trace, layout *l)
{
    l->omissions = kt_alloc(trace->reasons.count, sizeof *l->omissions);
    if (!l->omissions)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < trace->reasons.count; i++)
        l->omissions[i] =
            (kt_trace_omission){kt_names_get(&trace->reasons, i), trace->omissions[i]};
    return KT_OK;
}

static const char *get_text(const void *texts, uint32_t number)
{
    return kt_names_get(texts, number);
}

static kt_status print(const kt_trace *trace, const layout *l, const kt_sink *sink)
{
    const kt_trace_document document = {
        .version = kt_version(),
        .timelines = l->timelines,
        .timeline_count = trace->timelines.count,
        .processes = l->processes,
        .process_count = trace->processes.count,
        .lanes = l->lanes,
        .lane_count = l->lane_count,
        .items = trace->items,
        .args = trace->args,
        .text = get_text,
        .texts = &trace->texts,
        .lost = trace->lost,
        .omissions = l->omissions,
        .omission_count = trace->reasons.count,
    };
    kt_writer writer = {.sink = sink};
    kt_print_trace(&document, &writer);
    kt_flush(&writer);
    return writer.status == KT_IO_ERROR ? kt_fail(KT_IO_ERROR, "the trace could not be written")
                                        : writer.status;
}

kt_status kt_trace_write(kt_trace *trace, const kt_sink *sink)
{
    layout l = {0};
    kt_mutex_lock(trace->mutex);
    kt_status status = lay_out_lanes(trace, &l);
    if (status == KT_OK)
        status = lay_out_processes(trace, &l);
    if (status == KT_OK)
        status = lay_out_omissions(trace, &l);
    if (status == KT_OK)
        status = print(trace, &l, sink);
    kt_mutex_unlock(trace->mutex);
    kt_lanes_fini(&l.places);
    kt_free(l.lanes);
    kt_free(l.processes);
    kt_free(l.timelines);
    kt_free(l.omissions);
    return status;
}

static kt_status write_to(const void *place, int format, const kt_sink *sink)
{
    kt_trace *const *trace = place;
    (void)format; /* there is but one */
    return kt_trace_write(*trace, sink);
}

kt_status kt_trace_write_file(kt_trace *trace, const char *path)
{
    return kt_file_write_whole(path, write_to, &trace, 0);
}
