/* SPDX-License-Identifier: MIT */
#include "compare/groups.h"

#include "statistics/interval.h"

#include <math.h>
#include <stdlib.h>

static int by_group(const void *left, const void *right)
{
    const kt_group_row *a = left, *b = right;
    int order = (a->group > b->group) - (a->group < b->group);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

kt_groups kt_find_groups(const kt_compare_row *rows, size_t count, kt_group_row *room)
{
    for (size_t i = 0; i < count; i++)
        room[i] = (kt_group_row){i, rows[i].group};
    if (count)
        qsort(room, count, sizeof *room, by_group);
    return (kt_groups){room, count};
}

/* Index after the last row of the group that starts at row `at`. */
static size_t end_of(const kt_groups *of, size_t at)
{
    size_t end = at + 1;
    while (of->rows[at].group && end < of->count && of->rows[end].group == of->rows[at].group)
        end++;
    return end;
}

size_t kt_ask_groups(const kt_groups *of, const double *said, double quantile, double *out)
{
    size_t n = 0;
    for (size_t at = 0, end; at < of->count; at = end) {
        double *reported = out + n; /* room for the values of this and all later rows */
        size_t count = 0;
        end = end_of(of, at);
        for (size_t i = at; i < end; i++)
            if (!isnan(said[of->rows[i].row]))
                reported[count++] = said[of->rows[i].row];
        if (count == 0)
            continue;
        kt_sort(reported, count);
        out[n++] = kt_quantile(reported, count, quantile);
    }
    return n;
}

void kt_share_in_groups(const kt_groups *of, const double *said, double *shares)
{
    for (size_t at = 0, end; at < of->count; at = end) {
        double saying = 0;
        end = end_of(of, at);
        for (size_t i = at; i < end; i++)
            saying += !isnan(said[of->rows[i].row]);
        for (size_t i = at; i < end; i++)
            shares[of->rows[i].row] = isnan(said[of->rows[i].row]) ? 0 : 1 / saying;
    }
}
