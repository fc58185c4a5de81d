/*
 * judge.h - what was observed of a device's stamps and clocks, and what is found of that. Pure: no
 * device is asked, so that each sentence can be had from made-up observations.
 */
#ifndef CLI_DOCTOR_JUDGE_H
#define CLI_DOCTOR_JUDGE_H

#include "cli/doctor/doctor.h"

/* A duration for a sentence; lives until the end of the block. */
#define DOCTOR_NS(ns) kt_format_ns((char[24]){0}, 24, ns)

#define DOCTOR_FINDINGS_MAX 16

typedef struct doctor_findings {
    doctor_finding items[DOCTOR_FINDINGS_MAX];
    uint32_t count;
} doctor_findings;

/* The next one of the list, begun. What is beyond its end overwrites the last one: no judge makes
 * so many. */
doctor_finding *doctor_next(doctor_findings *list, const char *check, kt_severity severity);
/* Hands all of them to the report. */
kt_status doctor_add_all(doctor *d, const doctor_findings *list);

/* ---- stamps, one submission after another ---- */

/*
 * What their order shows. A stamp is held against the one before it and the host's time between
 * both: how far the counter went, turns of a known width aside, is what the host saw, within what
 * its two readings leave open.
 */
typedef struct doctor_order {
    uint32_t compared; /* pairs of neighbours that something can be told of; of these: */
    /* the later one begins before the other ended, or lies alone where nothing can be, ... */
    uint32_t misplaced;
    double misplaced_ns; /* ... by so much at most */
    /* between them the counter went where no time goes, and went on there: it began anew */
    uint32_t jumps;
    uint32_t turns; /* it turned over, as it may */
    uint32_t early_turns,
        early_bits;      /* it did so after so many bits, though it is told to be wider */
    uint32_t moved_bits; /* the highest bit that was seen to move, from 1 on */
} doctor_order;

void doctor_order_find(const kt_clock_info *clock, double grid_ns, const kt_raw *raw, size_t count,
                       doctor_order *out);

/* What the stamps of steps within one submission show, which run one after another. */
typedef struct doctor_neighbours {
    uint32_t compared; /* pairs of neighbours; of these: */
    /* the later one begins before the other ended, by more than a step of the clock, ... */
    uint32_t overlaps;
    double overlap_ns; /* ... by so much at most */
    uint32_t swapped;  /* it begins before the other began */
} doctor_neighbours;

/* `steps`: of each step the stamps of all submissions. */
void doctor_neighbours_find(const kt_clock_info *clock, double grid_ns, const kt_raw *const *steps,
                            uint32_t step_count, size_t count, doctor_neighbours *out);

/* Ticks from one to the other on a counter of that width (0: not known), the shorter way round:
 * below 0 if `to` lies before. */
double doctor_ticks_between(uint64_t from, uint64_t to, uint32_t bits);
/* ns until the counter is back where it was; infinite for 64 bits, and where the width is
 * unknown. */
double doctor_turn_ns(const kt_clock_info *clock);

#define STEPS_COUNT 8

/* What stamped and unstamped empty submissions showed. Unknown doubles are NaN. */
typedef struct stamps_seen {
    const char *backend;
    bool has_clock;
    kt_clock_info told;  /* by the driver, ... */
    kt_clock_info clock; /* ... and as it is known by now */
    kt_ruler ruler;
    const kt_raw *raw; /* of the stamped ones, in their order */
    size_t count;
    /* Submissions of several empty steps: the stamps of each of these, and what a further one adds
     * to the span. */
    const kt_raw *steps[STEPS_COUNT];
    size_t steps_count; /* of submissions; 0: none was made */
    double step_ns;
    /* Medians of the walls of both, and half the intervals of these. */
    double stamped_ns, stamped_error_ns;
    double plain_ns, plain_error_ns;
} stamps_seen;

void doctor_judge_stamps(const stamps_seen *seen, doctor_findings *out);

/* ---- clocks ---- */

/* A stamp of an empty submission, where it was placed on the host's clock. */
typedef struct doctor_placed {
    int64_t host_before_ns, host_after_ns; /* of its submission */
    int64_t start_ns, end_ns;
    double uncertainty_ns; /* the larger one of both */
} doctor_placed;

/* The device's rate on the host's clock. */
typedef struct doctor_rate {
    double ppm;       /* by how much it is faster than its period says; NaN: not known */
    double error_ppm; /* it cannot be off by more */
} doctor_rate;

/* From one moment to another, with a counter that turns over as it may; NaN where it can have
 * turned more often than can be told, or began anew. */
doctor_rate doctor_rate_between(const kt_clock_info *clock, double grid_ns,
                                const kt_clock_pair *from, const kt_clock_pair *to);

/* What was seen of one clock. Unknown doubles are NaN. */
typedef struct clocks_seen {
    kt_clock_info told;  /* by the driver, ... */
    kt_clock_info found; /* ... and as it is known by now */
    double grid_ns;
    kt_status pair_status; /* of asking the API for pairs of both clocks, ... */
    char pair_error[256];  /* ... why it has none, ... */
    double pair_ns;        /* ... or how wide the narrowest is */
    kt_status open_status; /* of following the clock, ... */
    char open_error[256];  /* ... why it cannot be followed, ... */
    kt_clock_state state;  /* ... or what is known of it at the end */
    const kt_raw *raw;     /* stamps, in their order, ... */
    size_t count;
    const doctor_placed *placed; /* ... and where those that are ok were placed */
    size_t placed_count;
    doctor_rate idle, busy, whole; /* the last one over all that was looked at */
    double load_ns;                /* wall time of a dispatch of that work; NaN: of nothing */
    uint32_t load_groups, units; /* its groups, and what the device has to run them; 0: not known */
    double kernel_ns;            /* median of some of them in a row; or of empty steps */
    double kernel_spread;        /* its robust standard deviation over that */
} clocks_seen;

void doctor_judge_clocks(const clocks_seen *seen, doctor_findings *out);

#endif
