/* SPDX-License-Identifier: MIT */
/*
 * document.h - the content of a report, as output and comparisons read it.
 *
 * Room report: everything that a run reports, as one document, and what several rows show together:
 * the runs of a time, the sizes of a copy.
 * May know: support, statistics, device, measure.
 */
#ifndef KT_REPORT_DOCUMENT_H
#define KT_REPORT_DOCUMENT_H

#include "support/same_text.h"

#include <kerntime/kerntime.h>
#include <stdbool.h>

typedef struct kt_document_device {
    kt_device_info info;
    bool has_timer_limits;
    kt_timer_limits limits;
    /* why calibrating its clocks failed; NULL: it succeeded or was not tried */
    const char *clock_error;
    bool has_state;
    kt_device_state state;
} kt_document_device;

typedef struct kt_document_backend {
    const char *name;
    const char *reason; /* why the backend is unavailable; empty if it is available */
    uint32_t device_count;
} kt_document_backend;

/* One time over all runs that tried it. */
typedef struct kt_runs {
    const kt_series *const *series; /* one series per run as measured, in document order */
    uint32_t count;                 /* number of series */
    uint32_t counted;               /* runs that the summary includes; 0 for a single run */
} kt_runs;

typedef struct kt_document {
    kt_report_desc desc; /* kind of the document, command line and origin */
    kt_document_device *devices;
    kt_document_backend *backends; /* set only in a list of devices */
    kt_series *series;
    kt_baseline *baselines;
    kt_diagnostic *diagnostics; /* set only in a document of kind "doctor" */
    uint32_t device_count, backend_count, series_count, baseline_count, diagnostic_count;
    /* runs of each series if kt_gather_runs() (runs.h) made the document; else NULL */
    kt_runs *runs;
    uint32_t run_count; /* number of runs; valid if `runs` is not NULL */
} kt_document;

/* Whether two series belong to one job on one device, in any runs. */
bool kt_same_job(const kt_series *a, const kt_series *b);
/* Whether two series belong to one measurement: a job on a device in one run. */
bool kt_same_measurement(const kt_series *a, const kt_series *b);
/* Whether the series is one step of a job, not a total or wall time. */
bool kt_is_step(const kt_series *series);
/*
 * Whether the series is a transfer: workload "copy", with the direction as variant, such as
 * "heap-device" or "heap-heap-all-cores". Then returns the memory kinds of both ends, as static
 * texts. Accepts NULL for both.
 */
bool kt_is_transfer(const kt_series *series, const char **src, const char **dst);
/* Whether the baseline was measured for the same work as the series. */
bool kt_same_work(const kt_series *series, const kt_baseline *baseline);
/* The baseline of that name for the same work as the series, or NULL. */
const kt_baseline *kt_find_baseline(const kt_document *document, const kt_series *series,
                                    const char *name);

/* A speed-up over a baseline with its 95 % interval. NaN: unknown. */
typedef struct kt_speedup {
    double ratio, low, high;
} kt_speedup;

/* The speed-up of a series over the baseline of that name. Its ratio is known only if `speedup` of
 * the series is. */
kt_speedup kt_speedup_over(const kt_document *document, const kt_series *series, const char *name);

/* Names of the reasons that ended sampling and warm-up; NULL: the series did not get there. */
const char *kt_stop_text(const kt_series *series);
const char *kt_warmup_end_text(const kt_series *series);
/* The device with that id, or NULL. */
kt_document_device *kt_find_device(const kt_document *document, const char *id);
bool kt_is_device_list(const kt_document *document);
bool kt_is_doctor(const kt_document *document);
/* Bytes or operations per ns (1e9 per second); NaN if either is unknown. */
double kt_rate(double amount, double ns);
/* Operations per energy, in 1e9 per J; NaN if either is unknown. */
double kt_gflop_per_j(const kt_series *series);

#endif
