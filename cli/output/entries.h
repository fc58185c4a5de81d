/* SPDX-License-Identifier: MIT */
/*
 * entries.h - a report as other programs read benchmarks: a name and a time each, over all runs.
 *
 * There is an entry for what `compare` matches: steps, total, span and the wall time without
 * timestamps, in the order of the report.
 */
#ifndef CLI_ENTRIES_H
#define CLI_ENTRIES_H

#include <kerntime/kerntime.h>
#include <stdbool.h>

typedef struct entry {
    char *name;                     /* NAME/VARIANT/STEP/cold/DEVICE, without the scenario of sim */
    const kt_series *const *series; /* one of each run, of the report */
    size_t count, measured;         /* of them; those with a time */
    double time_ns; /* median, of several runs that of their medians; NaN: there is none */
    /* 95 % interval, of several runs the lowest and highest median; NaN: unknown. */
    double low_ns, high_ns;
    double wall_ns;      /* likewise of its job, as time_ns; NaN: none, or it is the entry itself */
    uint64_t samples;    /* of all runs */
    uint64_t dispatches; /* in them */
    const char *reason;  /* why there is no time; NULL: there is one */
} entry;

typedef struct entries {
    entry *list;
    size_t count;
    size_t timeless;          /* entries without a time */
    const kt_series **series; /* behind the entries */
} entries;

/* Returns false if out of memory; then there is nothing to free. */
bool entries_make(const kt_report *report, entries *out);
void entries_free(entries *of);

/* Bytes of memory traffic a second; NaN: unknown. */
double entry_rate(const entry *of);

/* Says on standard error how many entries a format without failures leaves out. */
void entries_say_left_out(const entries *of, const char *option);

#endif
