/* stopping.h - when enough samples have been taken. Pure. */
#ifndef KT_STOPPING_H
#define KT_STOPPING_H

#include <kerntime/result.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct kt_stopping {
    uint32_t samples_min, samples_max;
    double rel_err;
    int64_t max_time_ns;
    uint32_t next_look; /* starts at 0 */
} kt_stopping;

/*
 * Whether the intervals are worth computing now: at samples_min and then each time their number has
 * grown by half, but not when sampling ends anyway. Looking after every sample would stop at the
 * first interval that is small by luck.
 */
bool kt_stopping_looks(kt_stopping *rule, uint32_t samples);

/* KT_STOP_NONE: go on. rel_err is that of the widest interval at the last look, NaN if there was
 * none. */
kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns,
                          double rel_err);

/* How much of the sampling is surely done, 0..1. */
double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns);

#endif
