/*
 * report.h - the inside of a report, for the files that it is made of and those that read a whole
 * one.
 *
 * Room report: all that a run has to say as one document, and what several rows say together: runs
 * of a time, sizes of a copy. May know: support, statistics, device, measure.
 */
#ifndef KT_REPORT_REPORT_H
#define KT_REPORT_REPORT_H

#include "report/document.h"
#include "report/zero_copy.h"

struct kt_report {
    kt_report_desc desc; /* with copies of everything that it points to */
    kt_report_origin origin, simulated;
    kt_document_device *devices;
    kt_document_backend *backends;
    kt_series *series;          /* those of all results, in the order added */
    kt_zero_copies zero_copies; /* among them */
    kt_baseline *baselines;
    kt_finding *findings;
    void **copies; /* what all of these point to, but for what belongs to results */
    kt_result **results;
    uint32_t device_count, backend_count, series_count, baseline_count, finding_count, copy_count,
        result_count;  /* of these */
    bool origin_given; /* else `origin` is this machine, and `simulated` may stand for it */
};

/* A copy that lives as long as the report, of zeros if `data` is NULL; NULL: out of memory. */
void *kt_report_keep(kt_report *report, const void *data, size_t bytes);
/* The same of a text; NULL of NULL. Out of memory: `status` says so, else it stays as it is. */
const char *kt_report_keep_text(kt_report *report, const char *text, kt_status *status);

/* The number of the device of that id, or how many there are. */
uint32_t kt_report_find_device(const kt_report *report, const char *id);

/* What the printers print. It points into the report: good until that is destroyed or added to. */
kt_document kt_report_document(const kt_report *report);

#endif
