/* stopping.h - decides when enough samples have been taken. Pure functions. */
#ifndef KT_MEASURE_STOPPING_H
#define KT_MEASURE_STOPPING_H

#include <kerntime/result.h>
#include <kerntime/stats.h>
#include <stdbool.h>
#include <stdint.h>

/* Samples before the first look at the intervals: the interval of fewer samples depends too much on
 * luck. */
#define KT_FIRST_LOOK 30

/* Result of a look at all rows. */
typedef struct kt_look {
    bool enough;  /* the intervals of all rows are as narrow as wanted */
    bool limited; /* as `enough`, or as narrow as the clock resolution allows */
    bool worth;   /* each row is worth at least 20 independent samples */
} kt_look;

typedef struct kt_stopping {
    uint32_t samples_min, samples_max;
    double rel_err;
    int64_t max_time_ns;
    /* State of the stopping rule; the members below start at 0. */
    uint32_t next_look;
    kt_look latest, before;
} kt_stopping;

/*
 * True if a look is due: at samples_min, not before KT_FIRST_LOOK, then each time the samples have
 * grown by half, but not if sampling ends anyway. A look after every sample would stop at the first
 * interval that is narrow by luck. The caller then adds a summary of each row.
 */
bool kt_stopping_looks(kt_stopping *rule, uint32_t samples);
void kt_stopping_add(kt_stopping *rule, const kt_summary *summary);

/* Reason to stop, or KT_STOP_NONE. Stops if the latest two looks were enough, and in the latest one
 * each row is worth at least 20 independent samples. */
kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

/* Least share of all sampling that is already done, 0..1. */
double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

#endif
