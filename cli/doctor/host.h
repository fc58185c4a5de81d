/* SPDX-License-Identifier: MIT */
/* host.h - judges other load on the host from two readings of its state, and the clock of scopes.
 * Pure. */
#ifndef CLI_DOCTOR_HOST_H
#define CLI_DOCTOR_HOST_H

#include "cli/doctor/doctor.h"

#include <kerntime/cycles.h>
#include <kerntime/host.h>
#include <stdbool.h>

typedef struct doctor_background {
    double others;  /* mean number of cores that other processes kept busy; NaN: unknown */
    double load;    /* load average of the minute before; NaN: unknown */
    uint32_t cores; /* CPU cores of the machine; 0: unknown */
    bool busy;      /* other processes use enough cores to make times vary */
} doctor_background;

doctor_background doctor_judge_background(const kt_host_state *before, const kt_host_state *after);

#define SCOPE_CLOCK_BYTES 384

/* "tsc, tick 0.4347826 ns within 13 ppm, 2 of 2 cores within 187.0 ns: REASON", or
 * "CLOCK_MONOTONIC_RAW: REASON". Returns `out`. */
char *doctor_scope_clock_text(char out[SCOPE_CLOCK_BYTES], const kt_cycles_info *clock);

/* Judges the clock of scopes and of timers of the CPU. */
doctor_diagnostic doctor_judge_scope_clock(const kt_cycles_info *clock);

/* Whether a governor keeps the cores at one frequency. */
bool doctor_governor_holds(const char *governor);

#endif
