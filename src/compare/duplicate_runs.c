#include "compare/duplicate_runs.h"

#include "support/alloc.h"
#include "support/error.h"

#include <stdlib.h>
#include <string.h>

/* With this many changes between samples, equal series of two runs are no coincidence. */
#define STEPS_MIN 4

/* Hash of samples. */
typedef struct digest {
    uint64_t of;
    size_t samples, steps;
} digest;

/* One run of a side. */
typedef struct run {
    digest real;         /* samples of real devices */
    digest shared;       /* samples of times on both sides */
    size_t first, count; /* range of the run's times in matching->by_run */
    unsigned side;
    bool shares_real; /* some times on both sides are of a real device */
} run;

static bool is_real(const kt_matched *matched)
{
    const kt_document_device *device = matched->taken.device;
    return matched->taken.series->method != KT_METHOD_SIMULATED &&
           !(device && device->info.type == KT_DEVICE_SIMULATED);
}

/* ---- digests ---- */

/* Fowler, Noll and Vo's hash over eight bytes at once. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return mix(hash, 0);
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
    to->samples += series->summary.n;
}

static void add_time(run *to, const kt_matched *matched)
{
    bool real = is_real(matched);
    if (real)
        add_series(&to->real, matched->taken.series);
    if (!matched->shared)
        return;
    to->shared.of = mix(to->shared.of, matched->row);
    add_series(&to->shared, matched->taken.series);
    to->shares_real |= real && matched->taken.series->summary.n > 0;
}

/* Nearly constant samples do not distinguish runs; their time and command do. */
static void add_origin(run *to, const kt_report *report)
{
    if (to->shared.steps >= STEPS_MIN)
        return;
    to->shared.of = mix_text(to->shared.of, report->document.desc.origin->started);
    for (uint32_t i = 0; i < report->document.desc.command_count; i++)
        to->shared.of = mix_text(to->shared.of, report->document.desc.command[i]);
}

static size_t take_runs(const kt_matching *matching, run *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < matching->count; i++) {
        const kt_matched *matched = matching->by_run[i];
        const kt_matched *before = i ? matching->by_run[i - 1] : NULL;
        if (!before || before->side != matched->side || before->run != matched->run)
            runs[count++] = (run){.first = i, .side = matched->side};
        runs[count - 1].count++;
        add_time(&runs[count - 1], matched);
    }
    for (size_t i = 0; i < count; i++)
        add_origin(&runs[i], matching->by_run[runs[i].first]->taken.report);
    return count;
}

static bool hold_the_same(const kt_matched *one, const kt_matched *other)
{
    const kt_series *a = one->taken.series, *b = other->taken.series;
    return kt_compare_times(one, other) == 0 && a->summary.n == b->summary.n &&
           (a->summary.n == 0 ||
            memcmp(a->samples_ns, b->samples_ns, a->summary.n * sizeof *a->samples_ns) == 0);
}

/* Name of the run's file; NULL: none. */
static const char *name_of(const kt_compare_side *sides, const kt_matched *matched)
{
    const char *const *names = sides[matched->side].names;
    return names ? names[matched->report] : NULL;
}

/* ---- within a side ---- */

static int by_real(const void *left, const void *right)
{
    const run *a = left, *b = right;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    if (a->real.of != b->real.of)
        return a->real.of < b->real.of ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static bool is_copy(const kt_matching *matching, const run *a, const run *b)
{
    if (a->side != b->side || a->real.of != b->real.of || a->count != b->count ||
        a->real.steps < STEPS_MIN)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const kt_matched *one = matching->by_run[a->first + i];
        const kt_matched *other = matching->by_run[b->first + i];
        if (is_real(one) != is_real(other) || (is_real(one) && !hold_the_same(one, other)))
            return false;
    }
    return true;
}

static kt_status refuse_copy(const kt_matched *one, const kt_matched *other,
                             const kt_compare_side *sides)
{
    const char *first = name_of(sides, one), *second = name_of(sides, other);
    if (one->report == other->report || !first || !second)
        return kt_fail(KT_INVALID,
                       "runs %u and %u of %s have the same samples: one run, given twice",
                       one->run + 1, other->run + 1,
                       one->side == KT_SIDE_BASELINE ? "the baseline" : "the contender");
    return kt_fail(KT_INVALID, "%s and %s have the same samples: one run, given twice", first,
                   second);
}

static kt_status look_within(const kt_matching *matching, const kt_compare_side *sides, run *runs,
                             size_t count)
{
    kt_status status = KT_OK;
    qsort(runs, count, sizeof *runs, by_real);
    for (size_t i = 1; i < count && status == KT_OK; i++)
        if (is_copy(matching, &runs[i - 1], &runs[i]))
            status = refuse_copy(matching->by_run[runs[i - 1].first],
                                 matching->by_run[runs[i].first], sides);
    return status;
}

/* ---- between the sides ---- */

static int by_shared(const void *left, const void *right)
{
    const run *a = left, *b = right;
    if (a->shared.of != b->shared.of)
        return a->shared.of < b->shared.of ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* The run's next time from `*at` on that both sides have; NULL: none. */
static const kt_matched *next_shared(const kt_matching *matching, const run *of, size_t *at)
{
    while (*at < of->count) {
        const kt_matched *matched = matching->by_run[of->first + (*at)++];
        if (matched->shared)
            return matched;
    }
    return NULL;
}

static bool are_one(const kt_matching *matching, const run *a, const run *b)
{
    const kt_matched *one, *other;
    size_t at = 0, other_at = 0;
    do {
        one = next_shared(matching, a, &at);
        other = next_shared(matching, b, &other_at);
        if (!one != !other || (one && !hold_the_same(one, other)))
            return false;
    } while (one);
    return true;
}

/* Runs found on both sides. */
typedef struct shared {
    size_t pairs, alone;
    const run *base, *new; /* two equal runs of a real device, one per side */
} shared;

/* Pairs of equal runs. Baseline runs come first. */
static void pair_alike(const kt_matching *matching, const run *runs, size_t count, shared *out)
{
    size_t base = 0, pairs = 0;
    while (base < count && runs[base].side == KT_SIDE_BASELINE)
        base++;
    for (size_t i = 0; i < base && base + i < count; i++) {
        const run *one = &runs[i], *other = &runs[base + i];
        if (!are_one(matching, one, other))
            continue;
        pairs++;
        if (one->shares_real) {
            out->base = one;
            out->new = other;
        }
    }
    out->pairs += pairs;
    out->alone += count - 2 * pairs;
}

static kt_status refuse_shared(const kt_matched *base, const kt_matched *new,
                               const kt_compare_side *sides)
{
    const char *first = name_of(sides, base), *second = name_of(sides, new);
    if (!first || !second)
        return kt_fail(
            KT_INVALID,
            "baseline and contender share a run: %u of the baseline is %u of the contender",
            base->run + 1, new->run + 1);
    return kt_fail(KT_INVALID,
                   "baseline and contender share a run: %s and %s have the same samples", first,
                   second);
}

static kt_status look_between(const kt_matching *matching, const kt_compare_side *sides, run *runs,
                              size_t count, bool *identical)
{
    shared found = {0};
    qsort(runs, count, sizeof *runs, by_shared);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && runs[to].shared.of == runs[from].shared.of; to++)
            continue;
        if (runs[from].shared.samples)
            pair_alike(matching, &runs[from], to - from, &found);
    }
    *identical = found.pairs && !found.alone;
    if (found.alone && found.base)
        return refuse_shared(matching->by_run[found.base->first],
                             matching->by_run[found.new->first], sides);
    return KT_OK;
}

kt_status kt_find_duplicate_runs(const kt_matching *matching,
                                 const kt_compare_side sides[KT_SIDE_COUNT], bool *identical)
{
    *identical = false;
    if (!matching->count)
        return KT_OK;
    run *runs = kt_alloc(matching->count, sizeof *runs);
    if (!runs)
        return KT_NO_MEMORY;
    size_t count = take_runs(matching, runs);
    kt_status status = look_within(matching, sides, runs, count);
    if (status == KT_OK)
        status = look_between(matching, sides, runs, count, identical);
    kt_free(runs);
    return status;
}
