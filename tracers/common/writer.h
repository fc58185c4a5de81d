/* SPDX-License-Identifier: MIT */
/*
 * writer.h - what the files of the writing side share. One lock guards the process file; it stays
 * in the process.
 */
#ifndef TRACERS_COMMON_WRITER_H
#define TRACERS_COMMON_WRITER_H

#include "tracers/common/tracer.h"

/* ---- tracer.c ---- */

/* The head, or NULL: the tracer is off. Opens the file of a child of fork(). */
static inline trace_file_head *tracer_head(void)
{
    uint32_t mode = atomic_load_explicit(&tracer_state.mode, memory_order_acquire);
    if (mode == TRACER_ON || (mode == TRACER_FORKED && tracer_reopen()))
        return tracer_state.head;
    return NULL;
}

/* Locks the process file and returns its head. NULL: off, or a signal handler interrupted this
 * thread in it; then nothing is locked, and that many calls are lost. */
trace_file_head *tracer_lock_for(uint64_t calls);
static inline trace_file_head *tracer_lock(void)
{
    return tracer_lock_for(1);
}
void tracer_unlock(void);
/* With the lock, before open() and its like: a thread that is cancelled there would keep the lock.
 * Lasts until the lock is given back. */
void tracer_turn_cancel_off(void);

/* Adds to a counter of the calling thread: its own ones, which no other thread writes, or for later
 * threads the last ones. */
static inline void tracer_count(trace_file_head *head, trace_counter counter, uint64_t more)
{
    uint32_t thread = tracer_thread();
    if (thread >= TRACE_THREADS - 1) {
        _Atomic(uint64_t) *shared = &head->threads[TRACE_THREADS - 1].counters[counter];
        atomic_fetch_add_explicit(shared, more, memory_order_relaxed);
        return;
    }
    _Atomic(uint64_t) *own = &head->threads[thread].counters[counter];
    uint64_t now = atomic_load_explicit(own, memory_order_relaxed);
    atomic_store_explicit(own, now + more, memory_order_relaxed);
}

/* Notes a function that is not traced; with the lock. */
void tracer_add_gap(trace_file_head *head, const char *clause, uint64_t calls);

/* ---- process_file.c; each with the lock ---- */

/* Makes and maps the file. False: with a sentence in `reason`. */
bool tracer_file_open(const char *folder, trace_api api, const char *rank, char *reason,
                      size_t reason_bytes);
/* Makes the file of a child of fork() in place of its parent's, at the same address. False: as
 * above. */
bool tracer_file_reopen(char *reason, size_t reason_bytes);
/* Reserves zeroed bytes. Returns their offset; 0: no room. */
uint64_t tracer_file_reserve(size_t bytes);
/* As above, without disk space: bytes may be used that tracer_file_back() was true for. */
uint64_t tracer_file_reserve_range(size_t bytes);
bool tracer_file_back(const void *at, size_t bytes);
/* Gives disk space back that was reserved for later. */
void tracer_file_trim(void);
/* Copies a text. 0: no room. */
uint64_t tracer_file_text(const char *text);
void *tracer_at(uint64_t offset);
uint64_t tracer_offset(const void *at);

/* ---- rows.c ---- */

/* The kind of a row that had no room; TRACE_KIND_COUNT: it has room. */
trace_kind tracer_unnamed_kind(const trace_row *row);

/* ---- cost.c ---- */

/* Measures the time for reading the clock. */
void tracer_cost_init(void);

#endif
