/* SPDX-License-Identifier: MIT */
/*
 * thread_statistics.h - per-thread statistics by row number. For registry.c, which locks around
 * everything here but kt_row_table_at().
 *
 * Each row has two buffers. The thread writes to the active one. A reader makes the other one
 * active and reads the first, then the reverse, so that each buffer is read while the thread writes
 * elsewhere. The reader waits for a record that began before the switch. A record that only then
 * begins in the inactive buffer is in the next reading. Both buffers only grow: no duration is lost
 * or counted twice.
 */
#ifndef KT_REGISTRY_THREAD_STATISTICS_H
#define KT_REGISTRY_THREAD_STATISTICS_H

#include "registry/row_statistics.h"
#include "support/thread.h"

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kt_row_buffers {
    kt_row_statistics *rows[2]; /* the first reading allocates the second buffer */
    uint64_t seen[2];           /* sequence number of each buffer at the last reading */
    int newest;                 /* buffer with the latest record, as far as readings show */
} kt_row_buffers;

/* By row, the buffer to write to; &kt_no_row_statistics if there is none. */
typedef struct kt_row_table {
    _Atomic(kt_row_statistics *) *rows;
    uint32_t room;
} kt_row_table;

typedef struct kt_thread_statistics {
    kt_thread_end end;
    struct kt_thread_statistics *next; /* next thread in the registry */
    bool gone;                         /* the process forked, and its thread stayed in the parent */
    kt_row_table active;               /* only the thread changes it and the buffers */
    kt_row_buffers *buffers;
    size_t active_room, buffers_room;
} kt_thread_statistics;

/* Placeholder for a row without buffers. It has no epoch and is never written to. */
extern kt_row_statistics kt_no_row_statistics;

/* Returns the row to write to, without a lock. Only for the owning thread. */
static inline kt_row_statistics *kt_row_table_at(const kt_row_table *table, uint32_t row)
{
    if (KT_UNLIKELY(row >= table->room))
        return &kt_no_row_statistics;
    return atomic_load_explicit(&table->rows[row], memory_order_acquire);
}

/* Creates the buffers of a row if needed. Only for the owning thread. KT_NO_MEMORY. */
kt_status kt_thread_statistics_add_row(kt_thread_statistics *thread, uint32_t row);

/* Adds the records of `epoch` to `all`; `part` is scratch. KT_NO_MEMORY. KT_NOT_READY: the thread
 * stands still in the middle of a record. */
kt_status kt_thread_statistics_read(kt_thread_statistics *thread, uint32_t row, uint64_t epoch,
                                    kt_accumulator *all, kt_accumulator *part);

/* As kt_thread_statistics_read(), while the owning thread does not record: for that thread itself,
 * or when it is gone. Needs no memory and does not wait. Skips a row whose record a signal or a
 * fork interrupted for good. */
void kt_thread_statistics_read_own(kt_thread_statistics *thread, uint32_t row, uint64_t epoch,
                                   kt_accumulator *all, kt_accumulator *part);

void kt_thread_statistics_free(kt_thread_statistics *thread);

#endif
