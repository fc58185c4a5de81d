/*
 * measurement.h - one job while it is measured: created, begun, and given turns for its samples.
 *
 * Room measure: one measurement, from first use to its series, and the timer limits of a device.
 * May know: support, statistics, backends, device, clock, trace.
 */
#ifndef KT_MEASURE_MEASUREMENT_H
#define KT_MEASURE_MEASUREMENT_H

#include "measure/samples.h"
#include "measure/stopping.h"
#include "measure/tracing.h"
#include "measure/trials.h"

/* Longest turn. Short compared with slow changes (heat, other load), so that all jobs see the same
 * changes. Long compared with the cost of switching between jobs, which is one submission. */
#define KT_TURN_NS INT64_C(20000000)

typedef struct kt_measurement {
    kt_job *job;
    kt_device *device;
    kt_measure_options options;          /* defaults filled in */
    kt_clock_info clocks[KT_CLOCKS_MAX]; /* as known at the beginning */
    bool timestamped, plain;             /* submissions to make: with timestamps, without */
    kt_timestamp *timestamps;            /* of the latest timestamped submission */
    kt_samples samples;
    kt_stopping stopping;
    bool choose_trials;    /* the caller gave no number of trials */
    kt_trials trials;      /* for a coarse clock */
    uint32_t sample_count; /* samples taken, good or bad */
    int64_t elapsed_ns;    /* of all turns; in a turn, up to the end of the latest sample */
    int64_t last_ns;       /* host clock at the end of the latest submission */
    double last_wall_ns;   /* wall time of the latest submission */
    kt_tracing tracing;
    kt_progress progress; /* as last reported */
} kt_measurement;

/* Checks and allocates everything; runs nothing. Do not move the struct afterwards. Call
 * kt_measurement_fini() in any case. */
kt_status kt_measurement_init(kt_measurement *m, kt_job *job, const kt_measure_options *options);
void kt_measurement_fini(kt_measurement *m);

/* Runs the timer limits, unless the device has them, the first use, the warm-up, and the choice of
 * trials. */
kt_status kt_measurement_begin(kt_measurement *m);

/*
 * Takes samples for KT_TURN_NS, at least one. `resumed`: other work was done since the last
 * submission, so an uncounted submission goes first. The measurement is over once m->samples.stop
 * is set.
 */
kt_status kt_measurement_turn(kt_measurement *m, bool resumed);

#endif
