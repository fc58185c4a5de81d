/* SPDX-License-Identifier: MIT */
/*
 * collector.h - what the parts of the reader of process files share: collect.c reads the files,
 * collect_process.c checks and takes in one of them, collect_rows.c merges rows and makes their
 * numbers, and collect_events.c gives the events of the time line.
 */
#ifndef TRACERS_COMMON_COLLECTOR_H
#define TRACERS_COMMON_COLLECTOR_H

#include "tracers/common/collect.h"
#include "tracers/common/settings.h"

#include <math.h>

/* The copy of a process file, which may be damaged: nothing in it is believed unchecked. */
typedef struct trace_image {
    unsigned char *bytes;
    uint64_t size;
    char name[64];
    bool is_damaged;
    /* Rows of the file and of the totals, by offset, the largest first. */
    struct row_link {
        uint64_t offset;
        uint32_t row;
    } * links;
    size_t link_count;
} trace_image;

/* What is merged into a row besides its totals. */
typedef struct row_rest {
    double inflation_sum; /* weighted by the number of times */
    uint64_t inflation_count;
    double bytes_ns;
} row_rest;

typedef struct collector {
    trace_totals *out;
    trace_image **images;
    size_t image_count, image_room;
    row_rest *rests; /* of the rows */
    size_t row_room, device_room, process_room, gap_room;
    uint32_t *table; /* hash table of row numbers + 1 */
    size_t table_size;
    kt_histogram cost[TRACE_API_COUNT]; /* of calls that were timed, in all processes */
    struct process_cost {
        trace_api api;
        double median_ns; /* NaN: no call was timed, so that of the API counts */
        uint64_t calls;
    } * costs; /* of the processes */
    size_t cost_count, cost_room;
    struct device_use {
        uint32_t device;
        int64_t process;
    } * uses; /* each once: a process that called exec() has several files */
    size_t use_count, use_room;
    double reading_ns;
    char version[TRACE_VERSION_BYTES]; /* of the settings; "": unknown */
    bool no_memory;
    char **texts; /* owned */
    size_t text_count, text_room;
} collector;

/* All functions that return false or UINT32_MAX for lack of memory also set `no_memory`. */

/* Grows a list, `*(void **)list`, to at least `needed` items of `bytes` bytes. */
bool collect_make_room(collector *c, void *list, size_t *room, size_t needed, size_t bytes);
/* Adds calls to a gap; the text lives as long as the collector. */
void collect_add_gap(collector *c, const char *text, uint64_t calls);
/* The same for a copy of the text. */
void collect_add_sentence(collector *c, const char *text, uint64_t calls);

/* Part of an image by its offset in the file; NULL: not within it. */
void *collect_part(const trace_image *from, uint64_t offset, size_t bytes);
/* Takes in one process file; what is damaged becomes a gap. */
void collect_image(collector *c, trace_image *from);
/* Head of an image that collect_image() took in; NULL: it is no process file. */
trace_file_head *collect_head(const collector *c, const trace_image *from);

/* Number of the row, which is added if it is new. UINT32_MAX: no memory. */
uint32_t collect_find_row(collector *c, uint32_t device, trace_kind kind, const char *name,
                          const char *size);
void collect_merge_row(collector *c, uint32_t number, const trace_file_row *from);
/* Makes the numbers of all rows, sorts those that were called, drops the others, and sets the links
 * to them. */
bool collect_finish_rows(collector *c);

/* Median of a histogram, within its buckets; NaN: it is empty. */
static inline double collect_median(const kt_histogram *of)
{
    uint64_t count = kt_histogram_count(of);
    if (count == 0)
        return NAN;
    return (kt_histogram_at_rank(of, (count + 1) / 2) + kt_histogram_at_rank(of, count / 2 + 1)) /
           2;
}

static inline double collect_plus(double sum, double more)
{
    return isnan(sum) ? more : sum + more;
}

#endif
