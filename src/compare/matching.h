/* matching.h - which times of several reports are one row of a comparison. */
#ifndef KT_COMPARE_MATCHING_H
#define KT_COMPARE_MATCHING_H

#include "compare/comparable.h"

#include <kerntime/compare.h>

enum { KT_SIDE_BASE, KT_SIDE_NEW, KT_SIDE_COUNT };

/* A time of one run. */
typedef struct kt_matched {
    kt_taken taken;
    unsigned side;
    uint32_t report;  /* number of it on its side */
    uint32_t run;     /* number of it among all runs of its side */
    size_t number;    /* of the series, over all reports of both sides */
    size_t row;       /* the number of its row */
    bool shared;      /* both sides have the row */
    size_t id_length; /* so much of its device's id counts */
} kt_matched;

/* One time in all runs of both sides: those of a side by report and run. */
typedef struct kt_matched_row {
    const kt_matched *of[KT_SIDE_COUNT];
    uint32_t count[KT_SIDE_COUNT];
    size_t number; /* the smallest of its series */
    uint32_t job;  /* 1, 2, ...: the same for all times of a job on a device */
} kt_matched_row;

typedef struct kt_matching {
    kt_matched *all;
    size_t count;
    kt_matched_row *rows; /* in the order in which they appear, the base side first */
    uint32_t row_count;
    uint32_t runs[KT_SIDE_COUNT];
    kt_matched **by_run; /* all of them by side and run; those of a run by row */
} kt_matching;

/*
 * Steps, totals, spans and wall times, as `timing` says. Times match by name, parameters, variant,
 * device and step. The scenario of a simulated device is what was changed, not another device,
 * unless a report has several of that number. kt_free_matching() in any case. KT_NO_MEMORY.
 */
kt_status kt_match(kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT],
                   kt_timing timing);
/* In the order of rows; 0: they are of one. */
int kt_compare_times(const kt_matched *one, const kt_matched *other);
void kt_free_matching(kt_matching *matching);

#endif
