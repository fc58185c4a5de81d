/* SPDX-License-Identifier: MIT */
/*
 * rules.h - the rules of a measurement: when warm-up ends, how many trials a coarse clock needs,
 * which samples throttling spoilt, and when enough samples have been taken. Pure functions.
 */
#ifndef KT_MEASURE_RULES_H
#define KT_MEASURE_RULES_H

#include <kerntime/result.h>
#include <kerntime/state.h>
#include <kerntime/stats.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Warm-up: when a job's times have become steady ----
 *
 * Caches, clock rates and drivers settle after unknown times, so the job's own times decide. A
 * round is one submission of each kind that is measured; the kinds differ in wall time, which is no
 * trend. Rounds are summed in blocks of equally many. When all blocks are full, adjacent blocks are
 * merged, so that memory stays the same. Thirds of the blocks are compared. The newest third is
 * steady if it is neither faster nor slower than the third before it: the rank sum test of Mann and
 * Whitney (Annals of Mathematical Statistics 18, 1947) finds no difference at 10 %, or their
 * medians are closer than the wanted error needs. The last two thirds of all then show no trend,
 * and a change that shrinks will go on shrinking. Ranks of blocks are used, because one interrupted
 * round must not look like a trend.
 *
 * Error rates, by counting all arrangements: steady times are prolonged in 11.4, 9.5, 9.3 % of
 * looks at 12, 15, 18 blocks, each time by a third at most. A change from third to third below the
 * noise of a block is missed, and so is a later jump.
 */

#define KT_WARMUP_BLOCKS 18 /* most blocks; looks are at 12, 15 and 18 blocks, merging leaves 9 */

typedef struct kt_warmup {
    double rel_err; /* wanted relative error of the median */
    int64_t time_min_ns, time_max_ns;
    /* State of the warm-up rule; the members below start at 0. */
    /* time of each block; the first block_count blocks are full */
    double block_ns[KT_WARMUP_BLOCKS];
    uint32_t block_count;
    uint32_t in_block; /* rounds in the block that is not full */
    uint32_t merges;   /* a block holds 2^merges rounds */
    uint32_t rounds;
} kt_warmup;

/* Warm-up rule for a measurement of at most max_time_ns. */
kt_warmup kt_warmup_rule(double rel_err, int64_t max_time_ns);

/*
 * Adds a round: the wall time of its submissions, and the whole time since warm-up began.
 * KT_WARMUP_NONE: another round is needed. Never asks for a round that would probably end after
 * time_max_ns, so a job of seconds gets one round.
 */
kt_warmup_end kt_warmup_add(kt_warmup *rule, double round_ns, int64_t elapsed_ns);

/* ---- Trials: how many dispatches a step needs between its timestamps on a coarse clock ----
 *
 * Both timestamps are rounded to the clock resolution, so a span is known to one resolution,
 * whatever the number of samples: the interval is widened by half a resolution at both ends, and if
 * samples fall on two adjacent values, half of it is one resolution. For that to be within the
 * wanted relative error of the median, a span must be at least resolution / rel_err. It must also
 * be at least ten resolutions, and ten times an empty step, so that timestamp overhead is a tenth
 * at most.
 *
 * A clock counts as coarse if an empty step spans fewer than ten resolutions. On other clocks,
 * timestamp overhead is what limits short dispatches, and a single dispatch is measured.
 */

/* Most dispatches per step: each takes up to 1 KiB of the driver's memory. */
#define KT_TRIALS_MOST 4096
/* Submissions per choice of trials: the median of three ignores an interrupted submission. */
#define KT_TRIALS_LOOKS 3

typedef struct kt_trials {
    double resolution_ns, wanted_ns; /* wanted_ns 0: one dispatch is enough */
    double budget_ns;                /* longest wall time of one submission */
    uint32_t most;
    /* State of the rule; the members below start at 0. The newest submission is last. */
    double shortest_ns[KT_TRIALS_LOOKS], wall_ns[KT_TRIALS_LOOKS];
    uint32_t count;
} kt_trials;

/* `most`: largest number of dispatches that the job allows, 0 for no limit. `budget_ns`: wall time
 * that a submission may take, so that the least number of samples fits into the measurement. */
kt_trials kt_trials_rule(double resolution_ns, double min_span_ns, double rel_err, double budget_ns,
                         uint32_t most);

/* Adds a timestamped submission: the span of its shortest step, and its wall time. */
void kt_trials_add(kt_trials *rule, double shortest_ns, double wall_ns);

/*
 * Returns the number of dispatches to try next, by the submissions with `trials` dispatches per
 * step that were added since the last call. Returns `trials` if it is enough or the limit; it is
 * then final.
 */
uint32_t kt_trials_next(kt_trials *rule, uint32_t trials);

/* ---- Throttling: which samples to leave out ----
 *
 * A device that runs slower than usual gives times that are not of the kernel alone. Which state is
 * usual is not known beforehand: a power limit may hold a large kernel at a lower clock for ever.
 * So the best state seen so far is the reference: no reason for throttling that another state did
 * not have, and a core clock within KT_CLOCK_SHARE_MAX of the highest. The reference's samples are
 * never left out, so a result is never empty because of throttling.
 */

typedef enum kt_window_verdict {
    KT_WINDOW_KEEP,
    KT_WINDOW_LEAVE_OUT, /* worse than the reference */
    KT_WINDOW_BETTER     /* the new reference: all samples before are to be left out */
} kt_window_verdict;

typedef struct kt_throttling {
    /* State of the rule, which starts at 0. */
    bool any;                       /* there is a reference */
    uint32_t reasons;               /* KT_THROTTLE_MASK of the reference */
    double lowest_mhz, highest_mhz; /* core clocks of the kept states; NaN: unknown */
} kt_throttling;

/* Judges the state in which the newest samples were taken. `clock_mhz` NaN: unknown. */
kt_window_verdict kt_throttling_judge(kt_throttling *rule, uint32_t reasons, double clock_mhz);

/* ---- Stopping: when enough samples have been taken ---- */

/* Samples before the first look at the intervals: the interval of fewer samples depends too much on
 * luck. */
#define KT_FIRST_LOOK 30

/* Result of a look at all rows. */
typedef struct kt_look {
    bool enough;  /* the intervals of all rows are as narrow as wanted */
    bool limited; /* as `enough`, or as narrow as the clock resolution allows */
    bool worth;   /* each row is worth at least 20 independent samples */
} kt_look;

typedef struct kt_stopping {
    uint32_t samples_min, samples_max;
    double rel_err;
    int64_t max_time_ns;
    /* State of the stopping rule; the members below start at 0. */
    uint32_t next_look;
    kt_look latest, before;
} kt_stopping;

/*
 * True if a look is due: at samples_min, not before KT_FIRST_LOOK, then each time the samples have
 * grown by half, but not if sampling ends anyway. A look after every sample would stop at the first
 * interval that is narrow by luck. The caller then adds a summary of each row.
 */
bool kt_stopping_looks(kt_stopping *rule, uint32_t samples);
void kt_stopping_add(kt_stopping *rule, const kt_summary *summary);

/* Forgets the looks, since samples were left out that they had seen. */
void kt_stopping_forget(kt_stopping *rule);

/* Reason to stop, or KT_STOP_NONE. Stops if the latest two looks were enough, and in the latest one
 * each row is worth at least 20 independent samples. */
kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

/* Least share of all sampling that is already done, 0..1. */
double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

#endif
