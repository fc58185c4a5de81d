/* SPDX-License-Identifier: MIT */
/*
 * host_counter.h - whether the CPU's counter is fit to be a clock, and its relation to the system's
 * clock. Pure functions: tests and benchmarks script the readings.
 *
 * A counter is followed by pairs of readings. The calibration places single readings. Durations use
 * the mean period since the first pair, which two pairs bound whatever happened in between.
 */
#ifndef KT_CLOCK_HOST_COUNTER_H
#define KT_CLOCK_HOST_COUNTER_H

#include "clock/calibrate.h"
#include "support/counter.h"

#define KT_COUNTER_REASON_BYTES 192

typedef enum kt_counter_fitness {
    KT_COUNTER_UNFIT,
    KT_COUNTER_FIT_IF_IN_STEP, /* fit if the counters of all usable cores agree */
    KT_COUNTER_FIT
} kt_counter_fitness;

/* Judges what CPU and kernel say, and what the user asked for. */
kt_counter_fitness kt_counter_judge(const kt_counter_facts *facts,
                                    char reason[KT_COUNTER_REASON_BYTES]);
/* The user asked for the counter, whatever CPU, kernel and cores say. */
bool kt_counter_is_forced(const kt_counter_facts *facts);
/* True if the comparison of the cores allows the use of the counter; else adds to the reason. */
bool kt_counter_judge_cores(const kt_core_agreement *cores, bool all_needed,
                            char reason[KT_COUNTER_REASON_BYTES]);

/* Reads the system's clock around the counter. False: no reading succeeded. */
typedef bool kt_counter_pair_reader(void *user, kt_clock_pair *out);

typedef struct kt_host_counter {
    kt_counter_pair_reader *read;
    void *user;
    int64_t host_step_ns; /* resolution of the system's clock */
    kt_calibration calibration;
    kt_clock_pair base;       /* where the mean period begins */
    kt_clock_pair recent;     /* where the newest look at the rate began */
    double least_ns, most_ns; /* periods that the counter surely had: it was not above, not below */
    bool begun;               /* the first period is known */
    double period_ns, period_uncertainty_ns; /* mean period, until the counter was lost */
    double bound_ns; /* largest error of the mean period; the period may have differed from it */
    int64_t next_ns; /* when the next pair is due */
    bool lost;       /* the counter jumped or changed its rate; it is never used again */
    char reason[KT_COUNTER_REASON_BYTES]; /* why it was lost */
} kt_host_counter;

/* Takes pairs for 0.2 ms, for a first period. False, with a reason, if there is none. */
bool kt_host_counter_begin(kt_host_counter *counter, kt_counter_pair_reader *read, void *user);
/* Takes a pair, and more at once if it is doubtful. Call it when `next_ns` is over. */
void kt_host_counter_follow(kt_host_counter *counter);
/* The counter is not used any more, as it was lost. */
void kt_host_counter_give_up(kt_host_counter *counter, const char *reason);
/* Length of a step of the counter, which may be of several ticks. */
double kt_host_counter_step_ns(const kt_host_counter *counter);
/* Host time of a reading, see kt_clock_to_host(). False if the counter was lost. */
bool kt_host_counter_place(const kt_host_counter *counter, uint64_t ticks, int64_t *host_ns,
                           double *uncertainty_ns);

#endif
