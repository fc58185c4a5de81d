/* stopping.h - when enough samples have been taken. Pure. */
#ifndef KT_STOPPING_H
#define KT_STOPPING_H

#include <kerntime/result.h>
#include <kerntime/stats.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct kt_stopping {
    uint32_t samples_min, samples_max;
    double rel_err;
    int64_t max_time_ns;
    /* The rule's own; they start at 0. */
    uint32_t next_look;
    double worst; /* relative error at the latest look; NaN: one of the rows has none */
} kt_stopping;

/*
 * Whether the samples are worth a look now: at samples_min and then each time their number has grown
 * by half, but not when sampling ends anyway. Looking after every sample would stop at the first
 * interval that is small by luck. If so, a look begins: it is shown a summary of each row.
 */
bool kt_stopping_looks(kt_stopping *rule, uint32_t samples);
void kt_stopping_add(kt_stopping *rule, const kt_summary *summary);

/* Whether to end here, by what the latest look showed. KT_STOP_NONE: go on. */
kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

/* How much of the sampling is surely done, 0..1. */
double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

#endif
