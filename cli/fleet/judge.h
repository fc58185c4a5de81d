/*
 * judge.h - which devices of a fleet are slow: pure arithmetic on times of runs, without files.
 *
 * A population holds the devices of one group in one workload. The question asked of each device: is
 * it more than `min_effect` slower than the population's median? It is tested with the noise from
 * run to run, pooled over the population, and corrected for all questions of the fleet together
 * (Benjamini-Hochberg). bench/accuracy/fleet.c shows how often the answers are wrong.
 */
#ifndef CLI_FLEET_JUDGE_H
#define CLI_FLEET_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLEET_FEWEST_DEVICES 3 /* of a population that has a median to be judged by */
#define FLEET_FEWEST_RUNS    2 /* of a device on average; fewer show no noise */

typedef enum fleet_answer {
    FLEET_GOOD = 0, /* a device twice min_effect slower would have been named; this one is not */
    FLEET_SLOW,     /* surely more than min_effect slower */
    FLEET_UNDECIDED /* too few runs or devices, or too noisy */
} fleet_answer;

/* A device in a workload. */
typedef struct fleet_cell {
    const double *medians_ns; /* of run_count runs; above 0 */
    size_t run_count;         /* 0: it has no time */
    size_t device;            /* the caller's */
    /* ---- answers; NaN: unknown ---- */
    double median_ns;         /* geometric mean of its runs */
    double effect;            /* how much slower than the median of the population: 0.05: 5 % */
    double low, high;         /* 95 % interval of effect, of this device alone */
    double p;                 /* of at most min_effect slower, one-sided */
    double robust_z;          /* distance to the median in robust standard deviations */
    fleet_answer answer;
} fleet_cell;

typedef struct fleet_population {
    fleet_cell *cells;
    size_t count;
    /* ---- answers; NaN: unknown ---- */
    double median_ns; /* of the devices */
    double spread;    /* robust standard deviation of effects */
    double noise;     /* standard deviation from run to run, pooled, as a share of the time */
} fleet_population;

/* Answers all questions of a fleet. Returns false if memory ran out. */
bool fleet_judge(fleet_population *populations, size_t count, double min_effect, double alpha);

#endif
