/*
 * shard.h - what one thread has recorded, by number of the row. For registry.c, which holds its
 * lock around everything here but kt_shard_bank().
 *
 * Each row has a cell with two banks. The thread writes to the one that is active; who reads makes
 * the other one active and reads the one that was left, there and back, so that both are read while
 * nobody is about to write to them. A record that began before the turn is waited for, and one that
 * is only then about to begin on the bank that was left is in the next reading. Both banks only
 * ever grow: none of their durations is lost or counted twice.
 */
#ifndef KT_REGISTRY_SHARD_H
#define KT_REGISTRY_SHARD_H

#include "registry/bank.h"
#include "support/thread.h"

#include <kerntime/status.h>
#include <stddef.h>

typedef struct kt_cell {
    kt_bank *banks[2]; /* the second is made when it is read for the first time */
    uint64_t seen[2];  /* their sequences when they were last read */
    int newest;        /* which of them was written to last, as far as readings tell */
} kt_cell;

typedef struct kt_shard {
    kt_thread_end end;
    struct kt_shard *next;      /* the registry's list */
    uint32_t room;              /* changed by the thread alone, as the pointers to both */
    _Atomic(kt_bank *) *active; /* never NULL; kt_no_bank where there is none */
    kt_cell *cells;
    size_t active_room, cells_room;
} kt_shard;

/* Of no epoch; nobody writes to it. */
extern kt_bank kt_no_bank;

/* The bank to write to, without a lock, by the shard's thread. */
static inline kt_bank *kt_shard_bank(kt_shard *shard, uint32_t row)
{
    if (KT_UNLIKELY(row >= shard->room))
        return &kt_no_bank;
    return atomic_load_explicit(&shard->active[row], memory_order_acquire);
}

/* Makes the cell of a row, if it is not there. By the shard's thread. KT_NO_MEMORY. */
kt_status kt_shard_make_cell(kt_shard *shard, uint32_t row);

/* Adds what the cell holds of this epoch; `part` is room to work in. KT_NO_MEMORY. */
kt_status kt_shard_read(kt_shard *shard, uint32_t row, uint64_t epoch, kt_tally *all,
                        kt_tally *part);

/* The same by the shard's own thread when it records no more, which needs no memory and waits for
 * nothing: a bank in the middle of a record, out of which a signal has taken the thread for good,
 * is left out. */
void kt_shard_read_own(kt_shard *shard, uint32_t row, uint64_t epoch, kt_tally *all,
                       kt_tally *part);

void kt_shard_free(kt_shard *shard);

#endif
