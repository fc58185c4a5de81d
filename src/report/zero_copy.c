#include "report/zero_copy.h"

#include "report/transfers.h"
#include "support/alloc.h"

#include <math.h>

bool kt_grow_zero_copies(kt_zero_copies *zero_copies, size_t series)
{
    bool *reported = kt_grow(zero_copies->reported, series, sizeof *reported);
    if (!reported)
        return false;
    zero_copies->reported = reported;
    kt_transfer_point *points =
        kt_grow(zero_copies->points, series, KT_TRANSFER_TIMES * sizeof *points);
    if (!points)
        return false;
    zero_copies->points = points;
    return true;
}

void kt_free_zero_copies(kt_zero_copies *zero_copies)
{
    kt_free(zero_copies->reported);
    kt_free(zero_copies->points);
}

static void judge_direction(const kt_zero_copies *zero_copies, const kt_document *document,
                            const kt_series *direction, kt_series *series)
{
    bool zero_copy =
        kt_is_zero_copy(document, direction, zero_copies->fastest_gb_per_s, zero_copies->points);
    for (uint32_t i = 0; i < document->series_count; i++)
        if (kt_same_direction(&series[i], direction))
            series[i].zero_copy = zero_copy || zero_copies->reported[i];
}

void kt_judge_zero_copies(kt_zero_copies *zero_copies, const kt_document *document,
                          const kt_series *added, kt_series *series)
{
    double rate = kt_memory_rate(added);
    if (!kt_is_transfer(added, NULL, NULL))
        return;
    if (isnan(rate) || rate <= zero_copies->fastest_gb_per_s) {
        judge_direction(zero_copies, document, added, series);
        return;
    }
    zero_copies->fastest_gb_per_s = rate;
    for (uint32_t i = 0; i < document->series_count; i++)
        if (kt_is_transfer(&series[i], NULL, NULL) &&
            (i == 0 || !kt_same_direction(&series[i - 1], &series[i])))
            judge_direction(zero_copies, document, &series[i], series);
}
