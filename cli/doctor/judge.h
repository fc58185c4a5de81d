/* SPDX-License-Identifier: MIT */
/*
 * judge.h - observations of a device: timestamps, clocks and state, and their judgement. Pure: no
 * device is used, so that tests can produce every message from synthetic observations.
 */
#ifndef CLI_DOCTOR_JUDGE_H
#define CLI_DOCTOR_JUDGE_H

#include "cli/doctor/doctor.h"

/* Formats a duration for a message. Lives until the end of the block. */
#define DOCTOR_NS(ns) kt_format_ns((char[24]){0}, 24, ns)

#define DOCTOR_DIAGNOSTICS_MAX 16

typedef struct doctor_diagnostics {
    doctor_diagnostic items[DOCTOR_DIAGNOSTICS_MAX];
    uint32_t count;
} doctor_diagnostics;

/* Begins the next diagnostic of the list. A full list overwrites its last one; no judge fills
 * it. */
doctor_diagnostic *doctor_next(doctor_diagnostics *list, const char *check, kt_severity severity);
/* Adds all diagnostics of the list to the report. */
kt_status doctor_add_all(doctor *d, const doctor_diagnostics *list);

/* ---- consecutive submissions ---- */

/*
 * Order of the timestamps. Each one is compared with the previous one and the host's time between
 * both: the counter should advance by the host's time, modulo wraps of a known width, within the
 * uncertainty of the two host readings.
 */
typedef struct doctor_order {
    uint32_t compared; /* timestamp pairs whose order can be judged, of which: */
    /* pairs whose later timestamp precedes the end of the other, or lies alone at an impossible
     * place */
    uint32_t misplaced;
    double misplaced_ns; /* largest distance of a misplaced timestamp from its possible range */
    /* pairs between which the counter jumped and then continued: a reset */
    uint32_t jumps;
    uint32_t turns;                   /* wraps at the reported counter width */
    uint32_t early_turns, early_bits; /* wraps at a smaller width, and that width */
    uint32_t moved_bits;              /* highest counter bit seen to change, from 1 on */
} doctor_order;

/* Resolution of the host's clock by its readings, if it is coarse, as in browsers; else 0. */
double doctor_host_step_ns(const kt_raw *raw, size_t count);

void doctor_order_find(const kt_clock_info *clock, double resolution_ns, const kt_raw *raw,
                       size_t count, doctor_order *out);

/* Order of the timestamps of consecutive steps within one submission. */
typedef struct doctor_neighbours {
    uint32_t compared; /* pairs of consecutive steps, of which: */
    /* pairs whose later step begins before the other ended, by more than the clock resolution */
    uint32_t overlaps;
    double overlap_ns; /* longest overlap of two steps */
    uint32_t swapped;  /* pairs whose later step begins before the other began */
} doctor_neighbours;

/* `steps`: per step, the timestamps of all submissions. */
void doctor_neighbours_find(const kt_clock_info *clock, double resolution_ns,
                            const kt_raw *const *steps, uint32_t step_count, size_t count,
                            doctor_neighbours *out);

/* Ticks between two readings of a counter `bits` wide (0: unknown width), by the shorter way;
 * below 0 if `to` precedes `from`. */
double doctor_ticks_between(uint64_t from, uint64_t to, uint32_t bits);
/* ns until the counter wraps; infinite for 64 bits or an unknown width. */
double doctor_turn_ns(const kt_clock_info *clock);

#define STEPS_COUNT 8

/* Observations of empty submissions with and without timestamps. Unknown doubles are NaN. */
typedef struct timestamps_seen {
    const char *backend;
    bool has_clock;
    kt_clock_info reported; /* the clock as the driver reports it */
    kt_clock_info clock;    /* the clock after calibration */
    kt_timer_limits limits;
    const kt_raw *raw; /* timestamps of the submissions that have them, in order */
    size_t count;
    /* Submissions of several empty steps: the timestamps of each step, and the time that each
     * further step adds to the span. */
    const kt_raw *steps[STEPS_COUNT];
    size_t steps_count; /* number of submissions of several empty steps */
    double step_ns;
    /* Median wall time of a submission with and without timestamps, and half its interval. */
    double timestamped_ns, timestamped_error_ns;
    double plain_ns, plain_error_ns;
    double host_step_ns; /* see doctor_host_step_ns() */
} timestamps_seen;

void doctor_judge_timestamps(const timestamps_seen *seen, doctor_diagnostics *out);

/* ---- state ---- */

/* Judges the state of a device that has had no work yet. Says nothing of what is unknown. */
void doctor_judge_state(const kt_device_info *info, const kt_device_state *state,
                        doctor_diagnostics *out);

/* ---- clocks ---- */

/* Where a timestamp of an empty submission lies on the host's clock. */
typedef struct doctor_placed {
    int64_t host_before_ns, host_after_ns; /* host times before and after its submission */
    int64_t start_ns, end_ns;
    double uncertainty_ns; /* of start_ns or end_ns, whichever is larger */
} doctor_placed;

/* The device clock's rate relative to the host's. */
typedef struct doctor_rate {
    double ppm;       /* rate error; above 0: the device clock is fast; NaN: unknown */
    double error_ppm; /* maximum error of `ppm` */
} doctor_rate;

/* The rate between two moments, with wraps of the counter. NaN if the number of wraps is unclear or
 * the counter was reset. */
doctor_rate doctor_rate_between(const kt_clock_info *clock, double resolution_ns,
                                const kt_clock_pair *from, const kt_clock_pair *to);

/* Observations of one clock. Unknown doubles are NaN. */
typedef struct clocks_seen {
    kt_clock_info reported; /* the clock as the driver reports it */
    kt_clock_info found;    /* the clock after calibration */
    double resolution_ns;
    double host_step_ns;   /* see doctor_host_step_ns() */
    kt_status pair_status; /* status of asking the API for calibrated timestamps */
    char pair_error[256];  /* error text: why the API has none */
    double pair_ns;        /* width of the narrowest calibrated timestamps */
    kt_status open_status; /* status of following the clock */
    char open_error[256];  /* why it cannot be followed */
    kt_clock_state state;  /* state of the clock at the end of the check */
    const kt_raw *raw;     /* timestamps in the order taken */
    size_t count;
    const doctor_placed *placed; /* positions of the valid timestamps on the host clock */
    size_t placed_count;
    doctor_rate idle, busy, whole; /* rate in each phase; `whole`: over the check */
    double load_ns;                /* wall time of a dispatch of the load; NaN: no load */
    uint32_t load_groups, units;   /* groups of the load; compute units; 0: unknown */
    double kernel_ns;              /* median device time of equal kernels, or of empty steps */
    double kernel_spread;          /* robust standard deviation over kernel_ns */
} clocks_seen;

void doctor_judge_clocks(const clocks_seen *seen, doctor_diagnostics *out);

#endif
