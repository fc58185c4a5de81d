/* SPDX-License-Identifier: MIT */
/* fault_run.h - a program with timers, run again and again while its Nth allocation or driver call
 * fails, and what must be true of it each time. */
#ifndef FAULT_RUN_H
#define FAULT_RUN_H

#include "support/fault.h"
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer.h>

/* Error text before a run, which no failure of it may leave. */
#define FAULT_STALE "nobody's"

typedef struct fault_run {
    kt_timer_context *timer_context;
    kt_timer *timers[3];
    kt_recording *recording;
    kt_snapshot *snapshot;
    uint64_t spans;    /* that were begun */
    unsigned failures; /* calls of kerntime that did not answer KT_OK */
    kt_status status;  /* of the first of them */
    char text[512];    /* and its sentence */
} fault_run;

/* Notes a failure; true if there is none. */
bool fault_ok(fault_run *r, kt_status status);
/* Creates timers with names of their own, since rows of the registry last. */
bool fault_create_timers(fault_run *r, int count);
kt_timer_context_counts fault_counts(const fault_run *r, uint64_t *discarded);

typedef struct fault_program {
    void (*go)(fault_run *r, uint64_t nth);
    /* Status of a run in which that driver call fails (KT_OK: any), and a part of its sentence, which
     * is the call's name before. */
    kt_status (*expect)(const char *fired, const char **part);
    /* Whether the failure of that call may be no error; NULL: never. */
    bool (*may_pass)(const char *fired);
    /* What else is true of a run; `fired` is NULL if no driver call failed. NULL: nothing. */
    void (*check)(const fault_run *r, const char *fired);
    uint64_t spans; /* of a run in which nothing fails */
    bool settles;   /* no span is left pending, whatever fails */
} fault_program;

/* Fails each in turn until none is left. Returns how many there were. */
uint64_t fault_each(kt_fault_kind kind, const fault_program *program);

#endif
