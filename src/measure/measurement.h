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

/* Longest turn of a job. Short compared with slow changes (heat, other load), so that all jobs see
 * the same changes. Long compared with the cost of switching between jobs, a submission. */
#define KT_TURN_NS INT64_C(20000000)

typedef struct kt_measurement {
    kt_job *job;
    kt_device *device;
    kt_measure_options options;          /* options of the caller, with defaults filled in */
    kt_clock_info clocks[KT_CLOCKS_MAX]; /* clocks of the device, as known at the beginning */
    bool timestamped, plain;             /* make submissions with timestamps; without */
    kt_timestamp *timestamps;            /* timestamps of the latest timestamped submission */
    kt_samples samples;
    kt_stopping stopping;
    bool choose_trials;    /* the caller gave no number of trials */
    kt_trials trials;      /* choice of the number of trials for a coarse clock */
    uint32_t sample_count; /* samples taken, good or bad */
    int64_t elapsed_ns;  /* time of all turns; during a turn, up to the end of its latest sample */
    int64_t last_ns;     /* host time at the end of the latest submission */
    double last_wall_ns; /* wall time of the latest submission */
    kt_tracing tracing;
    kt_progress progress; /* progress as last reported to the caller */
} kt_measurement;

/* Checks the options and allocates all memory; runs nothing. Do not move the struct afterwards.
 * Call kt_measurement_fini() in any case. */
kt_status kt_measurement_init(kt_measurement *m, kt_job *job, const kt_measure_options *options);
void kt_measurement_fini(kt_measurement *m);

/* Measures the timer limits unless the device has them. Then makes the first use and the warm-up,
 * and chooses the number of trials. */
kt_status kt_measurement_begin(kt_measurement *m);

/*
 * Takes samples for KT_TURN_NS, at least one. `resumed`: other work was done since the last
 * submission, so an uncounted submission goes first. The measurement is over once m->samples.stop
 * is set.
 */
kt_status kt_measurement_turn(kt_measurement *m, bool resumed);

#endif
