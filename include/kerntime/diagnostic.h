/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Diagnostics of a device: what a measurement showed, what it means, and what to do.
 */
#ifndef KERNTIME_DIAGNOSTIC_H
#define KERNTIME_DIAGNOSTIC_H

#include <kerntime/api.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Severity of a diagnostic. */
typedef enum kt_severity {
    KT_SEVERITY_GOOD = 0, /**< as it should be; text output shows only `seen` */
    KT_SEVERITY_NOTE,     /**< worth knowing; kerntime handles it */
    KT_SEVERITY_WARNING,  /**< numbers have a limit that their reader must know */
    KT_SEVERITY_FAULT     /**< a fault: some numbers are missing or untrusted */
} kt_severity;

/**
 * Name of a severity as in the result file, such as "warning".
 *
 * Threads: any.
 *
 * @param severity any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_severity_name(kt_severity severity);

/** A number behind a diagnostic. */
typedef struct kt_diagnostic_value {
    const char *name; /**< name with its unit: "resolution_ns" */
    double value;     /**< NaN: unknown */
} kt_diagnostic_value;

/** A diagnostic of one check on one device. */
typedef struct kt_diagnostic {
    const char *device;                /**< id of the device */
    const char *check;                 /**< name of the check: "governor" */
    kt_severity severity;              /**< severity */
    const char *seen;                  /**< what was measured, one sentence */
    const char *means;                 /**< what it means, one sentence; NULL: `seen` says it */
    const char *advice;                /**< what to do, one sentence; NULL: nothing */
    const kt_diagnostic_value *values; /**< value_count values */
    uint32_t value_count;              /**< number of values */
} kt_diagnostic;

/** Check with the last line about a device: the shortest kernel that the device can rank. */
#define KT_CHECK_SHORTEST "shortest"

/**
 * Adds a diagnostic to a report, whose document should be "doctor".
 *
 * @param report report to add to
 * @param diagnostic copied with all that it points to
 * @return KT_OK, or
 * - KT_INVALID: the report lacks its device, a text or the name of a value is missing, or there is
 *   no such severity
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_add_diagnostic(kt_report *report, const kt_diagnostic *diagnostic);

/**
 * Number of diagnostics in a report.
 *
 * @param report any report
 * @return number of diagnostics
 */
KT_API uint32_t kt_report_diagnostic_count(const kt_report *report);

/**
 * One diagnostic of a report.
 *
 * @param report owner of the diagnostic
 * @param index number of the diagnostic, from 0, in the order added
 * @return the diagnostic, which lives until the report is destroyed or added to, or NULL if `index`
 * is out of range
 */
KT_API const kt_diagnostic *kt_report_diagnostic(const kt_report *report, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
