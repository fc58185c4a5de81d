#include "copied.h"

#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

/* So many times a sample differs from the one before it, for chance not to repeat them. */
#define STEPS_MIN 4

/* A run: what of it counts, as one number. */
typedef struct digest {
    uint64_t of;
    size_t first, count; /* in matching->by_run */
    size_t steps;
    unsigned side;
} digest;

static bool is_real(const kt_matched *matched)
{
    const kt_document_device *device = matched->taken.device;
    return matched->taken.series->method != KT_METHOD_SIMULATED &&
           !(device && device->info.type == KT_DEVICE_SIMULATED);
}

/* Fowler, Noll and Vo's hash, of eight bytes at once. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static void add_series(digest *to, const kt_series *series)
{
    uint64_t bits = 0, before = 0;
    for (size_t i = 0; i < series->summary.n; i++, before = bits) {
        memcpy(&bits, &series->samples_ns[i], sizeof bits);
        to->of = mix(to->of, bits);
        to->steps += i > 0 && bits != before;
    }
    to->of = mix(to->of, series->summary.n);
}

static size_t take_digests(const kt_matching *matching, digest *digests)
{
    size_t count = 0;
    for (size_t i = 0; i < matching->count; i++) {
        const kt_matched *matched = matching->by_run[i];
        const kt_matched *before = i ? matching->by_run[i - 1] : NULL;
        if (!before || before->side != matched->side || before->run != matched->run)
            digests[count++] = (digest){.first = i, .side = matched->side};
        digests[count - 1].count++;
        if (is_real(matched))
            add_series(&digests[count - 1], matched->taken.series);
    }
    return count;
}

static int by_digest(const void *left, const void *right)
{
    const digest *a = left, *b = right;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    if (a->of != b->of)
        return a->of < b->of ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static bool hold_the_same(const kt_matched *one, const kt_matched *other)
{
    const kt_series *a = one->taken.series, *b = other->taken.series;
    return kt_compare_times(one, other) == 0 && a->summary.n == b->summary.n &&
           (a->summary.n == 0 ||
            memcmp(a->samples_ns, b->samples_ns, a->summary.n * sizeof *a->samples_ns) == 0);
}

static bool is_copy(const kt_matching *matching, const digest *a, const digest *b)
{
    if (a->side != b->side || a->of != b->of || a->count != b->count || a->steps < STEPS_MIN)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const kt_matched *one = matching->by_run[a->first + i];
        const kt_matched *other = matching->by_run[b->first + i];
        if (is_real(one) != is_real(other) || (is_real(one) && !hold_the_same(one, other)))
            return false;
    }
    return true;
}

static kt_status refuse(const kt_matched *one, const kt_matched *other, const kt_compare_side *side)
{
    const char *const *names = side->names;
    if (one->report == other->report || !names || !names[one->report] || !names[other->report])
        return kt_fail(KT_INVALID,
                       "runs %u and %u of %s hold the same samples: one run, given twice",
                       one->run + 1, other->run + 1, one->side == KT_SIDE_BASE ? "BASE" : "NEW");
    return kt_fail(KT_INVALID, "%s and %s hold the same samples: one run, given twice",
                   names[one->report], names[other->report]);
}

kt_status kt_refuse_copies(const kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT])
{
    digest *digests = kt_alloc(matching->count, sizeof *digests);
    if (!digests)
        return KT_NO_MEMORY;
    size_t count = take_digests(matching, digests);
    if (count)
        qsort(digests, count, sizeof *digests, by_digest);
    kt_status status = KT_OK;
    for (size_t i = 1; i < count && status == KT_OK; i++)
        if (is_copy(matching, &digests[i - 1], &digests[i]))
            status = refuse(matching->by_run[digests[i - 1].first],
                            matching->by_run[digests[i].first], &sides[digests[i].side]);
    kt_free(digests);
    return status;
}
