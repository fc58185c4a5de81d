/* runs.h - several runs as one document, for formats that people read. A program that is started
 * again may keep to other times for as long as it runs (memory elsewhere, work shared in another
 * way), which no statistic within one run can see: so a time is the median of the runs' medians,
 * and how far these are apart stands beside it. */
#ifndef KT_REPORT_RUNS_H
#define KT_REPORT_RUNS_H

#include "report/document.h"

typedef struct kt_over_runs {
    /* Of one run: its series as they are. Of several: in place of each time's series, one whose
     * summary is that of the runs' medians (its mean the mean of their means, its n all samples).
     * The times of a job on a device follow each other. */
    kt_document document;
    uint32_t others; /* series that are not about transfers; those that are stand behind them */
    kt_series *series;
    kt_runs *runs;
    const kt_series **measured;
} kt_over_runs;

/* False: out of memory, and nothing is to be freed. */
bool kt_gather_runs(kt_over_runs *over, const kt_document *document);
void kt_free_runs(kt_over_runs *over);

/* What stands behind a series of such a document. */
const kt_runs *kt_runs_of(const kt_document *over, const kt_series *series);
/* Whether the runs' medians of a time have a lowest and a highest one: its summary's min and
 * max. */
bool kt_has_spread(const kt_document *over, const kt_series *series);
/* How far the higher is above the lower, as a share of that; NaN where it has none. */
double kt_spread(double low, double high);

#endif
