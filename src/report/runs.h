/* SPDX-License-Identifier: MIT */
/*
 * runs.h - combines several runs into one document, for formats that people read. A process may
 * keep to other times for as long as it runs (another memory placement or work distribution), which
 * no statistic within one run can show. So a time is the median of the runs' medians, shown with
 * their range.
 */
#ifndef KT_REPORT_RUNS_H
#define KT_REPORT_RUNS_H

#include "report/document.h"

typedef struct kt_over_runs {
    /* One run: its series as they are. Several runs: one series per time, with the summary of the
     * runs' medians (mean of their means, n of all samples). The times of a job on a device are
     * adjacent. */
    kt_document document;
    uint32_t others;            /* number of non-transfer series, which come first */
    const kt_series **measured; /* memory behind the runs */
} kt_over_runs;

/* Combines the runs of a document. False if out of memory; then there is nothing to free. */
bool kt_gather_runs(kt_over_runs *over, const kt_document *document);
void kt_free_runs(kt_over_runs *over);

/* The runs behind a series of a document made by kt_gather_runs(). */
const kt_runs *kt_runs_of(const kt_document *over, const kt_series *series);
/* Whether the summary's min and max are the lowest and highest median of several runs. */
bool kt_has_spread(const kt_document *over, const kt_series *series);
/* Relative range of the runs: (high - low) / low; NaN if undefined. */
double kt_spread(double low, double high);

#endif
