/* SPDX-License-Identifier: MIT */
/* lanes.h - assigns events to lanes, so that no two events in a lane overlap. */
#ifndef KT_TRACE_LANES_H
#define KT_TRACE_LANES_H

#include <kerntime/status.h>
#include <stdint.h>

/* End of the last event in a lane. */
typedef struct kt_lane_end {
    int64_t end_ns;
    uint32_t touches; /* 1 if the last event lasts 0 ns, so no event may begin in the same ns */
} kt_lane_end;

/* Lanes of one track. A zeroed struct has no lanes. */
typedef struct kt_lanes {
    /* binary tree: the lanes are its leaves, and each other node is the earlier of its two
     * children */
    kt_lane_end *ends;
    uint32_t room;  /* leaves, a power of two; the first is ends[room] */
    uint32_t count; /* lanes in use */
} kt_lanes;

/*
 * Finds the lowest lane in which the event overlaps no other. Events may touch, but not an event of
 * 0 ns. Add events ordered by begin, then by end: there are then only as many lanes as events at
 * the busiest moment. KT_NO_MEMORY.
 */
kt_status kt_lanes_place(kt_lanes *lanes, int64_t begin_ns, int64_t end_ns, uint32_t *lane);

/* Removes all events from the lanes. */
void kt_lanes_clear(kt_lanes *lanes);
void kt_lanes_fini(kt_lanes *lanes);

#endif
