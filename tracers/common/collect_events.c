/* SPDX-License-Identifier: MIT */
#include "tracers/common/collector.h"

#include <math.h>
#include <stdlib.h>

static int compare_links(const void *left, const void *right)
{
    const struct row_link *a = left, *b = right;
    return (a->offset < b->offset) - (a->offset > b->offset);
}

/* Number of a row of the totals; UINT32_MAX: none. */
static uint32_t linked_row(const trace_image *from, uint64_t offset)
{
    struct row_link key = {.offset = offset};
    const struct row_link *link =
        from->link_count ? bsearch(&key, from->links, from->link_count, sizeof key, compare_links)
                         : NULL;
    return link ? link->row : UINT32_MAX;
}

typedef struct event_source {
    const trace_image *from;
    trace_file_head *head;
    uint32_t process;
} event_source;

static bool make_event(const event_source *source, const trace_event *event, trace_total_event *out)
{
    uint32_t row = linked_row(source->from, event->row);
    const trace_file_row *at = collect_part(source->from, event->row, sizeof *at);
    if (row == UINT32_MAX || !at || event->end_ns < event->begin_ns)
        return false;
    const trace_file_device *device = &source->head->devices[at->device];
    *out = (trace_total_event){.row = row,
                               .process = source->process,
                               .thread = event->thread,
                               .queue = event->queue,
                               .begin_ns = event->begin_ns,
                               .end_ns = event->end_ns,
                               .call_begin_ns = event->call_begin_ns,
                               .call_end_ns = event->call_end_ns,
                               .uncertainty_ns = device->uncertainty_ns};
    double offset_ns = device->offset_ns;
    if (isnan(device->uncertainty_ns) || !(fabs(offset_ns) < 0x1p62))
        return true;
    int64_t offset = (int64_t)offset_ns;
    if (event->begin_ns > INT64_MAX / 4 || event->end_ns > INT64_MAX / 4 ||
        event->begin_ns < INT64_MIN / 4)
        return false;
    out->begin_ns += offset;
    out->end_ns += offset;
    return true;
}

static bool each_of_image(const event_source *source,
                          bool (*take)(void *user, const trace_total_event *event), void *user)
{
    uint64_t before = UINT64_MAX;
    for (uint64_t at = source->head->chunks; at;) {
        trace_file_chunk *chunk =
            at < before ? collect_part(source->from, at, sizeof *chunk) : NULL;
        if (!chunk || chunk->count > TRACE_CHUNK_EVENTS)
            return true;
        uint32_t count = chunk->count;
        for (uint32_t i = 0; i < count; i++) {
            trace_total_event event;
            if (make_event(source, &chunk->events[i], &event) && !take(user, &event))
                return false;
        }
        before = at;
        at = chunk->next;
    }
    return true;
}

void trace_each_event(const trace_totals *totals,
                      bool (*take)(void *user, const trace_total_event *event), void *user)
{
    const collector *c = totals->owned;
    uint32_t process = 0;
    for (size_t i = 0; c && i < c->image_count; i++) {
        trace_file_head *head = collect_head(c, c->images[i]);
        if (!head)
            continue;
        event_source source = {c->images[i], head, process++};
        if (!each_of_image(&source, take, user))
            return;
    }
}
