/* finding.h - what was found out about a device by measuring it: seen, what it means, what to
 * do. */
#ifndef KERNTIME_FINDING_H
#define KERNTIME_FINDING_H

#include <kerntime/api.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much a finding matters. */
typedef enum kt_severity {
    KT_SEVERITY_GOOD = 0, /**< as it should be; text shows only what was seen */
    KT_SEVERITY_NOTE,     /**< good to know: kerntime copes with it by itself */
    KT_SEVERITY_WARNING,  /**< numbers have a limit that whoever reads them must know */
    KT_SEVERITY_FAULT     /**< something is wrong: some numbers cannot be had, or not be believed */
} kt_severity;

/** As in the result file: "warning". Never NULL. */
KT_API const char *kt_severity_name(kt_severity severity);

/** A number behind a finding. */
typedef struct kt_finding_value {
    const char *name; /**< with its unit: "grid_ns" */
    double value;     /**< NaN: not known */
} kt_finding_value;

typedef struct kt_finding {
    const char *device; /**< id */
    const char *check;  /**< "grid" */
    kt_severity severity;
    const char *seen;   /**< one sentence */
    const char *means;  /**< one sentence; NULL: what was seen says it */
    const char *advice; /**< one sentence; NULL: there is nothing to do */
    const kt_finding_value *values;
    uint32_t value_count;
} kt_finding;

/** The check whose finding is the last line about a device: the shortest kernel that it ranks. */
#define KT_CHECK_SHORTEST "shortest"

/** Adds a finding to a report, whose document should be "doctor": copied with all that it points
 * to. KT_INVALID: its device was not added, or a text or the name of a value is missing.
 * KT_NO_MEMORY. */
KT_API kt_status kt_report_add_finding(kt_report *report, const kt_finding *finding);
KT_API uint32_t kt_report_finding_count(const kt_report *report);
/** NULL if index is out of range. Lives until the report is destroyed or added to. */
KT_API const kt_finding *kt_report_finding(const kt_report *report, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
