/* SPDX-License-Identifier: MIT */
#include "compare/duplicate_runs.h"

#include "report/report.h"
#include "support/error.h"

#include <string.h>

static bool is_same(const kt_report *one, const kt_report *other)
{
    const char *a = one->document.desc.origin->id, *b = other->document.desc.origin->id;
    return one == other || (a && b && strcmp(a, b) == 0);
}

/* Index of the first of `count` reports of a side that is the same result; `count`: none. */
static uint32_t find_same(const kt_compare_side *side, uint32_t count, const kt_report *report)
{
    uint32_t at = 0;
    while (at < count && !is_same(side->reports[at], report))
        at++;
    return at;
}

static kt_status check_side(const kt_compare_side *side, const char *name)
{
    for (uint32_t i = 0; i < side->count; i++) {
        uint32_t same = find_same(side, i, side->reports[i]);
        if (same == i)
            continue;
        if (side->names)
            return kt_fail(KT_INVALID, "%s and %s are one result, given twice", side->names[same],
                           side->names[i]);
        return kt_fail(KT_INVALID, "reports %u and %u of %s are one result, given twice", same + 1,
                       i + 1, name);
    }
    return KT_OK;
}

static kt_status refuse_shared(const kt_compare_side *base, uint32_t at,
                               const kt_compare_side *contender, uint32_t same)
{
    if (base->names && contender->names)
        return kt_fail(KT_INVALID,
                       "baseline and contender share a result: %s and %s have the same id",
                       base->names[at], contender->names[same]);
    return kt_fail(KT_INVALID,
                   "baseline and contender share a result: %u of the baseline is %u of the "
                   "contender",
                   at + 1, same + 1);
}

kt_status kt_find_duplicate_runs(const kt_compare_side sides[KT_SIDE_COUNT], bool *identical)
{
    const kt_compare_side *base = &sides[KT_SIDE_BASELINE], *contender = &sides[KT_SIDE_CONTENDER];
    uint32_t shared = 0, first = 0, same = 0;
    kt_status status = check_side(base, "the baseline");
    if (status == KT_OK)
        status = check_side(contender, "the contender");
    for (uint32_t i = 0; i < base->count; i++) {
        uint32_t at = find_same(contender, contender->count, base->reports[i]);
        if (at < contender->count && shared++ == 0) {
            first = i;
            same = at;
        }
    }
    *identical = shared == base->count && shared == contender->count;
    if (status == KT_OK && shared && !*identical)
        status = refuse_shared(base, first, contender, same);
    return status;
}
