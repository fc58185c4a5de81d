/* SPDX-License-Identifier: MIT */
/*
 * busy.h - union of the spans of a device: time with at least one span, and with several.
 *
 * Spans arrive in batches of queues and threads, each in the order of its queue. They wait in a
 * window, of which the older half is sorted and folded in when the window is full. Spans that are
 * later than that are counted. One thread of the process at a time.
 */
#ifndef TRACERS_COMMON_BUSY_H
#define TRACERS_COMMON_BUSY_H

#include "tracers/common/process_file.h"

#include <stddef.h>

/* Sorts by begin. `scratch` holds as many. Fast if `spans` consists of few sorted parts. */
void trace_sort_intervals(trace_interval *spans, trace_interval *scratch, size_t count);
/* Adds sorted spans. */
void trace_fold(trace_union *to, const trace_interval *sorted, size_t count);
/* The next span will fold the older half in, unless the window gets more room. */
bool trace_window_is_full(const trace_window *window);
/* Adds a span to a window, and folds its older half in when it is full. */
void trace_window_add(trace_window *window, int64_t begin_ns, int64_t end_ns);

#endif
