/*
 * report_comparison.h - two sides of reports, compared.
 *
 * Room compare: two sides of reports: which rows belong together, which are comparable, what
 * changed and how surely. May know: support, statistics, measure, report.
 */
#ifndef KT_COMPARE_REPORT_COMPARISON_H
#define KT_COMPARE_REPORT_COMPARISON_H

#include "report/document.h"

#include <kerntime/compare.h>

/* What one side is made of. */
typedef struct kt_compare_source {
    const char *const *names;   /* of its files; NULL: none */
    const char *const *started; /* of each of its reports */
    uint32_t count;             /* of its reports */
    uint32_t runs;              /* of all of them together */
} kt_compare_source;

typedef struct kt_compare_document {
    const kt_document *head; /* command, origin, and the devices of both sides; no series */
    kt_compare_source base_side, new_side;
    kt_compare_options options; /* none of them 0 but timing */
    const kt_series_change *changes;
    uint32_t change_count;
    kt_change_common common;
    kt_verdict verdict; /* of the whole */
} kt_compare_document;

struct kt_report_comparison {
    kt_report *report; /* command and origin */
    kt_document head;  /* the same, and `devices` */
    kt_document_device *devices;
    kt_compare_document document;
    kt_series_change *changes;
    uint32_t refused; /* rows that were not compared though BASE has them, and one side a time */
    uint32_t partly;  /* rows that were compared, and failed in a run of NEW */
    void **copies;    /* texts */
    uint32_t copy_count;
};

/* Whether both have one name and one driver; their ids are not looked at. */
bool kt_is_same_make(const kt_device_info *one, const kt_device_info *other);
bool kt_has_interval(const kt_change *change);
/* What would decide its inconclusive rows. */
kt_compare_outlook kt_find_outlook(const kt_compare_document *document);

#endif
