#include "registry/row_statistics.h"

/* Attempts to read a row that is being written. A record takes a few ns, so no attempt sleeps. */
#define TRIES 16

void kt_row_statistics_begin(kt_row_statistics *row, uint64_t epoch, double first_ns)
{
    uint64_t sequence = kt_row_statistics_get(&row->sequence);
    uint64_t bits = kt_bits_of(first_ns);
    atomic_store_explicit(&row->sequence, sequence + 1, memory_order_relaxed);
    /* A new row is zeroed already. */
    for (uint32_t i = 0; kt_row_statistics_get(&row->epoch) != 0 && i < KT_HISTOGRAM_BUCKETS; i++)
        kt_row_statistics_put(&row->counts[i], 0);
    row->own_origin = first_ns;
    row->own_sum = row->own_squares = 0;
    row->own_min = bits;
    row->own_range = 0;
    kt_row_statistics_put(&row->origin, bits);
    kt_row_statistics_put(&row->sum, 0);
    kt_row_statistics_put(&row->squares, 0);
    kt_row_statistics_put(&row->min, bits);
    kt_row_statistics_put(&row->max, bits);
    kt_row_statistics_put(&row->last, bits);
    kt_row_statistics_put(&row->epoch, epoch);
    kt_row_statistics_put(&row->sequence, sequence + 2);
}

static uint64_t get(_Atomic(uint64_t) *from)
{
    return atomic_load_explicit(from, memory_order_acquire);
}

static double get_double(_Atomic(uint64_t) *from)
{
    return kt_of_bits(get(from));
}

static void copy(kt_row_statistics *row, kt_accumulator *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        out->histogram.counts[i] = get(&row->counts[i]);
        out->count += out->histogram.counts[i];
    }
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
