/* SPDX-License-Identifier: MIT */
/* groups.h - gathers rows that vary together into independent groups. Pure. */
#ifndef KT_COMPARE_GROUPS_H
#define KT_COMPARE_GROUPS_H

#include <kerntime/compare.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kt_group_row {
    size_t row;
    uint32_t group; /* number of the group; 0: the row is a group of its own */
} kt_group_row;

typedef struct kt_groups {
    const kt_group_row *rows; /* sorted by group */
    size_t count;             /* number of rows */
} kt_groups;

/* Sorts the rows by group into `room`, which has one entry per row. */
kt_groups kt_find_groups(const kt_compare_row *rows, size_t count, kt_group_row *room);

/* Reduces one number per row (NaN: none) to one per group with a number: its quantile, 0.5 for the
 * median, 1 for the maximum. `out` has room for all rows. Returns the number of groups; the order
 * depends only on which rows have numbers. */
size_t kt_ask_groups(const kt_groups *of, const double *said, double quantile, double *out);

/* Each row's share in its group: 1 divided by the group's number of rows with a number. 0 for rows
 * without one. */
void kt_share_in_groups(const kt_groups *of, const double *said, double *shares);

#endif
