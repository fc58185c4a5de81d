/* lanes.h - which of several rows an event is drawn in, so that no two in a row overlap. */
#ifndef KT_TRACE_LANES_H
#define KT_TRACE_LANES_H

#include <kerntime/status.h>
#include <stdint.h>

/* When a lane is free again. */
typedef struct kt_lane_end {
    int64_t end_ns;
    uint32_t touches; /* 1: not in the same ns, for the event lasted none */
} kt_lane_end;

/* Begins zeroed. */
typedef struct kt_lanes {
    /* a tree: the lanes are its leaves, and each other node is the earlier of its two */
    kt_lane_end *ends;
    uint32_t room;  /* leaves, a power of two; the first is ends[room] */
    uint32_t count; /* lanes in use */
} kt_lanes;

/*
 * The lowest lane in which the event overlaps none: one ends no later than the next begins, and one
 * that lasts 0 ns does not even touch another. Events come by their begin, those of the same begin
 * by their end; then there are as many lanes as events at the worst moment, and no more.
 * KT_NO_MEMORY.
 */
kt_status kt_lanes_place(kt_lanes *lanes, int64_t begin_ns, int64_t end_ns, uint32_t *lane);

/* No event is in any lane. */
void kt_lanes_clear(kt_lanes *lanes);
void kt_lanes_fini(kt_lanes *lanes);

#endif
