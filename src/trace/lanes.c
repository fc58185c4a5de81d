/* SPDX-License-Identifier: MIT */
#include "trace/lanes.h"

#include "support/alloc.h"

#include <stdbool.h>

/* End of an unused lane: no event fits, so lanes are taken into use in order. */
static const kt_lane_end never = {INT64_MAX, 2};

static bool is_earlier(kt_lane_end a, kt_lane_end b)
{
    return a.end_ns != b.end_ns ? a.end_ns < b.end_ns : a.touches < b.touches;
}

/* True if an event that begins at begin_ns fits behind `end`. `lasts`: the event is longer than 0
 * ns. */
static bool fits(kt_lane_end end, int64_t begin_ns, bool lasts)
{
    return end.end_ns < begin_ns || (end.end_ns == begin_ns && lasts && end.touches == 0);
}

static void set_end(kt_lanes *lanes, uint32_t lane, kt_lane_end end)
{
    uint32_t node = lanes->room + lane;
    lanes->ends[node] = end;
    for (node /= 2; node > 0; node /= 2) {
        kt_lane_end left = lanes->ends[2 * node], right = lanes->ends[2 * node + 1];
        lanes->ends[node] = is_earlier(right, left) ? right : left;
    }
}

/* Doubles the number of leaves. */
static kt_status grow(kt_lanes *lanes)
{
    uint32_t room = lanes->room ? 2 * lanes->room : 4;
    kt_lane_end *old = lanes->ends, *ends = kt_alloc(2 * (size_t)room, sizeof *ends);
    if (!ends)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < 2 * room; i++)
        ends[i] = never;
    uint32_t old_room = lanes->room;
    lanes->ends = ends;
    lanes->room = room;
    for (uint32_t i = 0; i < lanes->count; i++)
        set_end(lanes, i, old[old_room + i]);
    kt_free(old);
    return KT_OK;
}

kt_status kt_lanes_place(kt_lanes *lanes, int64_t begin_ns, int64_t end_ns, uint32_t *lane)
{
    bool lasts = end_ns > begin_ns;
    if (lanes->count > 0 && fits(lanes->ends[1], begin_ns, lasts)) {
        uint32_t node = 1;
        while (node < lanes->room)
            node = 2 * node + !fits(lanes->ends[2 * node], begin_ns, lasts);
        *lane = node - lanes->room;
    } else {
        if (lanes->count == lanes->room && grow(lanes) != KT_OK)
            return KT_NO_MEMORY;
        *lane = lanes->count++;
    }
    set_end(lanes, *lane, (kt_lane_end){end_ns, !lasts});
    return KT_OK;
}

void kt_lanes_clear(kt_lanes *lanes)
{
    while (lanes->count)
        set_end(lanes, --lanes->count, never);
}

void kt_lanes_fini(kt_lanes *lanes)
{
    kt_free(lanes->ends);
    *lanes = (kt_lanes){0};
}
