/* SPDX-License-Identifier: MIT */
#include "registry/row_statistics.h"

#include <math.h>

/* Attempts to read a row that is being written. A record takes a few ns, so no attempt sleeps. */
#define TRIES 16

/* Ends of the histogram's range: as bits of ns, and in ticks. */
#define LOW_BITS   ((uint64_t)(1023 + KT_HISTOGRAM_LOW_LOG2) << 52)
#define HIGH_BITS  (((uint64_t)(1023 + KT_HISTOGRAM_HIGH_LOG2) << 52) - 1)
#define LOW_TICKS  UINT64_C(1)
#define HIGH_TICKS ((UINT64_C(1) << KT_HISTOGRAM_HIGH_LOG2) - 1)

void kt_row_statistics_widen(kt_row_statistics *row, uint64_t bits)
{
    bool in_ticks = kt_row_statistics_get(&row->in_ticks);
    uint64_t low = in_ticks ? LOW_TICKS : LOW_BITS, high = in_ticks ? HIGH_TICKS : HIGH_BITS;
    uint64_t least = kt_row_statistics_get(&row->min), most = kt_row_statistics_get(&row->max);
    least = bits < least ? bits : least;
    most = bits > most ? bits : most;
    kt_row_statistics_put(&row->min, least);
    kt_row_statistics_put(&row->max, most);
    least = least > low ? least : low;
    most = most < high ? most : high;
    row->own_low = least;
    row->own_span = least <= most ? most - least + 1 : 0;
}

/* Empties a row whose first duration has these bits, or so many ticks. */
static void begin(kt_row_statistics *row, uint64_t epoch, uint64_t bits, bool in_ticks)
{
    uint64_t sequence = kt_row_statistics_get(&row->sequence);
    atomic_store_explicit(&row->sequence, sequence + 1, memory_order_relaxed);
    /* A new row is zeroed already. */
    for (uint32_t i = 0; kt_row_statistics_get(&row->epoch) != 0 && i < KT_HISTOGRAM_BUCKETS; i++)
        kt_row_statistics_put(&row->counts[i], 0);
    row->own_sum = row->own_squares = 0;
    kt_row_statistics_put(&row->in_ticks, in_ticks);
    kt_row_statistics_put(&row->origin, bits);
    kt_row_statistics_put(&row->sum, 0);
    kt_row_statistics_put(&row->squares, 0);
    kt_row_statistics_put(&row->squares_high, 0);
    kt_row_statistics_put(&row->min, bits);
    kt_row_statistics_put(&row->max, bits);
    kt_row_statistics_put(&row->last, bits);
    kt_row_statistics_widen(row, bits);
    kt_row_statistics_put(&row->epoch, epoch);
    kt_row_statistics_put(&row->sequence, sequence + 2);
}

void kt_row_statistics_begin(kt_row_statistics *row, uint64_t epoch, double first_ns)
{
    row->own_origin = first_ns;
    begin(row, epoch, kt_bits_of(first_ns), false);
}

void kt_row_statistics_begin_ticks(kt_row_statistics *row, uint64_t epoch, uint64_t first)
{
    begin(row, epoch, first, true);
}

static uint64_t get(_Atomic(uint64_t) *from)
{
    return atomic_load_explicit(from, memory_order_acquire);
}

static double get_double(_Atomic(uint64_t) *from)
{
    return kt_of_bits(get(from));
}

static void copy_ns(kt_row_statistics *row, kt_accumulator *out)
{
    double count = (double)out->count, origin = get_double(&row->origin);
    double sum = get_double(&row->sum), squares = get_double(&row->squares);
    out->min = get_double(&row->min);
    out->max = get_double(&row->max);
    out->last = get_double(&row->last);
    if (out->count == 0)
        return;
    out->total = count * origin + sum;
    out->mean = origin + sum / count;
    out->squares = squares - sum * (sum / count);
    if (out->squares < 0) /* rounding errors can make the sum of squares negative */
        out->squares = 0;
}

static kt_wide subtract(kt_wide a, kt_wide b)
{
    return (kt_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

/*
 * With m the mean rounded down: squares about m are S2 - 2 m S1 + n m^2, which is exact modulo
 * 2^128 and below that. Squares about the mean are less by n (mean - m)^2.
 */
static void copy_ticks(kt_row_statistics *row, kt_accumulator *out)
{
    uint64_t sum = get(&row->sum), n = out->count;
    kt_wide squares = {get(&row->squares_high), get(&row->squares)};
    out->min = (double)get(&row->min);
    out->max = (double)get(&row->max);
    out->last = (double)get(&row->last);
    if (n == 0)
        return;
    uint64_t mean = sum / n, rest = sum % n;
    kt_wide twice = kt_wide_multiply(mean, sum);
    squares = subtract(subtract(squares, twice), twice);
    squares = kt_wide_add(squares, kt_wide_multiply(mean, n * mean));
    double share = (double)rest / (double)n;
    out->total = (double)sum;
    out->mean = (double)mean + share;
    out->squares = ldexp((double)squares.high, 64) + (double)squares.low - (double)rest * share;
    if (out->squares < 0)
        out->squares = 0;
}

static void copy(kt_row_statistics *row, kt_accumulator *out)
{
    out->count = 0;
    out->unit = 1;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        out->histogram.counts[i] = get(&row->counts[i]);
        out->count += out->histogram.counts[i];
    }
    if (get(&row->in_ticks))
        copy_ticks(row, out);
    else
        copy_ns(row, out);
}

bool kt_row_statistics_read(kt_row_statistics *row, uint64_t epoch, kt_accumulator *out,
                            uint64_t *sequence)
{
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = get(&row->sequence);
        if (before & 1)
            continue;
        out->count = 0;
        if (get(&row->epoch) == epoch)
            copy(row, out);
        if (kt_row_statistics_get(&row->sequence) == before) {
            *sequence = before;
            return true;
        }
    }
    return false;
}
