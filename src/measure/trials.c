#include "measure/trials.h"

#include "statistics/interval.h"

#include <math.h>
#include <string.h>

#define STEPS_MIN     10 /* least span of a step in clock resolutions */
#define MIN_SPANS_MIN 10

kt_trials kt_trials_rule(double resolution_ns, double min_span_ns, double rel_err, double budget_ns,
                         uint32_t most)
{
    kt_trials rule = {.resolution_ns = resolution_ns,
                      .budget_ns = budget_ns,
                      .most = most && most < KT_TRIALS_MOST ? most : KT_TRIALS_MOST};
    if (resolution_ns > 0 &&
        !(min_span_ns >= STEPS_MIN * resolution_ns)) /* min_span_ns NAN: the clock never moved */
        rule.wanted_ns =
            fmax(resolution_ns * fmax(STEPS_MIN, 1 / rel_err), MIN_SPANS_MIN * min_span_ns);
    return rule;
}

void kt_trials_add(kt_trials *rule, double shortest_ns, double wall_ns)
{
    if (rule->count == KT_TRIALS_LOOKS) {
        rule->count--;
        memmove(rule->shortest_ns, rule->shortest_ns + 1, rule->count * sizeof(double));
        memmove(rule->wall_ns, rule->wall_ns + 1, rule->count * sizeof(double));
    }
    rule->shortest_ns[rule->count] = shortest_ns;
    rule->wall_ns[rule->count++] = wall_ns;
}

static double median(double *values, uint32_t count)
{
    kt_sort(values, count);
    return kt_median(values, count);
}

/* Numbers of trials are powers of two, so that runs that differ a little use the same number. */
static double power_above(double value)
{
    double power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static double power_below(double value)
{
    double power = 1;
    while (2 * power <= value)
        power *= 2;
    return power;
}

/* Most trials within the time budget of a submission. With more trials each one takes less, since
 * they share the cost of a submission, so a later call may allow more. */
static double allowed(const kt_trials *rule, uint32_t trials, double wall_ns)
{
    if (!(wall_ns <= rule->budget_ns))
        return 0;
    double times = wall_ns > 0 ? fmin(rule->budget_ns / wall_ns, KT_TRIALS_MOST) : KT_TRIALS_MOST;
    return fmin(trials * power_below(times), rule->most);
}

uint32_t kt_trials_next(kt_trials *rule, uint32_t trials)
{
    if (rule->wanted_ns == 0 || rule->count == 0)
        return trials;
    double span_ns = median(rule->shortest_ns, rule->count);
    double most = allowed(rule, trials, median(rule->wall_ns, rule->count));
    rule->count = 0;
    if (span_ns >= rule->wanted_ns || most <= trials)
        return trials;
    /* The true span is less than one resolution longer. So the number also grows after a
     * span of 0. */
    double needed = power_above(trials * rule->wanted_ns / (span_ns + rule->resolution_ns));
    return (uint32_t)fmin(most, fmax(needed, 2.0 * trials));
}
