/*
 * bank.h - what one thread has recorded under one name: written by that thread in a few ns, read by
 * another one as a whole. For registry.c.
 *
 * The sequence is odd while a record is written (a seqlock). What is written between its two steps
 * is released, and acquired by the reader, so that a reader who sees any of it sees the odd
 * sequence, too: no fences, which the thread sanitizer does not know. A histogram takes longer to
 * read than the next record is away, so the reader has the writer turn to a second bank before it
 * reads (registry.c).
 *
 * Sums are of distances from the first duration. Since that is one of them, the sum of squares is
 * at most count times what is left of it, however far the mean is from 0, and loses of that about
 * count^1.5 * 2^-53 at worst. The count is the histogram's.
 */
#ifndef KT_REGISTRY_BANK_H
#define KT_REGISTRY_BANK_H

#include "statistics/tally.h"

#include <stdatomic.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define KT_UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define KT_UNLIKELY(condition) (condition)
#endif

typedef struct kt_bank {
    _Atomic(uint64_t) sequence;
    _Atomic(uint64_t)
        epoch; /* the registry's, in which all of this was recorded; 0: nothing was yet */
    /* The writer's own; others get the copies below. A compiler may take an atomic double through
     * an integer register (gcc 12 does), which takes as long as two additions, and each record
     * waits for the one before. */
    double own_sum, own_origin, own_squares;
    uint64_t own_min, own_range;                            /* max less min, as bits */
    _Atomic(uint64_t) sum, squares, last, origin, min, max; /* bits of doubles */
    _Atomic(uint64_t) counts[KT_HISTOGRAM_BUCKETS];
} kt_bank;

static inline uint64_t kt_bank_get(_Atomic(uint64_t) *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static inline void kt_bank_put(_Atomic(uint64_t) *to, uint64_t value)
{
    atomic_store_explicit(to, value, memory_order_release);
}

/* A new least or greatest duration. */
static inline void kt_bank_widen(kt_bank *bank, uint64_t bits)
{
    uint64_t max = bank->own_min + bank->own_range;
    if (bits < bank->own_min)
        bank->own_min = bits;
    else
        max = bits;
    bank->own_range = max - bank->own_min;
    kt_bank_put(&bank->min, bank->own_min);
    kt_bank_put(&bank->max, max);
}

/* Adds a duration >= 0, also given as its bits and its bucket, to a bank of this epoch. By its
 * thread alone. */
static inline void kt_bank_add(kt_bank *bank, double duration_ns, uint64_t bits, uint64_t bucket)
{
    /* All that the record before has written is read first, so that nothing is in the way of these
     * readings. */
    uint64_t sequence = kt_bank_get(&bank->sequence), count = kt_bank_get(&bank->counts[bucket]);
    double distance = duration_ns - bank->own_origin;
    double sum = bank->own_sum + distance, squares = bank->own_squares + distance * distance;
    atomic_store_explicit(&bank->sequence, sequence + 1, memory_order_relaxed);
    if (KT_UNLIKELY(bits - bank->own_min > bank->own_range))
        kt_bank_widen(bank, bits);
    kt_bank_put(&bank->counts[bucket], count + 1);
    bank->own_sum = sum;
    bank->own_squares = squares;
    kt_bank_put(&bank->sum, kt_bits_of(sum));
    kt_bank_put(&bank->squares, kt_bits_of(squares));
    kt_bank_put(&bank->last, bits);
    kt_bank_put(&bank->sequence, sequence + 2);
}

/* Empties it for durations of this epoch, the first of which is given. By its thread alone. */
void kt_bank_begin(kt_bank *bank, uint64_t epoch, double first_ns);

/* Copies what was recorded in this epoch, and gives the sequence at which that was so. False: it
 * was being written to all the time; ask again a little later. */
bool kt_bank_read(kt_bank *bank, uint64_t epoch, kt_tally *out, uint64_t *sequence);

#endif
