/*
 * measurement.h - one job while it is measured: made, begun, given turns to take its samples in.
 *
 * Room measure: one measurement, from the first use to its series, and what a device can tell at
 * all. May know: support, statistics, backends, device, clock, trace.
 */
#ifndef KT_MEASURE_MEASUREMENT_H
#define KT_MEASURE_MEASUREMENT_H

#include "measure/samples.h"
#include "measure/stopping.h"
#include "measure/tracing.h"
#include "measure/trials.h"

/*
 * How long a turn may be. Short beside what changes slowly (heat, other people's load), so that all
 * jobs see the same of it; long beside what changing over costs, which is one submission.
 */
#define KT_TURN_NS INT64_C(20000000)

typedef struct kt_measurement {
    kt_job *job;
    kt_device *device;
    kt_measure_options options;          /* defaults filled in */
    kt_clock_info clocks[KT_CLOCKS_MAX]; /* as they were known when it began */
    bool stamped, unstamped;             /* which submissions are made */
    kt_stamp *stamps;                    /* of the latest stamped submission */
    kt_samples samples;
    kt_stopping stopping;
    bool choose_trials;    /* the caller named no number */
    kt_trials trials;      /* what a coarse clock needs */
    uint32_t sample_count; /* taken, good or bad */
    int64_t elapsed_ns;    /* in turns; of the one under way, up to the end of the latest sample */
    int64_t last_ns;       /* host clock at the end of the latest submission, ... */
    double last_wall_ns;   /* ... which took this long */
    kt_tracing tracing;
} kt_measurement;

/* Checks and allocates everything; runs nothing. It may not be moved afterwards, and is followed
 * by kt_measurement_fini() in any case. */
kt_status kt_measurement_init(kt_measurement *m, kt_job *job, const kt_measure_options *options);
void kt_measurement_fini(kt_measurement *m);

/* The ruler, unless the device has one, the first use, the warm-up, and the number of trials. */
kt_status kt_measurement_begin(kt_measurement *m);

/*
 * Takes samples for KT_TURN_NS, at least one. `resumed`: something else was done since its last
 * submission, so one that does not count goes first. It is over once m->samples.stop says why.
 */
kt_status kt_measurement_turn(kt_measurement *m, bool resumed);

#endif
