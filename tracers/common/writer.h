/*
 * writer.h - what the files of the writing side share. One lock guards the process file; it stays
 * in the process.
 */
#ifndef TRACERS_COMMON_WRITER_H
#define TRACERS_COMMON_WRITER_H

#include "tracers/common/tracer.h"

/* ---- tracer.c ---- */

/* The head, or NULL: the tracer is off. Opens the file of a child of fork(). */
trace_file_head *tracer_head(void);
/* Locks the process file and returns its head. NULL: off, or a signal handler interrupted this
 * thread in it; then nothing is locked. */
trace_file_head *tracer_lock(void);
void tracer_unlock(void);
trace_file_counters *tracer_counters(trace_file_head *head);

/* ---- process_file.c; each with the lock ---- */

/* Makes and maps the file. False: with a sentence in `reason`. */
bool tracer_file_open(const char *folder, trace_api api, const char *rank, char *reason,
                      size_t reason_bytes);
/* Makes the file of a child of fork() in place of its parent's, at the same address. */
bool tracer_file_reopen(void);
/* Reserves zeroed bytes. Returns their offset; 0: no room. */
uint64_t tracer_file_reserve(size_t bytes);
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
