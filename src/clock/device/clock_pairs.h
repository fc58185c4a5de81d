/* SPDX-License-Identifier: MIT */
/* clock_pairs.h - takes clock pairs: device clock readings between two host clock readings. */
#ifndef KT_CLOCK_PAIRS_H
#define KT_CLOCK_PAIRS_H

#include "clock/device/clocked.h"

typedef enum kt_pairs_kind {
    KT_PAIRS_API,      /* calibrated timestamps: the backend reads both clocks */
    KT_PAIRS_COMMANDS, /* bracketed submissions of empty commands */
    KT_PAIRS_HOST      /* the device clock is a host clock: only the host is read */
} kt_pairs_kind;

typedef struct kt_pairs {
    kt_clocked of;
    uint32_t index; /* index of the clock in of.infos */
    kt_pairs_kind kind;
    kt_host_domain domain; /* host clock to read, for KT_PAIRS_HOST */
    int64_t timeout_ns;    /* timeout of one empty command */
    void *job_state;       /* job with one empty step, for KT_PAIRS_COMMANDS */
    bool owns_job;
    uint64_t step_ticks;         /* clock resolution in ticks; 1 until it is known */
    kt_timestamp_state last_bad; /* state of the last unusable timestamp */
} kt_pairs;

/* A clock pair, and all host clocks before and after it (unset for KT_PAIRS_HOST). */
typedef struct kt_pairs_reading {
    bool usable; /* false: the timestamps are bad, ignore the other members */
    kt_clock_pair pair;
    uint64_t last_ticks; /* newest timestamp of the reading */
    kt_host_instants before, after;
} kt_pairs_reading;

/*
 * Chooses calibrated timestamps if the API has them, else bracketed submissions of `job_state`, a
 * job with one empty step. If that is NULL, or for a further clock of the same timer, creates a job
 * of its own. Call kt_pairs_fini() in any case.
 */
kt_status kt_pairs_init(kt_pairs *pairs, const kt_clocked *of, uint32_t index, void *job_state,
                        int64_t timeout_ns);
void kt_pairs_fini(kt_pairs *pairs);

/* From now on, pairs come from host clock `domain` alone. */
void kt_pairs_use_domain(kt_pairs *pairs, kt_host_domain domain);

/* Takes a clock pair. `clock`: known properties of the clock, with period NaN if unknown. */
kt_status kt_pairs_take(kt_pairs *pairs, const kt_clock_info *clock, kt_pairs_reading *out);

#endif
