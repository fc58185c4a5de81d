#include "registry/bank.h"

/* Records are ns apart, so a reader that comes between two of them need not sleep. */
#define TRIES 16

void kt_bank_begin(kt_bank *bank, uint64_t epoch, double first_ns)
{
    uint64_t sequence = kt_bank_get(&bank->sequence);
    uint64_t bits = kt_bits_of(first_ns);
    atomic_store_explicit(&bank->sequence, sequence + 1, memory_order_relaxed);
    /* A new bank is zeroed. */
    for (uint32_t i = 0; kt_bank_get(&bank->epoch) != 0 && i < KT_HISTOGRAM_BUCKETS; i++)
        kt_bank_put(&bank->counts[i], 0);
    bank->own_origin = first_ns;
    bank->own_sum = bank->own_squares = 0;
    bank->own_min = bits;
    bank->own_range = 0;
    kt_bank_put(&bank->origin, bits);
    kt_bank_put(&bank->sum, 0);
    kt_bank_put(&bank->squares, 0);
    kt_bank_put(&bank->min, bits);
    kt_bank_put(&bank->max, bits);
    kt_bank_put(&bank->last, bits);
    kt_bank_put(&bank->epoch, epoch);
    kt_bank_put(&bank->sequence, sequence + 2);
}

static uint64_t get(_Atomic(uint64_t) *from)
{
    return atomic_load_explicit(from, memory_order_acquire);
}

static double get_double(_Atomic(uint64_t) *from)
{
    return kt_of_bits(get(from));
}

static void copy(kt_bank *bank, kt_tally *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        out->histogram.counts[i] = get(&bank->counts[i]);
        out->count += out->histogram.counts[i];
    }
    double count = (double)out->count, origin = get_double(&bank->origin);
    double sum = get_double(&bank->sum), squares = get_double(&bank->squares);
    out->min = get_double(&bank->min);
    out->max = get_double(&bank->max);
    out->last = get_double(&bank->last);
    if (out->count == 0)
        return;
    out->total = count * origin + sum;
    out->mean = origin + sum / count;
    out->squares = squares - sum * (sum / count);
    if (out->squares < 0) /* by rounding */
        out->squares = 0;
}

bool kt_bank_read(kt_bank *bank, uint64_t epoch, kt_tally *out, uint64_t *sequence)
{
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = get(&bank->sequence);
        if (before & 1)
            continue;
        out->count = 0;
        if (get(&bank->epoch) == epoch)
            copy(bank, out);
        if (kt_bank_get(&bank->sequence) == before) {
            *sequence = before;
            return true;
        }
    }
    return false;
}
