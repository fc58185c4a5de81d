/* SPDX-License-Identifier: MIT */
/* search.h - made-up searches for the fastest of many configurations, whose true times are known:
 * what the race and the set of cli/run/race.h are counted on. No clock takes part. */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#define SEARCH_CONFIGURATIONS_MAX 200
#define SEARCH_HABIT_SAMPLES      7 /* samples of those who take the best mean or minimum */

/* True times are anywhere between 1 and 1 + spread. Noise has the median 0, and is lognormal,
 * skewness 6, to the slow side. */
typedef struct search_kind {
    const char *name;
    size_t configurations;
    double spread;
    double noise;       /* relative standard deviation */
    int is_normal;      /* noise is normal, without skewness */
    double unlike;      /* noise of a configuration differs up to so many times; 0: not at all */
    double drift;       /* range of a common factor that jumps every 20 rounds; 0: none */
    double correlation; /* of a configuration's sample with its one before; 0: none */
    double slow_share;  /* of samples in a slow phase: two clusters; 0: none */
    double slow_by;     /* what is added to times in a slow phase */
    double slow_length; /* samples in a slow phase, mean */
    size_t fresh;       /* least number of fresh samples; 0: that of the race */
} search_kind;

/* Sums over searches. */
typedef struct search_counts {
    int searches;
    int kept;              /* the race kept the truly best */
    int held;              /* the set holds it */
    int single;            /* the set is a single configuration */
    int false_single;      /* ... and not the truly best */
    int by_mean, by_least; /* the smallest mean, the smallest minimum of 7 is the truly best */
    size_t in_set;
    /* Samples, of the race and fresh. `all`: if each configuration took as many as one that is
     * left in the end. */
    double samples, all;
} search_counts;

/* Equal seeds give equal searches on every machine. Returns 0, or 1 if memory runs out. */
int search_count(const search_kind *kind, uint64_t seed, search_counts *counts);

#endif
