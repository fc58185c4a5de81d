/* zero_copy.h - which series of a report copy nothing: judged by all sizes of a direction, as they
 * are added. */
#ifndef KT_REPORT_ZERO_COPY_H
#define KT_REPORT_ZERO_COPY_H

#include "report/document.h"

typedef struct kt_zero_copies {
    bool *told;                /* beside each series: it was added as such, so nobody judges it */
    kt_transfer_point *points; /* to work on */
    double fastest_gb_per_s;   /* that memory of this machine was seen to be; NaN at first */
} kt_zero_copies;

/* Makes room for so many series in all, of which more than before are not written yet. */
bool kt_grow_zero_copies(kt_zero_copies *zero_copies, size_t series);
void kt_free_zero_copies(kt_zero_copies *zero_copies);

/* Of the direction of one series that was added, and of others if it tells of a faster memory than
 * was known. `series` are those of the document. */
void kt_judge_zero_copies(kt_zero_copies *zero_copies, const kt_document *document,
                          const kt_series *added, kt_series *series);

#endif
