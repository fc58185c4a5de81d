/* native.h - the instrumentation API of Level Zero: cells of events and stamps, and what the program's
 * devices are. */
#ifndef KT_LEVEL_ZERO_NATIVE_H
#define KT_LEVEL_ZERO_NATIVE_H

#include "backends/level_zero/internal.h"
#include "support/thread.h"

#define LEVEL_ZERO_CELL_BYTES (2 * sizeof(uint64_t))

/* An event, and host memory for the stamps that are written before it is signalled. */
typedef struct level_zero_cell {
    struct level_zero_cell *next; /* of those that may be taken */
    ze_event_handle_t event;
    bool taken;           /* since when a command may signal its event, or write its stamps: */
    uint32_t stamp_count; /* so many were put in */
    bool signals;         /* and what signals the event */
    uint64_t *stamps;     /* start and end by the global clock; NULL of one that is handed out */
} level_zero_cell;

typedef struct level_zero_block level_zero_block;

typedef struct level_zero_cells {
    const level_zero_base *base;
    bool has_stamps;               /* its events, which then are handed out */
    kt_mutex *mutex;               /* guards what follows */
    level_zero_block *blocks;      /* the newest first */
    level_zero_cell *first, *last; /* that may be taken */
} level_zero_cells;

kt_status level_zero_cells_init(level_zero_cells *cells, const level_zero_base *base,
                                bool has_stamps);
/* All that were made, wherever they are, but for blocks that the device may still write to: those
 * are left to the driver. */
void level_zero_cells_fini(level_zero_cells *cells);
/* KT_INVALID: the program has used one anew, which is never taken again. Its event is not
 * signalled, and its stamps are 0. */
kt_status level_zero_cell_take(level_zero_cells *cells, level_zero_cell **out);
/* Whether the device has done with what was put in. */
bool level_zero_cell_is_done(const level_zero_cells *cells, const level_zero_cell *cell);
/* Of one that no command will signal or write to any more; any other is kept until they all go. */
void level_zero_cell_give(level_zero_cells *cells, level_zero_cell *cell);

typedef struct level_zero_native {
    ze_api api;
    level_zero_base base;
    bool has_kernel_stamps, has_global_stamps;
    bool by_tile; /* events give a result for each tile */
    uint32_t kernel_bits;
    level_zero_cells own;    /* whose events say that stamps were written */
    level_zero_cells handed; /* whose events the program's commands signal */
} level_zero_native;

typedef struct level_zero_mark {
    level_zero_cell *cell;
    bool is_command; /* its event was handed out */
    bool in_use;     /* the device may signal its event, or write its stamps */
} level_zero_mark;

/* Whether a list is of this kind, and of the native's context and device. */
kt_status level_zero_check_list(const level_zero_native *n, ze_command_list_handle_t list,
                                bool immediate);
/* KT_UNSUPPORTED with a sentence: the device has no such stamps. */
kt_status level_zero_check_global(const level_zero_native *n);
kt_status level_zero_check_kernel(const level_zero_native *n);
/* Puts in a stamp of a cell, 0 or 1; between barriers. */
kt_status level_zero_append_stamp(const level_zero_native *n, ze_command_list_handle_t list,
                                  level_zero_cell *cell, uint32_t which);
/* Puts in what signals its event, behind all else. */
kt_status level_zero_append_signal(const level_zero_native *n, ze_command_list_handle_t list,
                                   level_zero_cell *cell);
/* KT_NOT_READY without a sentence: not yet. */
kt_status level_zero_ask(const level_zero_native *n, ze_event_handle_t event);
/* What was written into a cell; what its event holds, of one that was handed out
 * (KT_STAMP_NOT_READY: no command has signalled it). */
kt_stamp level_zero_written_stamp(const level_zero_cell *cell);
kt_stamp level_zero_event_stamp(const level_zero_native *n, const level_zero_cell *cell);

/* A span of a recording. Cells stay with it, whatever is recorded. */
typedef struct level_zero_span {
    level_zero_cell *own, *handed;
    bool is_command; /* as it was recorded last */
    bool was_put;    /* its first half was */
} level_zero_span;

typedef struct level_zero_recording {
    level_zero_native *native;
    ze_command_list_handle_t list;
    level_zero_span *spans;
    uint32_t spans_max;
    bool was_submitted; /* a run may be in flight */
} level_zero_recording;

kt_status level_zero_native_init(void *native, const void *desc, kt_clock_info *clocks);
void level_zero_native_fini(void *native);
kt_status level_zero_stream_init(void *native, void *stream, bool *in_order);
kt_status level_zero_mark_start(void *native, void *stream, void *mark);
kt_status level_zero_mark_stop(void *native, void *stream, void *mark);
kt_status level_zero_mark_hand_out(void *native, void *mark, void **object);
kt_status level_zero_mark_read(void *native, void *mark, kt_stamp *stamp);
void level_zero_mark_fini(void *native, void *mark);
kt_status level_zero_recording_init(void *recording, void *native, uint32_t spans_max);
void level_zero_recording_fini(void *recording);
kt_status level_zero_recording_begin(void *recording, void *commands, uint32_t usage);
kt_status level_zero_recording_stamp(void *recording, uint32_t span, bool end);
kt_status level_zero_recording_hand_out(void *recording, uint32_t span, void **object);
kt_status level_zero_recording_submit(void *recording);
void level_zero_recording_reset(void *recording);
kt_status level_zero_recording_read(void *recording, uint32_t count, bool beside, kt_stamp *stamps);

#endif
