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

/* Width of a 96 % confidence interval over that of a 95 % interval, normal distribution: 2.0537 /
 * 1.9600. Stopping prefers intervals that are narrow by luck, so a wider one is required. */
#define WIDER 1.048

#define WORTH_MIN 20

/* If two clusters have nearly half of the samples each, chance decides which one has the median. So
 * the share must be three standard deviations away from one half. */
static bool clusters_are_settled(const kt_summary *summary)
{
    double from_half = summary->cluster_high_share - 0.5;
    return !(summary->warnings & KT_WARNING_BIMODAL) ||
           from_half * from_half > 9 * 0.25 * summary->inflation / (double)summary->n;
}

void kt_stopping_add(kt_stopping *rule, const kt_summary *summary)
{
    kt_look *look = &rule->latest;
    double width = summary->ci95_high - summary->ci95_low;
    bool enough =
        WIDER * width / 2 <= rule->rel_err * summary->median && clusters_are_settled(summary);
    bool limited = summary->resolution > 0 &&
                   kt_resolution_rules(summary->ci95_low, summary->ci95_high, summary->resolution);
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
        return KT_STOP_RESOLUTION;
    return elapsed_ns >= rule->max_time_ns ? KT_STOP_MAX_TIME : KT_STOP_NONE;
}

double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    double least = (double)samples / rule->samples_min;
    double most = (double)samples / rule->samples_max;
    double time = (double)elapsed_ns / (double)rule->max_time_ns;
    return fmin(1, fmax(most, fmin(least, time)));
}
