/* SPDX-License-Identifier: MIT */
/* missing_rows.h - says why a side has no time in a row. */
#ifndef KT_COMPARE_MISSING_ROWS_H
#define KT_COMPARE_MISSING_ROWS_H

#include "compare/matching.h"

bool kt_has_time(const kt_matched *matched);

/* Why a side has no time in a row. */
typedef struct kt_missing {
    const char *what;   /* for example "failed"; NULL: the side has a time */
    const char *reason; /* NULL: the reason is unknown */
} kt_missing;

kt_missing kt_find_missing(const kt_matched_row *row, unsigned side);

/* Counts the failed runs of a side; `first` is the first of them, or NULL. */
uint32_t kt_count_failed(const kt_matched_row *row, unsigned side, const kt_series **first);

#endif
