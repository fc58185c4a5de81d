/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a trace while events are added.
 *
 * Room trace: events of devices and host on one time line, each text stored once, sorted into lanes
 * for output. May know: support.
 */
#ifndef KT_TRACE_TRACE_H
#define KT_TRACE_TRACE_H

#include "support/thread.h"
#include "trace/layout.h"
#include "trace/names.h"

#include <kerntime/trace.h>

/* Numbers that identify a process and a track; names are numbers in `texts`. */
typedef struct kt_trace_process_key {
    uint32_t timeline, name;
} kt_trace_process_key;

typedef struct kt_trace_track_key {
    uint32_t process, name;
    uint32_t is_counter; /* a track has either events or values */
} kt_trace_track_key;

struct kt_trace {
    kt_mutex *mutex;
    uint32_t events_max;
    kt_names texts;
    kt_names timelines; /* names of timelines */
    kt_names processes; /* stores a kt_trace_process_key each */
    kt_names tracks;    /* stores a kt_trace_track_key each */
    kt_names reasons;   /* reasons of omissions */
    kt_trace_item *items;
    uint32_t item_count;
    size_t item_room;
    kt_trace_item_arg *args;
    size_t arg_count, arg_room;
    uint64_t lost, omitted;
    uint64_t *omissions; /* number of omitted events, by reason */
    size_t omission_room;
};

#endif
