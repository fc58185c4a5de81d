/* SPDX-License-Identifier: MIT */
#include "compare/missing_rows.h"

#include <math.h>

bool kt_has_time(const kt_matched *matched)
{
    const kt_series *series = matched->taken.series;
    bool measured = series->status == KT_SERIES_OK || series->status == KT_SERIES_PARTIAL;
    return measured && isfinite(series->summary.median) && series->summary.median > 0;
}

static uint32_t count_status(const kt_matched *of, uint32_t count, kt_series_status status)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += of[i].taken.series->status == status;
    return found;
}

kt_missing kt_find_missing(const kt_matched_row *row, unsigned side)
{
    const kt_matched *of = row->of[side];
    uint32_t count = row->count[side], measured = 0;
    uint32_t below = count_status(of, count, KT_SERIES_BELOW_MIN_SPAN);
    for (uint32_t i = 0; i < count; i++)
        measured += kt_has_time(&of[i]);
    /* Most times are too short for the clock, so the median of the others would be too long. */
    if (below > 0 && below >= measured)
        return (kt_missing){kt_series_status_name(KT_SERIES_BELOW_MIN_SPAN),
                            "shorter than its clock resolves"};
    if (measured)
        return (kt_missing){0};
    const kt_series *first = of->taken.series;
    bool reported = first->status == KT_SERIES_FAILED || first->status == KT_SERIES_NOT_POSSIBLE;
    return (kt_missing){reported ? kt_series_status_name(first->status) : "no time above 0",
                        first->error};
}

uint32_t kt_count_failed(const kt_matched_row *row, unsigned side, const kt_series **first)
{
    const kt_matched *of = row->of[side];
    *first = NULL;
    for (uint32_t i = 0; i < row->count[side] && !*first; i++)
        if (of[i].taken.series->status == KT_SERIES_FAILED)
            *first = of[i].taken.series;
    return count_status(of, row->count[side], KT_SERIES_FAILED);
}
