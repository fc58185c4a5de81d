/* SPDX-License-Identifier: MIT */
/*
 * noise.h - made-up durations with a known true median: what statistics are tested on. Of + - * /
 * and sqrt alone, so that a seed gives the same numbers on every machine.
 */
#ifndef BENCH_NOISE_H
#define BENCH_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* Shape of one sample, with the median 0; its size is `spread` of the value. */
typedef enum noise_shape {
    NOISE_NORMAL,
    NOISE_UNIFORM,   /* of standard deviation 1 */
    NOISE_LOGNORMAL, /* e^z - 1: skewness 6 */
    NOISE_PARETO,    /* tail index 2: infinite variance, to the slow side alone */
    NOISE_STUDENT    /* 2 degrees of freedom: heavy tails on both sides */
} noise_shape;

typedef struct noise {
    noise_shape shape;
    double value;       /* the median of one level, without drift */
    double spread;      /* relative */
    double correlation; /* of a sample with the one before it (AR(1); for NOISE_NORMAL) */
    double drift;       /* relative change over `drift_samples`, in proportion to the time */
    double drift_samples;
    double level;       /* relative distance of a second, slower level; 0: none */
    double level_share; /* of the samples on it */
    double level_dwell; /* mean number of samples after which it is drawn anew; 0 or 1: each time.
                           With equal shares every other draw is a switch. */
    double resolution;  /* relative step of the clock; 0: none */
} noise;

typedef struct noise_run {
    const noise *of;
    uint64_t random;
    double value, resolution; /* of this run */
    double previous;
    size_t taken;
    int high;
} noise_run;

/* Each seed is a run of its own. With a clock resolution, the value lies anywhere between two of its
 * steps. */
noise_run noise_begin(const noise *of, uint64_t seed);
double noise_next(noise_run *run);

/* The median over an endless run (without drift). */
double noise_median(const noise_run *run);

/* The mean; of those who take the mean for the truth. */
double noise_mean(const noise_run *run);

/* Single numbers, by a state that may start anywhere: uniform in 0..1, both excluded; of mean 0 and
 * deviation 1; exponential of mean 1; and between two positive numbers, where equal ratios are
 * equally likely. */
double noise_share(uint64_t *random);
double noise_normal(uint64_t *random);
double noise_exponential(uint64_t *random);
double noise_log_uniform(uint64_t *random, double low, double high);

#endif
