/* SPDX-License-Identifier: MIT */
/*
 * trace.c - writes a trace as JSON in Chrome's trace event format: complete events ("X"), values of
 * counters ("C"), and the names of processes and threads ("M"),
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. A process is a
 * group of tracks, a thread is a row. The format has one time line, so each host clock's time line
 * begins at its first event.
 */
#include "output/trace/trace.h"

#include "output/json_writer.h"

#include <inttypes.h>
#include <stdio.h>

/* Numbers threads after all processes: viewers treat a thread with its process's number as the
 * process's main thread and show it differently. */
static int64_t thread_id(const kt_trace_document *document, size_t lane)
{
    return (int64_t)document->process_count + (int64_t)lane + 1;
}

static void put_ids(kt_json *json, uint32_t process, int64_t thread)
{
    kt_json_key(json, "pid");
    kt_json_integer(json, (int64_t)process + 1);
    kt_json_key(json, "tid");
    kt_json_integer(json, thread);
}

static void begin_metadata(kt_json *json, const char *name, uint32_t process, int64_t thread,
                           const char *key)
{
    kt_json_open_line(json, '{');
    kt_json_key(json, "name");
    kt_json_text(json, name);
    kt_json_key(json, "ph");
    kt_json_text(json, "M");
    put_ids(json, process, thread);
    kt_json_key(json, "args");
    kt_json_open(json, '{');
    kt_json_key(json, key);
}

static void end_event(kt_json *json)
{
    kt_json_close(json, '}');
    kt_json_close(json, '}');
}

/* Writes one text: the name, `before`, the suffix and `after`. */
static void put_name(kt_json *json, const char *name, const char *before, const char *suffix,
                     const char *after)
{
    kt_json_begin_text(json);
    kt_json_add_text(json, name);
    kt_json_add_text(json, before);
    kt_json_add_text(json, suffix);
    kt_json_add_text(json, after);
    kt_json_end_text(json);
}

/* Writes the name of a group of tracks. If the trace has several time lines, the name includes the
 * group's. */
static void put_process(kt_json *json, const kt_trace_document *document, uint32_t index)
{
    const kt_trace_process *process = &document->processes[index];
    begin_metadata(json, "process_name", index, 0, "name");
    if (document->timeline_count > 1)
        put_name(json, process->name, " [", document->timelines[process->timeline].name, "]");
    else
        kt_json_text(json, process->name);
    end_event(json);
    begin_metadata(json, "process_sort_index", index, 0, "sort_index");
    kt_json_integer(json, index);
    end_event(json);
}

static void put_thread(kt_json *json, const kt_trace_document *document, size_t index)
{
    const kt_trace_lane *lane = &document->lanes[index];
    int64_t thread = thread_id(document, index);
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, lane->number + 1);
    begin_metadata(json, "thread_name", lane->process, thread, "name");
    if (lane->number > 0)
        put_name(json, lane->track, " (", number, ")");
    else
        kt_json_text(json, lane->track);
    end_event(json);
    begin_metadata(json, "thread_sort_index", lane->process, thread, "sort_index");
    kt_json_integer(json, (int64_t)index);
    end_event(json);
}

static void put_args(kt_json *json, const kt_trace_document *document, const kt_trace_item *item)
{
    kt_json_key(json, "args");
    kt_json_open(json, '{');
    for (uint32_t i = 0; i < item->arg_count; i++) {
        const kt_trace_item_arg *arg = &document->args[item->first_arg + i];
        kt_json_key(json, document->text(document->texts, arg->name));
        if (arg->is_text)
            kt_json_text(json, document->text(document->texts, arg->text));
        else
            kt_json_integer(json, arg->number);
    }
    kt_json_key(json, "uncertainty_ns");
    kt_json_number(json, item->uncertainty_ns);
    kt_json_close(json, '}');
}

/* Time from one instant to a later one. It fits into uint64_t, whatever the signs of the instants.
 * */
static uint64_t distance_ns(int64_t from_ns, int64_t to_ns)
{
    return (uint64_t)to_ns - (uint64_t)from_ns;
}

static void put_event(kt_json *json, const kt_trace_document *document, size_t lane_index,
                      const kt_trace_item *item)
{
    const kt_trace_lane *lane = &document->lanes[lane_index];
    uint32_t timeline = document->processes[lane->process].timeline;
    kt_json_open_line(json, '{');
    kt_json_key(json, "name");
    kt_json_text(json, document->text(document->texts, item->name));
    kt_json_key(json, "cat");
    kt_json_text(json, document->text(document->texts, item->category));
    kt_json_key(json, "ph");
    kt_json_text(json, "X");
    kt_json_key(json, "ts");
    kt_json_us(json, distance_ns(document->timelines[timeline].first_ns, item->begin_ns));
    kt_json_key(json, "dur");
    kt_json_us(json, distance_ns(item->begin_ns, item->end_ns));
    put_ids(json, lane->process, thread_id(document, lane_index));
    put_args(json, document, item);
    kt_json_close(json, '}');
}

/* Writes a value of a counter, whose track is named by the event and not by a thread. */
static void put_value(kt_json *json, const kt_trace_document *document, const kt_trace_lane *lane,
                      const kt_trace_item *item)
{
    uint32_t timeline = document->processes[lane->process].timeline;
    kt_json_open_line(json, '{');
    kt_json_key(json, "name");
    kt_json_text(json, lane->track);
    kt_json_key(json, "ph");
    kt_json_text(json, "C");
    kt_json_key(json, "ts");
    kt_json_us(json, distance_ns(document->timelines[timeline].first_ns, item->begin_ns));
    kt_json_key(json, "pid");
    kt_json_integer(json, (int64_t)lane->process + 1);
    kt_json_key(json, "args");
    kt_json_open(json, '{');
    kt_json_key(json, document->text(document->texts, item->name));
    kt_json_number(json, item->value);
    kt_json_close(json, '}');
    kt_json_close(json, '}');
}

static void put_events(kt_json *json, const kt_trace_document *document)
{
    kt_json_key(json, "traceEvents");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < document->process_count; i++)
        put_process(json, document, i);
    for (size_t i = 0; i < document->lane_count; i++)
        if (!document->lanes[i].is_counter)
            put_thread(json, document, i);
    const kt_trace_item *item = document->items;
    for (size_t i = 0; i < document->lane_count; i++) {
        const kt_trace_lane *lane = &document->lanes[i];
        for (size_t k = 0; k < lane->event_count; k++, item++)
            if (lane->is_counter)
                put_value(json, document, lane, item);
            else
                put_event(json, document, i, item);
    }
    kt_json_close(json, ']');
}

/* Writes the member "otherData", which the format leaves open. Instants are text, like ticks in
 * result files: many readers store numbers as doubles, which cannot hold them. */
static void put_other(kt_json *json, const kt_trace_document *document)
{
    kt_json_key(json, "otherData");
    kt_json_open(json, '{');
    kt_json_key(json, "kerntime");
    kt_json_text(json, document->version);
    kt_json_key(json, "timelines");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < document->timeline_count; i++) {
        kt_json_open_line(json, '{');
        kt_json_key(json, "clock");
        kt_json_text(json, document->timelines[i].name);
        kt_json_key(json, "first_ns");
        kt_json_instant(json, document->timelines[i].first_ns);
        kt_json_key(json, "pids");
        kt_json_open(json, '[');
        for (uint32_t k = 0; k < document->process_count; k++)
            if (document->processes[k].timeline == i)
                kt_json_integer(json, (int64_t)k + 1);
        kt_json_close(json, ']');
        kt_json_close(json, '}');
    }
    kt_json_close(json, ']');
    kt_json_key(json, "lost");
    kt_json_integer(json, (int64_t)document->lost);
    kt_json_key(json, "omitted");
    kt_json_open_line(json, '{');
    for (uint32_t i = 0; i < document->omission_count; i++) {
        kt_json_key(json, document->omissions[i].reason);
        kt_json_integer(json, (int64_t)document->omissions[i].count);
    }
    kt_json_close(json, '}');
    kt_json_close(json, '}');
}

void kt_print_trace(const kt_trace_document *document, kt_writer *writer)
{
    kt_json json = {.writer = writer};
    kt_json_open(&json, '{');
    kt_json_key(&json, "displayTimeUnit");
    kt_json_text(&json, "ns");
    put_other(&json, document);
    put_events(&json, document);
    kt_json_close(&json, '}');
}
