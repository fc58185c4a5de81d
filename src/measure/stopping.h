/* stopping.h - when enough samples have been taken. Pure. */
#ifndef KT_MEASURE_STOPPING_H
#define KT_MEASURE_STOPPING_H

#include <kerntime/result.h>
#include <kerntime/stats.h>
#include <stdbool.h>
#include <stdint.h>

/* No look before: the interval of fewer samples is too much a matter of luck to stop by. */
#define KT_FIRST_LOOK 30

/* What a look showed of all rows together. */
typedef struct kt_look {
    bool enough;  /* the intervals are as narrow as wanted */
    bool limited; /* or the step of the clock does not let them be */
    bool worth;   /* each row is worth enough independent samples */
} kt_look;

typedef struct kt_stopping {
    uint32_t samples_min, samples_max;
    double rel_err;
    int64_t max_time_ns;
    /* The rule's own; they start at 0. */
    uint32_t next_look;
    kt_look latest, before;
} kt_stopping;

/*
 * Whether the samples are worth a look now: at samples_min, but not before KT_FIRST_LOOK, then each
 * time their number has grown by half, but not when sampling ends anyway. Looking after every
 * sample would stop at the first interval that is small by luck. If so, a look begins: it is shown
 * a summary of each row.
 */
bool kt_stopping_looks(kt_stopping *rule, uint32_t samples);
void kt_stopping_add(kt_stopping *rule, const kt_summary *summary);

/*
 * Whether to end here, by what the latest two looks showed: both were enough, and by the later one
 * the samples of each row are worth at least 20 independent ones. KT_STOP_NONE: go on.
 */
kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

/* How much of the sampling is surely done, 0..1. */
double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

#endif
