/* SPDX-License-Identifier: MIT */
/* layout.h - sorts the events of a trace into lanes and into the order of output. */
#ifndef KT_TRACE_LAYOUT_H
#define KT_TRACE_LAYOUT_H

#include "trace/lanes.h"

#include <kerntime/trace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kt_trace_timeline {
    const char *name;
    int64_t first_ns; /* begin of the first event of the timeline */
} kt_trace_timeline;

typedef struct kt_trace_process {
    const char *name;
    uint32_t timeline;
} kt_trace_process;

/* Events of one track that do not overlap, or values of a counter. */
typedef struct kt_trace_lane {
    const char *track;
    bool is_counter;
    uint32_t process;
    uint32_t number; /* index of the lane within its track, from 0 */
    size_t event_count;
} kt_trace_lane;

/* An argument of an event. Names and texts are numbers for kt_trace_document.text(). */
typedef struct kt_trace_item_arg {
    uint32_t name;
    bool is_text;
    uint32_t text;
    int64_t number;
} kt_trace_item_arg;

/* An event. Name and category are numbers for kt_trace_document.text(). A value of a counter has
 * neither category nor arguments, and ends when it begins. */
typedef struct kt_trace_item {
    int64_t begin_ns, end_ns;
    union {
        double uncertainty_ns;
        double value; /* of a counter */
    };
    size_t first_arg;
    uint32_t arg_count;
    uint32_t name, category;
    uint32_t track, sequence, lane; /* internal to the trace */
} kt_trace_item;

typedef struct kt_trace_omission {
    const char *reason;
    uint64_t count;
} kt_trace_omission;

typedef struct kt_trace_document {
    const char *version; /* version of kerntime */
    const kt_trace_timeline *timelines;
    uint32_t timeline_count;
    const kt_trace_process *processes;
    uint32_t process_count;
    const kt_trace_lane *lanes; /* in display order */
    size_t lane_count;
    const kt_trace_item *items; /* events, sorted by lane */
    const kt_trace_item_arg *args;
    const char *(*text)(const void *texts, uint32_t number);
    const void *texts;
    uint64_t lost;
    const kt_trace_omission *omissions;
    uint32_t omission_count;
} kt_trace_document;

/* Arrays of a document that the trace does not own. */
typedef struct kt_trace_layout {
    kt_trace_timeline *timelines;
    kt_trace_process *processes;
    kt_trace_lane *lanes;
    size_t lane_count, lane_room;
    kt_trace_omission *omissions;
    kt_lanes places;
} kt_trace_layout;

/* Sorts the events of the trace, whose mutex must be locked. The document is valid until the trace
 * changes or the layout is freed. Free the layout in any case. KT_NO_MEMORY. */
kt_status kt_trace_lay_out(kt_trace *trace, kt_trace_layout *layout, kt_trace_document *out);
void kt_trace_free_layout(kt_trace_layout *layout);

#endif
