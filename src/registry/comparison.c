/* SPDX-License-Identifier: MIT */
/* comparison.c - matches the rows of two snapshots, which are in the same order. */
#include "registry/comparison.h"

#include "registry/registry.h"
#include "statistics/ratio.h"
#include "support/alloc.h"
#include "support/options.h"

#include <math.h>

/* Returns a number below 0 if row a comes first. A missing row (NULL) comes last. */
static int compare_rows(const kt_row *a, const kt_row *b)
{
    if (!a || !b)
        return (a == NULL) - (b == NULL);
    return kt_compare_keys(a->name, a->backend, b->name, b->backend);
}

static kt_moments moments_of(const kt_row *row)
{
    if (!row)
        return (kt_moments){.mean = NAN, .stddev = NAN};
    return (kt_moments){.n = row->count, .mean = row->mean_ns, .stddev = row->stddev_ns};
}

static kt_row_change make_change(const kt_row *before, const kt_row *after)
{
    const kt_row *any = before ? before : after;
    kt_row_change change = {
        .name = any->name, .backend = any->backend, .before = before, .after = after};
    const kt_moments of_before = moments_of(before), of_after = moments_of(after);
    kt_ratio_of_means(&of_before, &of_after, &change.speedup, &change.speedup_low,
                      &change.speedup_high);
    return change;
}

static void match(kt_comparison *comparison)
{
    uint32_t before_at = 0, after_at = 0;
    for (;;) {
        const kt_row *before = kt_snapshot_row(comparison->before, before_at);
        const kt_row *after = kt_snapshot_row(comparison->after, after_at);
        if (!before && !after)
            return;
        int order = compare_rows(before, after);
        before_at += order <= 0;
        after_at += order >= 0;
        comparison->changes[comparison->count++] =
            make_change(order <= 0 ? before : NULL, order >= 0 ? after : NULL);
    }
}

kt_status kt_snapshot_compare(const kt_snapshot *before, const kt_snapshot *after,
                              kt_comparison **out)
{
    KT_NEED(out);
    kt_comparison *comparison = kt_alloc(1, sizeof *comparison);
    if (!comparison)
        return KT_NO_MEMORY;
    comparison->before = before;
    comparison->after = after;
    size_t most = (size_t)kt_snapshot_count(before) + kt_snapshot_count(after);
    comparison->changes = kt_alloc(most, sizeof *comparison->changes);
    if (!comparison->changes) {
        kt_comparison_destroy(&comparison);
        return KT_NO_MEMORY;
    }
    match(comparison);
    *out = comparison;
    return KT_OK;
}

void kt_comparison_destroy(kt_comparison **comparison)
{
    if (!comparison || !*comparison)
        return;
    kt_free((*comparison)->changes);
    kt_free(*comparison);
    *comparison = NULL;
}

uint32_t kt_comparison_count(const kt_comparison *comparison)
{
    return comparison ? comparison->count : 0;
}

const kt_row_change *kt_comparison_row(const kt_comparison *comparison, uint32_t index)
{
    return index < kt_comparison_count(comparison) ? &comparison->changes[index] : NULL;
}
