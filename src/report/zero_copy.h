/* zero_copy.h - tracks which series of a report are zero copies. Judges a direction by all its
 * sizes as series are added. */
#ifndef KT_REPORT_ZERO_COPY_H
#define KT_REPORT_ZERO_COPY_H

#include "report/document.h"

typedef struct kt_zero_copies {
    bool *reported;            /* one per series: added as a zero copy, so not judged */
    kt_transfer_point *points; /* scratch for the judgement */
    double fastest_gb_per_s;   /* highest memory rate of this machine so far; NaN at first */
} kt_zero_copies;

/* Makes room for `series` series in total. */
bool kt_grow_zero_copies(kt_zero_copies *zero_copies, size_t series);
void kt_free_zero_copies(kt_zero_copies *zero_copies);

/* Judges the direction of an added series, and all others if the series shows a faster memory.
 * `series`: those of the document. */
void kt_judge_zero_copies(kt_zero_copies *zero_copies, const kt_document *document,
                          const kt_series *added, kt_series *series);

#endif
