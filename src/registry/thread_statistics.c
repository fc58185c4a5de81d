/* SPDX-License-Identifier: MIT */
#include "registry/thread_statistics.h"

#include "support/alloc.h"
#include "support/error.h"
#include "support/host_clock.h"

/* Pause between tries to read a row whose writer was interrupted in the middle of a record. */
#define PAUSE_NS 20000
/* A record takes ns, but its thread may wait for a core. */
#define WAIT_NS INT64_C(2000000000)

kt_row_statistics kt_no_row_statistics;

static kt_status make_room(kt_thread_statistics *thread, uint32_t row)
{
    if (row < thread->active.room)
        return KT_OK;
    size_t needed = (size_t)row + 1;
    _Atomic(kt_row_statistics *) *active =
        kt_make_room(thread->active.rows, &thread->active_room, needed, sizeof *active);
    if (!active)
        return KT_NO_MEMORY;
    thread->active.rows = active;
    kt_row_buffers *buffers =
        kt_make_room(thread->buffers, &thread->buffers_room, needed, sizeof *buffers);
    if (!buffers)
        return KT_NO_MEMORY;
    thread->buffers = buffers;
    for (uint32_t i = thread->active.room; i <= row; i++) {
        atomic_init(&active[i], &kt_no_row_statistics);
        buffers[i] = (kt_row_buffers){0};
    }
    thread->active.room = row + 1;
    return KT_OK;
}

kt_status kt_thread_statistics_add_row(kt_thread_statistics *thread, uint32_t row)
{
    if (make_room(thread, row) != KT_OK)
        return KT_NO_MEMORY;
    kt_row_buffers *buffers = &thread->buffers[row];
    if (buffers->rows[0])
        return KT_OK;
    buffers->rows[0] = kt_alloc(1, sizeof(kt_row_statistics));
    if (!buffers->rows[0])
        return KT_NO_MEMORY;
    atomic_store_explicit(&thread->active.rows[row], buffers->rows[0], memory_order_release);
    return KT_OK;
}

/* Adds the contents of buffer `which` to `all`. */
static void add_row_statistics(kt_row_buffers *buffers, int which, uint64_t sequence,
                               kt_accumulator *all, const kt_accumulator *part)
{
    if (sequence != buffers->seen[which])
        buffers->newest = which;
    buffers->seen[which] = sequence;
    double last = all->last;
    bool is_newest = buffers->newest == which || all->count == 0;
    kt_accumulator_add(all, part);
    if (!is_newest)
        all->last = last;
}

/* Reads a row, whose thread may be in the middle of a record. */
static kt_status wait_for_row(kt_row_statistics *row, uint64_t epoch, kt_accumulator *part,
                              uint64_t *sequence)
{
    int64_t begin_ns = kt_host_now_ns();
    while (!kt_row_statistics_read(row, epoch, part, sequence)) {
        if (kt_host_now_ns() - begin_ns > WAIT_NS)
            return kt_fail(KT_NOT_READY, "a thread has stopped in the middle of a record");
        kt_system_clock.sleep(kt_system_clock.user, PAUSE_NS);
    }
    return KT_OK;
}

kt_status kt_thread_statistics_read(kt_thread_statistics *thread, uint32_t row, uint64_t epoch,
                                    kt_accumulator *all, kt_accumulator *part)
{
    if (row >= thread->active.room || !thread->buffers[row].rows[0])
        return KT_OK;
    uint64_t sequence;
    kt_row_buffers *buffers = &thread->buffers[row];
    if (!buffers->rows[1])
        buffers->rows[1] = kt_alloc(1, sizeof(kt_row_statistics));
    if (!buffers->rows[1])
        return KT_NO_MEMORY;
    for (int which = 0; which < 2; which++) {
        atomic_store_explicit(&thread->active.rows[row], buffers->rows[1 - which],
                              memory_order_release);
        kt_status status = wait_for_row(buffers->rows[which], epoch, part, &sequence);
        if (status != KT_OK)
            return status;
        add_row_statistics(buffers, which, sequence, all, part);
    }
    return KT_OK;
}

void kt_thread_statistics_read_own(kt_thread_statistics *thread, uint32_t row, uint64_t epoch,
                                   kt_accumulator *all, kt_accumulator *part)
{
    if (row >= thread->active.room)
        return;
    uint64_t sequence;
    kt_row_buffers *buffers = &thread->buffers[row];
    for (int which = 0; which < 2; which++)
        if (buffers->rows[which] &&
            kt_row_statistics_read(buffers->rows[which], epoch, part, &sequence))
            add_row_statistics(buffers, which, sequence, all, part);
}

void kt_thread_statistics_free(kt_thread_statistics *thread)
{
    for (uint32_t row = 0; row < thread->active.room; row++)
        for (int which = 0; which < 2; which++)
            kt_free(thread->buffers[row].rows[which]);
    kt_free(thread->buffers);
    kt_free(thread->active.rows);
    kt_free(thread);
}
