/* SPDX-License-Identifier: MIT */
/* pace.h - the time that one measurement took, and takes still, from the progress it reports. */
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include <kerntime/measure.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct pace {
    double planned_ns; /* expected time before the measurement began */
    /* Host times of the first and latest report before the first sample, and number of these. */
    int64_t begin_ns, latest_ns;
    uint32_t reports;
    double round_ns; /* submissions of one sample, with all that is done around them; 0: unknown */
    double spent_ns, left_ns;
} pace;

pace pace_of_plan(double planned_ns);
/* Takes in a report of kt_measure_options.progress that came at a time of the host's clock. */
void pace_follow(pace *p, const kt_measure_options *options, const kt_progress *progress,
                 int64_t now_ns);
double pace_total_ns(const pace *p);

/* Whether a measurement of `own_ns` is not worth its time beside those of other devices: it takes
 * seconds, longer than all others together (`sum_ns`; 0: there are none), and more than twice as
 * long as any of them. */
bool pace_is_too_slow(double own_ns, double sum_ns, double longest_ns);

#endif
