/* SPDX-License-Identifier: MIT */
/* matching.h - matches the times of several reports to the rows of a comparison. */
#ifndef KT_COMPARE_MATCHING_H
#define KT_COMPARE_MATCHING_H

#include "compare/comparable.h"

#include <kerntime/compare.h>

enum { KT_SIDE_BASELINE, KT_SIDE_CONTENDER, KT_SIDE_COUNT };

/* A time of one run. */
typedef struct kt_matched {
    kt_taken taken;
    unsigned side;
    uint32_t report;  /* index of the report on its side */
    uint32_t run;     /* index among all runs of its side */
    size_t number;    /* index of the series over both sides */
    size_t id_length; /* characters of the device id that are compared */
} kt_matched;

/* One time in all runs of both sides; each side is sorted by report and run. */
typedef struct kt_matched_row {
    const kt_matched *of[KT_SIDE_COUNT];
    uint32_t count[KT_SIDE_COUNT];
    size_t number; /* smallest `number` of its series */
    uint32_t job;  /* 1, 2, ...: shared by all times of a job on a device */
} kt_matched_row;

typedef struct kt_matching {
    kt_matched *all;
    size_t count;
    kt_matched_row *rows; /* in order of appearance, baseline first */
    uint32_t row_count;
    uint32_t runs[KT_SIDE_COUNT];
} kt_matching;

/*
 * Matches steps, totals, spans and wall times, as `timing` says, by name, parameters, variant,
 * device and step. Two scenarios of a simulated device count as the same device, unless a report
 * has several with that number. Call kt_free_matching() in any case. KT_NO_MEMORY.
 */
kt_status kt_match(kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT],
                   kt_timing timing);
void kt_free_matching(kt_matching *matching);

#endif
