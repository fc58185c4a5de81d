/* lacking.h - what has no time in a row of a comparison, and why. */
#ifndef KT_COMPARE_LACKING_H
#define KT_COMPARE_LACKING_H

#include "compare/matching.h"

bool kt_has_time(const kt_matched *matched);

/* Why a side has no time of a row. */
typedef struct kt_lack {
    const char *what;   /* "failed"; NULL: it has one */
    const char *reason; /* NULL: none is known */
} kt_lack;

kt_lack kt_find_lack(const kt_matched_row *row, unsigned side);

/* How many runs of a side failed, and the first of these; NULL: none did. */
uint32_t kt_count_failed(const kt_matched_row *row, unsigned side, const kt_series **first);

#endif
