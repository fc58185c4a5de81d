#include "stopping.h"

#include <math.h>

bool kt_stopping_looks(kt_stopping *rule, uint32_t samples)
{
    if (samples < rule->samples_min || samples < rule->next_look || samples >= rule->samples_max)
        return false;
    rule->next_look = samples + (samples + 1) / 2;
    rule->worst = 0;
    return true;
}

void kt_stopping_add(kt_stopping *rule, const kt_summary *summary)
{
    double rel_err = (summary->ci95_high - summary->ci95_low) / 2 / summary->median;
    if (!(rel_err <= rule->worst))
        rule->worst = isnan(rule->worst) ? rule->worst : rel_err;
}

kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    if (samples >= rule->samples_max)
        return KT_STOP_MAX_SAMPLES;
    if (samples < rule->samples_min)
        return KT_STOP_NONE;
    if (rule->next_look && rule->worst <= rule->rel_err)
        return KT_STOP_REL_ERR;
    return elapsed_ns >= rule->max_time_ns ? KT_STOP_MAX_TIME : KT_STOP_NONE;
}

double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    double least = (double)samples / rule->samples_min;
    double most = (double)samples / rule->samples_max;
    double time = (double)elapsed_ns / (double)rule->max_time_ns;
    return fmin(1, fmax(most, fmin(least, time)));
}
