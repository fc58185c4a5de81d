#include "calibrate.h"

#include <math.h>

void kt_calibration_init(kt_calibration *c, const kt_calibration_rule *rule)
{
    *c = (kt_calibration){.rule = *rule};
    c->state.period_ns = rule->period_ns;
    c->state.period_uncertainty_ns = c->state.uncertainty_ns = c->state.narrowest_ns = NAN;
    c->state.valid_bits = rule->valid_bits;
    c->state.valid_bits_min = rule->valid_bits ? rule->valid_bits : 1;
}

kt_pair_outcome kt_calibration_add(kt_calibration *c, const kt_clock_pair *pair)
{
    if (c->has_pair && pair->host_before_ns <= c->newest.host_before_ns) {
        c->state.retaken++;
        return KT_PAIR_AGAIN;
    }
    double width_ns = (double)(pair->host_after_ns - pair->host_before_ns);
    c->has_pair = true;
    c->newest = *pair;
    c->state.pairs++;
    c->state.ticks = pair->ticks;
    c->state.host_ns = pair->host_before_ns + (int64_t)(width_ns / 2);
    c->state.uncertainty_ns = width_ns / 2;
    c->state.narrowest_ns = fmin(c->state.narrowest_ns, width_ns);
    return KT_PAIR_TAKEN;
}

bool kt_calibration_place(const kt_calibration *c, uint64_t ticks, int64_t *host_ns,
                          double *uncertainty_ns)
{
    if (!c->has_pair || isnan(c->state.period_ns))
        return false;
    *host_ns = c->state.host_ns +
               (int64_t)((double)(int64_t)(ticks - c->state.ticks) * c->state.period_ns);
    *uncertainty_ns = c->state.uncertainty_ns + c->state.period_ns;
    return true;
}

void kt_calibration_get_state(const kt_calibration *c, kt_clock_state *out)
{
    *out = c->state;
}
