/*
 * report.h - the internals of a report, for its own files and for readers of whole reports.
 *
 * Room report: everything that a run reports, as one document, and what several rows show together:
 * the runs of a time, the sizes of a copy.
 * May know: support, statistics, device, measure.
 */
#ifndef KT_REPORT_REPORT_H
#define KT_REPORT_REPORT_H

#include "report/document.h"
#include "report/zero_copy.h"

struct kt_report {
    kt_report_desc desc; /* description of the report; its pointers point to copies */
    kt_report_origin origin, simulated;
    kt_document_device *devices;
    kt_document_backend *backends;
    kt_series *series;          /* series of all results, in order of addition */
    kt_zero_copies zero_copies; /* which of the series are zero copies */
    kt_baseline *baselines;
    kt_diagnostic *diagnostics;
    void **copies; /* memory behind all of the above, except the results' */
    kt_result **results;
    uint32_t device_count, backend_count, series_count, baseline_count, diagnostic_count,
        copy_count, result_count; /* array lengths of `copies` and `results` */
    bool origin_given; /* false: `origin` describes this machine, and `simulated` may replace it */
};

/* Copies data for the lifetime of the report; zeros if `data` is NULL. NULL: out of memory. */
void *kt_report_keep(kt_report *report, const void *data, size_t bytes);
/* Copies a text; NULL for NULL. Sets `status` only when out of memory. */
const char *kt_report_keep_text(kt_report *report, const char *text, kt_status *status);

/* Index of the device with that id, or the number of devices. */
uint32_t kt_report_find_device(const kt_report *report, const char *id);

/* The report's content for output. Points into the report: valid until the report changes or is
 * destroyed. */
kt_document kt_report_document(const kt_report *report);

#endif
