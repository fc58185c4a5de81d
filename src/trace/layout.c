/* SPDX-License-Identifier: MIT */
#include "trace/layout.h"

#include "support/alloc.h"
#include "trace/trace.h"

#include <kerntime/kerntime.h>
#include <stdlib.h>
#include <string.h>

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Orders events by track, then by time, then by arrival. */
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

/* Orders events by lane, then by begin, then by arrival. */
static int by_lane(const void *a, const void *b)
{
    const kt_trace_item *left = a, *right = b;
    int order = compare(left->lane, right->lane);
    if (order == 0)
        order = compare(left->begin_ns, right->begin_ns);
    return order ? order : compare(left->sequence, right->sequence);
}

static kt_status add_lane(kt_trace *trace, kt_trace_layout *l, uint32_t track, uint32_t number)
{
    kt_trace_lane *longer =
        kt_make_room(l->lanes, &l->lane_room, l->lane_count + 1, sizeof *longer);
    if (!longer)
        return KT_NO_MEMORY;
    l->lanes = longer;
    kt_trace_track_key key;
    memcpy(&key, kt_names_get(&trace->tracks, track), sizeof key);
    l->lanes[l->lane_count++] = (kt_trace_lane){.track = kt_names_get(&trace->texts, key.name),
                                                .is_counter = key.is_counter,
                                                .process = key.process,
                                                .number = number};
    return KT_OK;
}

/* Assigns a lane to each event, and sorts the events for output. */
static kt_status lay_out_lanes(kt_trace *trace, kt_trace_layout *l)
{
    uint32_t count = trace->item_count;
    size_t first_lane = 0; /* first lane of the track */
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

static kt_status lay_out_processes(const kt_trace *trace, kt_trace_layout *l)
{
    l->processes = kt_alloc(trace->processes.count, sizeof *l->processes);
    l->timelines = kt_alloc(trace->timelines.count, sizeof *l->timelines);
    if (!l->processes || !l->timelines)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < trace->timelines.count; i++)
        l->timelines[i] = (kt_trace_timeline){kt_names_get(&trace->timelines, i), INT64_MAX};
    for (uint32_t i = 0; i < trace->processes.count; i++) {
        kt_trace_process_key key;
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

static kt_status lay_out_omissions(const kt_trace *trace, kt_trace_layout *l)
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

kt_status kt_trace_lay_out(kt_trace *trace, kt_trace_layout *l, kt_trace_document *out)
{
    kt_status status = lay_out_lanes(trace, l);
    if (status == KT_OK)
        status = lay_out_processes(trace, l);
    if (status == KT_OK)
        status = lay_out_omissions(trace, l);
    *out = (kt_trace_document){
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
    return status;
}

void kt_trace_free_layout(kt_trace_layout *l)
{
    kt_lanes_fini(&l->places);
    kt_free(l->lanes);
    kt_free(l->processes);
    kt_free(l->timelines);
    kt_free(l->omissions);
}
