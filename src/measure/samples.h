/* SPDX-License-Identifier: MIT */
/*
 * samples.h - the samples of a measurement while they are taken.
 *
 * Room measure: one measurement, from first use to its result, and the timer limits of a device.
 * May know: support, statistics, backends, device, clock, clock/device, trace.
 */
#ifndef KT_MEASURE_SAMPLES_H
#define KT_MEASURE_SAMPLES_H

#include "device/submission.h"
#include "measure/energy.h"
#include "measure/rules.h"

/* Indices of rows. The steps of the job follow from KT_ROW_STEPS on. */
enum { KT_ROW_TOTAL, KT_ROW_GAPS, KT_ROW_SPAN, KT_ROW_WALL, KT_ROW_WALL_TIMESTAMPED, KT_ROW_STEPS };

/* Samples of one row. A sample is the sum over all trials, but per dispatch for total, gaps and
 * span. */
typedef struct kt_sample_row {
    double *samples_ns; /* NULL: the row is not measured */
    uint32_t n;
    /* Times of a step by its context clock, for the samples that have one; NULL: the device has no
     * context clock. */
    double *contexts_ns;
    uint32_t context_n;
    uint32_t discarded[KT_TIMESTAMP_STATE_COUNT];
    kt_raw *raw; /* raw data of the samples; NULL: not kept */
    uint32_t raw_n;
    uint32_t clock;      /* index of the clock of the row's timestamps */
    double first_use_ns; /* the row's time in the very first submission; NaN: unknown */
    uint32_t window_n, window_context_n, window_raw_n; /* numbers at the start of the window */
} kt_sample_row;

typedef struct kt_samples {
    kt_job *job;
    const kt_measure_options *options;
    const kt_clock_info *clocks; /* clocks of the device, as used for the samples */
    kt_sample_row *rows;
    uint32_t row_count;
    uint32_t capacity; /* samples that each row has room for */
    double *scratch;   /* memory for sorting, `capacity` doubles */
    double first_use_ns, warmup_ns;
    uint32_t warmup_n;
    kt_warmup_end warmup_end;
    kt_stop stop;
    kt_state_summary state;
    bool has_energy;
    kt_energy energy;
    char energy_reason[KT_ENERGY_REASON_BYTES];
} kt_samples;

/* `options` must have its defaults filled in. `options` and `clocks` must outlive `samples`. Call
 * kt_samples_fini() in any case. */
kt_status kt_samples_init(kt_samples *samples, kt_job *job, const kt_measure_options *options,
                          const kt_clock_info *clocks);
void kt_samples_fini(kt_samples *samples);

/* Makes room for `count` samples per row, so that adding them allocates nothing. */
kt_status kt_samples_reserve(kt_samples *samples, uint32_t count);
/* Adds a sample to a row in state KT_TIMESTAMP_OK. Counts it as discarded in any other state. */
void kt_samples_add(kt_samples *samples, uint32_t row, kt_timestamp_state state, double total_ns);
/* Adds the time of a step's newest sample by the context clock. Ignored unless KT_TIMESTAMP_OK. */
void kt_samples_add_context(kt_samples *samples, uint32_t row, kt_timestamp_state state,
                            double total_ns);
/*
 * Adds a sample of total, gaps and span, over all trials; `total_ns` is the sum of the steps. In
 * KT_TIMESTAMP_OK, total + gaps = span holds to the last bit. If steps overlap, the total exceeds
 * the span, and gaps are KT_TIMESTAMP_NEGATIVE.
 */
void kt_samples_add_whole(kt_samples *samples, kt_timestamp_state total_state, double total_ns,
                          kt_timestamp_state span_state, double span_ns);
/* True if a timestamp is of the clock of the row's samples. Times of two clocks are not mixed. */
bool kt_samples_take_clock(const kt_samples *samples, uint32_t row, const kt_timestamp *timestamp);
/* Keeps the raw data of a sample if the options ask for it. `timestamp` is NULL for wall times. */
void kt_samples_add_raw(kt_samples *samples, uint32_t row, const kt_timestamp *timestamp,
                        kt_timestamp_state state, const kt_submission *submission);

/* Begins a window: samples of which one reading of the device's state decides. */
void kt_samples_begin_window(kt_samples *samples);
/* Counts all samples of the window as KT_TIMESTAMP_THROTTLED. */
void kt_samples_leave_out(kt_samples *samples);
/* The same with all samples before the window, which stay. */
void kt_samples_leave_out_before(kt_samples *samples);

/* Sets the estimate of `progress`. */
void kt_samples_estimate(kt_samples *samples, kt_progress *progress);
/* Passes `rule` a summary of each row that must reach the wanted error. */
void kt_samples_look(kt_samples *samples, kt_stopping *rule);

/* True if this measurement has the row. */
bool kt_samples_take_row(const kt_samples *samples, uint32_t index);
/* True if the row's times are of the host clock: always for wall times, otherwise if the device's
 * timestamps are untrusted. */
bool kt_samples_are_of_host(const kt_samples *samples, uint32_t index);
/* Index of the clock of the row's timestamps. */
uint32_t kt_samples_clock(const kt_samples *samples, uint32_t index);
/* Clock resolution of the row's samples in ns, over all trials; 0: unknown. */
double kt_samples_resolution_ns(const kt_samples *samples, uint32_t index);

#endif
