/* comparable.h - whether two times were taken alike, so that comparing them tells of what was
 * timed. */
#ifndef KT_COMPARE_COMPARABLE_H
#define KT_COMPARE_COMPARABLE_H

#include "report/report.h"

/* A time, and what is known of how it was taken. */
typedef struct kt_taken {
    const kt_series *series;
    const kt_report *report;
    const kt_document_device *device; /* NULL: the report does not have it */
} kt_taken;

#define KT_DIFFERENCE_BYTES 320

/* In what two of them differ, and what it is of each. */
typedef struct kt_difference {
    const char *what; /* "methods" */
    char one[KT_DIFFERENCE_BYTES], other[KT_DIFFERENCE_BYTES];
} kt_difference;

/* Whether they differ in something that makes times no longer comparable; *out is written only
 * then. */
bool kt_differ(const kt_taken *one, const kt_taken *other, kt_difference *out);

/* Likewise in the driver: between the sides that is what was changed, within one it mixes two
 * things. */
bool kt_differ_in_driver(const kt_taken *one, const kt_taken *other, kt_difference *out);

/* Whether two texts differ; *out is written only then. */
bool kt_differ_in_text(const char *what, const char *one, const char *other, kt_difference *out);

#endif
