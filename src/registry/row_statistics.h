/* SPDX-License-Identifier: MIT */
/*
 * row_statistics.h - what one thread recorded under one name. That thread writes in a few ns,
 * another thread reads a consistent copy. For registry.c.
 *
 * The sequence is odd while a record is written (a seqlock). Stores in between are releases and the
 * reader's loads are acquires, so a reader that sees any new value also sees the odd sequence.
 * There are no fences, which the thread sanitizer does not support. Reading a histogram takes
 * longer than the time to the next record, so the reader first switches the writer to a second
 * buffer (thread_statistics.h).
 *
 * A row counts ns or ticks, always the same. Sums of ns are of distances from the first duration.
 * Since that is one of the durations, the sum of squares is at most count times the sum about the
 * mean, however far the mean is from 0. The subtraction loses about count^1.5 * 2^-53 of the result
 * at worst. The count is the histogram's.
 *
 * Ticks are whole numbers, and so are their sums, which are exact. They also are faster: rdtsc
 * waits until the record before it has ended, and the longest chain of that is the sum of squares.
 */
#ifndef KT_REGISTRY_ROW_STATISTICS_H
#define KT_REGISTRY_ROW_STATISTICS_H

#include "statistics/accumulator.h"

#include <stdatomic.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define KT_UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define KT_UNLIKELY(condition) (condition)
#endif

typedef struct kt_row_statistics {
    _Atomic(uint64_t) sequence;
    /* epoch of the registry in which all records of the row fall; 0: no records */
    _Atomic(uint64_t) epoch;
    /*
     * Only for the writing thread; others read the copies below. A compiler may load an atomic
     * double through an integer register (gcc 12 does). That takes as long as two additions, and
     * each record waits for the one before.
     */
    double own_sum, own_origin, own_squares;
    /* Durations that need no check, as bits: `own_span` of them from `own_low` on. They are between
     * the shortest and the longest so far, and in the range of the histogram. */
    uint64_t own_low, own_span;
    /* bits of doubles; in a row of ticks, whole numbers, with the upper half of `squares` */
    _Atomic(uint64_t) sum, squares, last, origin, min, max, squares_high;
    _Atomic(uint64_t) in_ticks; /* 1: a row of ticks */
    _Atomic(uint64_t) counts[KT_HISTOGRAM_BUCKETS];
} kt_row_statistics;

static inline uint64_t kt_row_statistics_get(_Atomic(uint64_t) *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static inline void kt_row_statistics_put(_Atomic(uint64_t) *to, uint64_t value)
{
    atomic_store_explicit(to, value, memory_order_release);
}

/* True for a duration, given as its bits or in ticks, between the shortest and the longest so far,
 * and in the range of the histogram. Of most durations, this comparison is the only check. */
static inline bool kt_row_statistics_has(const kt_row_statistics *row, uint64_t bits)
{
    return bits - row->own_low < row->own_span;
}

/* Stores a duration that may be the shortest or the longest. Within a record of the row's own
 * thread. */
void kt_row_statistics_widen(kt_row_statistics *row, uint64_t bits);

/* Adds a duration >= 0, also given as its bits and its bucket, to a row of the present epoch.
 * `widens`: kt_row_statistics_has() is false. Only for the row's own thread. */
static inline void kt_row_statistics_add(kt_row_statistics *row, double duration_ns, uint64_t bits,
                                         uint64_t bucket, bool widens)
{
    /* Loads all that the previous record stored before any new store, so that nothing delays the
     * loads. */
    uint64_t sequence = kt_row_statistics_get(&row->sequence),
             count = kt_row_statistics_get(&row->counts[bucket]);
    double distance = duration_ns - row->own_origin;
    double sum = row->own_sum + distance, squares = row->own_squares + distance * distance;
    atomic_store_explicit(&row->sequence, sequence + 1, memory_order_relaxed);
    if (widens)
        kt_row_statistics_widen(row, bits);
    kt_row_statistics_put(&row->counts[bucket], count + 1);
    row->own_sum = sum;
    row->own_squares = squares;
    kt_row_statistics_put(&row->sum, kt_bits_of(sum));
    kt_row_statistics_put(&row->squares, kt_bits_of(squares));
    kt_row_statistics_put(&row->last, bits);
    kt_row_statistics_put(&row->sequence, sequence + 2);
}

/* 128-bit numbers, modulo 2^128. */
typedef struct kt_wide {
    uint64_t high, low;
} kt_wide;

static inline kt_wide kt_wide_multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (kt_wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    return (kt_wide){a1 * b1 + (middle >> 32) + (other >> 32), a * b};
#endif
}

static inline kt_wide kt_wide_add(kt_wide a, kt_wide b)
{
    uint64_t low = a.low + b.low;
    return (kt_wide){a.high + b.high + (low < a.low), low};
}

/* Adds a duration in ticks to a row of ticks, as kt_row_statistics_add(). */
static inline void kt_row_statistics_add_ticks(kt_row_statistics *row, uint64_t ticks,
                                               uint64_t bucket, bool widens)
{
    uint64_t sequence = kt_row_statistics_get(&row->sequence),
             count = kt_row_statistics_get(&row->counts[bucket]),
             sum = kt_row_statistics_get(&row->sum);
    kt_wide squares = {kt_row_statistics_get(&row->squares_high),
                       kt_row_statistics_get(&row->squares)};
    squares = kt_wide_add(squares, kt_wide_multiply(ticks, ticks));
    atomic_store_explicit(&row->sequence, sequence + 1, memory_order_relaxed);
    if (widens)
        kt_row_statistics_widen(row, ticks);
    kt_row_statistics_put(&row->counts[bucket], count + 1);
    kt_row_statistics_put(&row->sum, sum + ticks);
    kt_row_statistics_put(&row->squares, squares.low);
    kt_row_statistics_put(&row->squares_high, squares.high);
    kt_row_statistics_put(&row->last, ticks);
    kt_row_statistics_put(&row->sequence, sequence + 2);
}

/* Empties a row for `epoch`, whose first duration is given. Only for the row's own thread. */
void kt_row_statistics_begin(kt_row_statistics *row, uint64_t epoch, double first_ns);
/* The same for a row of ticks. */
void kt_row_statistics_begin_ticks(kt_row_statistics *row, uint64_t epoch, uint64_t first);

/* Copies the records of `epoch`, in ns or ticks, with the sequence at which they were complete.
 * False if the row was written to at each try; call again a little later. */
bool kt_row_statistics_read(kt_row_statistics *row, uint64_t epoch, kt_accumulator *out,
                            uint64_t *sequence);

#endif
