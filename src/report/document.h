/* document.h - what a report says: all that printers and comparisons read of it. */
#ifndef KT_REPORT_DOCUMENT_H
#define KT_REPORT_DOCUMENT_H

#include "support/same_text.h"

#include <kerntime/kerntime.h>
#include <stdbool.h>

typedef struct kt_document_device {
    kt_device_info info;
    bool has_ruler;
    kt_ruler ruler;
    /* why its clocks could not be found; NULL: they were, or nobody looked */
    const char *clock_error;
} kt_document_device;

typedef struct kt_document_backend {
    const char *name;
    const char *why; /* empty: its driver is here */
    uint32_t device_count;
} kt_document_backend;

/* One time in all runs in which it was tried. */
typedef struct kt_runs {
    const kt_series *const *series; /* as measured, in the order of the document */
    uint32_t count;                 /* of these */
    uint32_t counted; /* those whose times are behind the summary; of a single run: 0 */
} kt_runs;

typedef struct kt_document {
    const char *kind; /* "result" */
    const char *const *command;
    uint32_t command_count;
    const kt_report_origin *origin;
    const kt_document_device *devices;
    uint32_t device_count;
    const kt_document_backend *backends; /* of a list of devices */
    uint32_t backend_count;
    const kt_series *series;
    uint32_t series_count;
    const kt_baseline *baselines;
    uint32_t baseline_count;
    const kt_finding *findings; /* of a document "doctor" */
    uint32_t finding_count;
    const kt_runs *runs; /* beside each series, if made by kt_gather_runs() (runs.h); else NULL */
    uint32_t run_count;  /* as long as that is there */
} kt_document;

/* Whether two series are of one job on one device, in whatever run. */
bool kt_same_job(const kt_series *a, const kt_series *b);
/* Whether two series belong to one measurement, which is a job on a device in one run. */
bool kt_same_measurement(const kt_series *a, const kt_series *b);
/* Whether it is one step of a job, not about all of them. */
bool kt_is_step(const kt_series *series);
/*
 * Whether it is about a transfer: workload "copy", whose variants are directions, "heap-device" or
 * "heap-heap-all-cores". Then the kinds of memory at its ends, in the library's own words; NULL
 * takes none.
 */
bool kt_is_transfer(const kt_series *series, const char **src, const char **dst);
/* The baseline's samples belong to the same work as the series'. */
bool kt_same_work(const kt_series *series, const kt_baseline *baseline);
/* The names of why sampling and how warming up ended; NULL: they did not get as far. */
const char *kt_stop_text(const kt_series *series);
const char *kt_warmup_end_text(const kt_series *series);
/* The device of that id, or NULL. */
const kt_document_device *kt_find_device(const kt_document *document, const char *id);
bool kt_is_device_list(const kt_document *document);
bool kt_is_doctor(const kt_document *document);
/* Bytes or operations per ns, which is 1e9 of them per second; NaN if either is unknown. */
double kt_rate(double amount, double ns);

#endif
