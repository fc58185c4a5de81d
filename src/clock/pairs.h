/* pairs.h - where the pairs of a clock and the host's come from. */
#ifndef KT_CLOCK_PAIRS_H
#define KT_CLOCK_PAIRS_H

#include "clock/clocked.h"

typedef enum kt_pairs_kind {
    KT_PAIRS_API,      /* the backend reads both clocks */
    KT_PAIRS_COMMANDS, /* empty commands between two readings of the host's clock */
    KT_PAIRS_HOST      /* the clock is one of the host's: it alone is read */
} kt_pairs_kind;

typedef struct kt_pairs {
    kt_clocked of;
    uint32_t index; /* of the clock */
    kt_pairs_kind kind;
    kt_host_domain domain; /* of KT_PAIRS_HOST */
    int64_t timeout_ns;    /* of a command */
    void *job_state;       /* of KT_PAIRS_COMMANDS */
    bool owns_job;
    uint64_t step_ticks;     /* a stamp is off by less than that; 1 until more is known */
    kt_stamp_state last_bad; /* of the stamps that made no pair */
} kt_pairs;

/* A pair, and all the host's clocks before and after it, unless they alone are read. */
typedef struct kt_pairs_reading {
    bool usable; /* false: the stamps are not ok, and the rest says nothing */
    kt_clock_pair pair;
    uint64_t last_ticks; /* the newest stamp in it */
    kt_host_instants before, after;
} kt_pairs_reading;

/*
 * Finds out how pairs can be had: by the API, or else by commands of a device. `job_state` is a job
 * of one empty step of the caller's, or NULL for one of its own, which the clock of copies has in
 * any case. kt_pairs_fini() follows in any case.
 */
kt_status kt_pairs_init(kt_pairs *pairs, const kt_clocked *of, uint32_t index, void *job_state,
                        int64_t timeout_ns);
void kt_pairs_fini(kt_pairs *pairs);

/* From now on they are read from the host alone. */
void kt_pairs_use_domain(kt_pairs *pairs, kt_host_domain domain);

/* Takes one. `clock` is what is known of the clock, with the period NaN if it is not. */
kt_status kt_pairs_take(kt_pairs *pairs, const kt_clock_info *clock, kt_pairs_reading *out);

#endif
