#include "measure/trials.h"

#include "statistics/interval.h"

#include <math.h>
#include <string.h>

#define STEPS_MIN  10 /* of the clock */
#define FLOORS_MIN 10

kt_trials kt_trials_rule(double grid_ns, double floor_ns, double rel_err, double budget_ns,
                         uint32_t most)
{
    kt_trials rule = {.grid_ns = grid_ns,
                      .budget_ns = budget_ns,
                      .most = most && most < KT_TRIALS_MOST ? most : KT_TRIALS_MOST};
    if (grid_ns > 0 && !(floor_ns >= STEPS_MIN * grid_ns)) /* NAN: too short to be seen */
        rule.wanted_ns = fmax(grid_ns * fmax(STEPS_MIN, 1 / rel_err), FLOORS_MIN * floor_ns);
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

/* Powers of two, so that small differences from run to run seldom change the number. */
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

/* What there is time for. Of more, each takes less, for what a submission costs is shared: then
 * there is time for more. */
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
    /* The true span is less than a step longer, so one that was not seen at all grows, too. */
    double needed = power_above(trials * rule->wanted_ns / (span_ns + rule->grid_ns));
    return (uint32_t)fmin(most, fmax(needed, 2.0 * trials));
}
