#include "measure/stopping.h"

#include "statistics/interval.h"

#include <math.h>

bool kt_stopping_looks(kt_stopping *rule, uint32_t samples)
{
    if (samples < KT_FIRST_LOOK || samples < rule->samples_min || samples < rule->next_look ||
        samples >= rule->samples_max)
        return false;
    rule->next_look = samples + (samples + 1) / 2;
    rule->before = rule->latest;
    rule->latest = (kt_look){.enough = true, .limited = true, .worth = true};
    return true;
}

/* Width of a 96 % interval over that of a 95 % one, of the normal law: 2.0537 / 1.9600. An interval
 * that is small by luck is stopped at more often than one that is not, so a wider one is asked
 * for. */
#define WIDER 1.048

#define WORTH_MIN 20

/* Where two levels hold nearly half of the samples each, chance decides in which one the median is.
 * So the share must be three deviations away from one half. */
static bool levels_are_settled(const kt_summary *summary)
{
    double from_half = summary->level_high_share - 0.5;
    return !(summary->patterns & KT_PATTERN_LEVELS) ||
           from_half * from_half > 9 * 0.25 * summary->inflation / (double)summary->n;
}

void kt_stopping_add(kt_stopping *rule, const kt_summary *summary)
{
    kt_look *look = &rule->latest;
    double width = summary->ci95_high - summary->ci95_low;
    bool enough =
        WIDER * width / 2 <= rule->rel_err * summary->median && levels_are_settled(summary);
    bool limited =
        summary->grid > 0 && kt_grid_rules(summary->ci95_low, summary->ci95_high, summary->grid);
    if (!enough)
        look->enough = false;
    if (!enough && !limited)
        look->limited = false;
    if (!((double)summary->n >= WORTH_MIN * summary->inflation))
        look->worth = false;
}

kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    if (samples >= rule->samples_max)
        return KT_STOP_MAX_SAMPLES;
    if (samples < rule->samples_min)
        return KT_STOP_NONE;
    if (rule->before.enough && rule->latest.enough && rule->latest.worth)
        return KT_STOP_REL_ERR;
    if (rule->before.limited && rule->latest.limited && rule->latest.worth)
        return KT_STOP_GRID;
    return elapsed_ns >= rule->max_time_ns ? KT_STOP_MAX_TIME : KT_STOP_NONE;
}

double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    double least = (double)samples / rule->samples_min;
    double most = (double)samples / rule->samples_max;
    double time = (double)elapsed_ns / (double)rule->max_time_ns;
    return fmin(1, fmax(most, fmin(least, time)));
}
