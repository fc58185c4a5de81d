/* SPDX-License-Identifier: MIT */
/* comparable.h - decides whether two times were measured in the same way, so that comparing them
 * says something about the kernel. */
#ifndef KT_COMPARE_COMPARABLE_H
#define KT_COMPARE_COMPARABLE_H

#include "report/report.h"

/* A time and how it was measured. */
typedef struct kt_taken {
    const kt_series *series;
    const kt_report *report;
    const kt_document_device *device; /* NULL: the report lacks the device */
} kt_taken;

#define KT_DIFFERENCE_BYTES 320

/* A property in which two times differ, and its two values. */
typedef struct kt_difference {
    const char *what; /* name of the property, for example "methods" */
    char one[KT_DIFFERENCE_BYTES], other[KT_DIFFERENCE_BYTES];
} kt_difference;

/* Whether two times differ in a property that makes them incomparable. Writes *out only then. */
bool kt_differ(const kt_taken *one, const kt_taken *other, kt_difference *out);

/* Whether two times differ in the driver. Between the sides, the driver may be the change under
 * test; within one side, two drivers are two configurations. */
bool kt_differ_in_driver(const kt_taken *one, const kt_taken *other, kt_difference *out);

/* Whether two texts differ. Writes *out only then. */
bool kt_differ_in_text(const char *what, const char *one, const char *other, kt_difference *out);

#endif
