/*
 * trials.h - how many dispatches a step needs between its timestamps on a coarse clock. Pure
 * functions.
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
#ifndef KT_MEASURE_TRIALS_H
#define KT_MEASURE_TRIALS_H

#include <stdint.h>

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

#endif
