/* SPDX-License-Identifier: MIT */
/*
 * report_comparison.h - compares two sides of reports.
 *
 * Room compare: matches the rows of two sides, checks that they are comparable, and computes what
 * changed and with which confidence.
 * May know: support, statistics, measure, report.
 */
#ifndef KT_COMPARE_REPORT_COMPARISON_H
#define KT_COMPARE_REPORT_COMPARISON_H

#include "report/document.h"

#include <kerntime/compare.h>

/* Origin of one side. */
typedef struct kt_compare_source {
    const char *const *names;   /* names of the side's files, or NULL */
    const char *const *started; /* start time of each report; NULL: unknown */
    uint32_t count;             /* number of reports */
    uint32_t runs;              /* number of runs in all reports */
} kt_compare_source;

typedef struct kt_compare_document {
    const kt_document *head; /* command, origin, and the devices of both sides; no series */
    kt_compare_source baseline_side, contender_side;
    kt_compare_options options; /* defaults filled in, except timing */
    const kt_series_change *changes;
    uint32_t change_count;
    kt_common_mode_shift common;
    kt_verdict verdict; /* verdict on the whole comparison */
    bool of_program;    /* no command measured the baseline, so it has no option --runs */
} kt_compare_document;

struct kt_report_comparison {
    kt_report *report; /* has command and origin of the comparison */
    kt_document head;  /* command, origin and `devices` */
    kt_document_device *devices;
    kt_compare_document document;
    kt_series_change *changes;
    /* rows of the baseline that were not compared, except rows that neither side measured */
    uint32_t refused;
    uint32_t partly; /* compared rows that failed in some contender run */
    void **copies;   /* texts that the comparison owns */
    uint32_t copy_count;
};

/* Whether two devices have the same name and driver. Ignores device ids. */
bool kt_is_same_make(const kt_device_info *one, const kt_device_info *other);
bool kt_has_interval(const kt_change *change);
/* Says what would decide the inconclusive rows. */
kt_compare_outlook kt_find_outlook(const kt_compare_document *document);

#endif
