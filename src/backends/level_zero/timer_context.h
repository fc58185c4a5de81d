/* SPDX-License-Identifier: MIT */
/* timer_context.h - the instrumentation API of Level Zero: the timer context, and its cells of
 * events and timestamps. */
#ifndef KT_LEVEL_ZERO_TIMER_CONTEXT_H
#define KT_LEVEL_ZERO_TIMER_CONTEXT_H

#include "backends/level_zero/internal.h"
#include "support/thread.h"

#define LEVEL_ZERO_CELL_BYTES (2 * sizeof(uint64_t))

/* An event, and host memory for the timestamps that are written before it is signalled. */
typedef struct level_zero_cell {
    struct level_zero_cell *next; /* the next cell in the list of unused cells */
    ze_event_handle_t event;
    bool taken;               /* in use: a command may signal its event or write its timestamps */
    uint32_t timestamp_count; /* number of timestamp commands appended to a list */
    bool signals;             /* a command that signals the event was appended */
    uint64_t *timestamps;     /* start and end by the global clock; NULL in a handed-out cell */
} level_zero_cell;

typedef struct level_zero_block level_zero_block;

typedef struct level_zero_cells {
    const level_zero_base *base;
    bool has_timestamps;           /* the cells' events have timestamps and are handed out */
    kt_mutex *mutex;               /* guards the fields below */
    level_zero_block *blocks;      /* list of blocks of cells, the newest first */
    level_zero_cell *first, *last; /* unused cells, the longest unused first */
} level_zero_cells;

kt_status kt_level_zero_cells_init(level_zero_cells *cells, const level_zero_base *base,
                                   bool has_timestamps);
/* Destroys all cells, also those in use. Blocks that the device may still write to are left to the
 * driver. */
void kt_level_zero_cells_fini(level_zero_cells *cells);
/* Takes a cell whose event is not signalled and whose timestamps are 0. KT_INVALID: the program had
 * its event signalled again after use; that cell is never taken again. */
kt_status kt_level_zero_cell_take(level_zero_cells *cells, level_zero_cell **out);
/* Whether the device has executed the commands appended for the cell. */
bool kt_level_zero_cell_is_done(const level_zero_cells *cells, const level_zero_cell *cell);
/* Gives back a cell that no command will signal or write to any more. Other cells stay in use until
 * kt_level_zero_cells_fini(). */
void kt_level_zero_cell_give(level_zero_cells *cells, level_zero_cell *cell);

typedef struct level_zero_timer_context {
    ze_api api;
    level_zero_base base;
    bool has_kernel_timestamps, has_global_timestamps;
    bool by_tile; /* events give a result for each tile */
    uint32_t kernel_bits;
    level_zero_cells own;    /* kerntime's cells: their events show that timestamps were written */
    level_zero_cells handed; /* handed-out cells: the program's commands signal their events */
} level_zero_timer_context;

typedef struct level_zero_mark {
    level_zero_cell *cell;
    bool is_command; /* the cell's event was handed out */
    bool in_use;     /* the device may signal the cell's event, or write its timestamps */
} level_zero_mark;

/* Checks that a command list is an immediate list if `immediate`, else a regular list, and belongs
 * to the imported context and device. */
kt_status kt_level_zero_check_list(const level_zero_timer_context *n, ze_command_list_handle_t list,
                                   bool immediate);
/* KT_UNSUPPORTED with an error text: the device has no global (or kernel) timestamps. */
kt_status kt_level_zero_check_global(const level_zero_timer_context *n);
kt_status kt_level_zero_check_kernel(const level_zero_timer_context *n);
/* Appends timestamp 0 (start) or 1 (end) of a cell, between barriers that the caller appends. */
kt_status kt_level_zero_append_timestamp(const level_zero_timer_context *n,
                                         ze_command_list_handle_t list, level_zero_cell *cell,
                                         uint32_t which);
/* Appends a barrier that signals the cell's event behind all commands. */
kt_status kt_level_zero_append_signal(const level_zero_timer_context *n,
                                      ze_command_list_handle_t list, level_zero_cell *cell);
/* Queries an event. KT_NOT_READY without an error text: the event is not signalled yet. */
kt_status kt_level_zero_ask(const level_zero_timer_context *n, ze_event_handle_t event);
/* The timestamps written into a cell, and those of a handed-out cell's event
 * (KT_TIMESTAMP_NOT_READY: no command has signalled it). */
kt_timestamp kt_level_zero_written_timestamp(const level_zero_cell *cell);
kt_timestamp kt_level_zero_event_timestamp(const level_zero_timer_context *n,
                                           const level_zero_cell *cell);

/* A span of a recording. Its cells stay with it across recordings. */
typedef struct level_zero_span {
    level_zero_cell *own, *handed;
    bool is_command; /* in the latest recording, the event of `handed` was handed out */
    bool was_put;    /* the span's start was recorded */
} level_zero_span;

typedef struct level_zero_recording {
    level_zero_timer_context *context;
    ze_command_list_handle_t list;
    level_zero_span *spans;
    uint32_t spans_max;
    bool was_submitted; /* a run of the recording may be in flight */
} level_zero_recording;

KT_DECLARE_TIMER_SLOTS(level_zero)

#endif
