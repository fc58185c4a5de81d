/*
 * trials.h - how many dispatches a step needs between its stamps where the clock is coarse. Pure.
 *
 * Both stamps are rounded to a step of the clock (its grid), so a span is known to a step, whatever
 * the number of samples: their interval is given half a step more at both ends, and where they fall
 * on two neighbouring steps, half of it is one step. For that to be within the wanted relative
 * error of the median a span must be grid / rel_err; ten steps at least, and ten times an empty
 * step, so that what timing adds is a tenth at most.
 *
 * A clock counts as coarse if an empty step spans fewer than ten of its steps. On others it is the
 * stamps' own cost that limits what can be told of a short dispatch, and one at a time is what is
 * measured.
 */
#ifndef KT_MEASURE_TRIALS_H
#define KT_MEASURE_TRIALS_H

#include <stdint.h>

/* Each dispatch of a submission takes memory of the driver, some of them 1 KiB. */
#define KT_TRIALS_MOST 4096
/* Submissions that are looked at: the median of three does not see one that was interrupted. */
#define KT_TRIALS_LOOKS 3

typedef struct kt_trials {
    double grid_ns, wanted_ns; /* wanted_ns is 0 where one dispatch is enough, whatever it takes */
    double budget_ns;          /* of wall time, for one submission */
    uint32_t most;
    /* The rule's own; they start at 0. The newest at the end. */
    double shortest_ns[KT_TRIALS_LOOKS], wall_ns[KT_TRIALS_LOOKS];
    uint32_t count;
} kt_trials;

/* `most` is what the job allows, 0: any number. `budget_ns`: what a submission may take, so that as
 * many samples fit into the time as are wanted at least. */
kt_trials kt_trials_rule(double grid_ns, double floor_ns, double rel_err, double budget_ns,
                         uint32_t most);

/* A stamped submission: the span of its shortest step, and its wall time. */
void kt_trials_add(kt_trials *rule, double shortest_ns, double wall_ns);

/*
 * Given the submissions with `trials` dispatches a step that were added since the last answer: the
 * number to try next; `trials`, if it is enough or as many as are allowed. Then it is settled.
 */
uint32_t kt_trials_next(kt_trials *rule, uint32_t trials);

#endif
