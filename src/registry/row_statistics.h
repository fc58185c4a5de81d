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
 * Sums are of distances from the first duration. Since that is one of the durations, the sum of
 * squares is at most count times the sum about the mean, however far the mean is from 0. The
 * subtraction loses about count^1.5 * 2^-53 of the result at worst. The count is the histogram's.
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
    uint64_t own_min, own_range; /* bits of the shortest duration; bits of the longest less those */
    _Atomic(uint64_t) sum, squares, last, origin, min, max; /* bits of doubles */
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

/* Stores a new least or greatest duration. */
static inline void kt_row_statistics_widen(kt_row_statistics *row, uint64_t bits)
{
    uint64_t max = row->own_min + row->own_range;
    if (bits < row->own_min)
        row->own_min = bits;
    else
        max = bits;
    row->own_range = max - row->own_min;
    kt_row_statistics_put(&row->min, row->own_min);
    kt_row_statistics_put(&row->max, max);
}

/* Adds a duration >= 0, also given as its bits and its bucket, to a row of the present epoch. Only
 * for the row's own thread. */
static inline void kt_row_statistics_add(kt_row_statistics *row, double duration_ns, uint64_t bits,
                                         uint64_t bucket)
{
    /* Loads all that the previous record stored before any new store, so that nothing delays the
     * loads. */
    uint64_t sequence = kt_row_statistics_get(&row->sequence),
             count = kt_row_statistics_get(&row->counts[bucket]);
    double distance = duration_ns - row->own_origin;
    double sum = row->own_sum + distance, squares = row->own_squares + distance * distance;
    atomic_store_explicit(&row->sequence, sequence + 1, memory_order_relaxed);
    if (KT_UNLIKELY(bits - row->own_min > row->own_range))
        kt_row_statistics_widen(row, bits);
    kt_row_statistics_put(&row->counts[bucket], count + 1);
    row->own_sum = sum;
    row->own_squares = squares;
    kt_row_statistics_put(&row->sum, kt_bits_of(sum));
    kt_row_statistics_put(&row->squares, kt_bits_of(squares));
    kt_row_statistics_put(&row->last, bits);
    kt_row_statistics_put(&row->sequence, sequence + 2);
}

/* Empties a row for `epoch`, whose first duration is given. Only for the row's own thread. */
void kt_row_statistics_begin(kt_row_statistics *row, uint64_t epoch, double first_ns);

/* Copies the records of `epoch`, with the sequence at which they were complete. False if the row
 * was written to at each try; call again a little later. */
bool kt_row_statistics_read(kt_row_statistics *row, uint64_t epoch, kt_accumulator *out,
                            uint64_t *sequence);

#endif
