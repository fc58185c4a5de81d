/* SPDX-License-Identifier: MIT */
/*
 * How exact device times are: compared with what the kernels themselves write down, with two events
 * by hand and with CUPTI's records.
 *
 * Each thread of the kernel writes its begin and its end by %globaltimer (PTX by hand). Times by
 * hand are of other launches. CUPTI's records come last, since its tools stay in the process. A
 * kernel beside a copy from the heap runs in a stream that is not blocked, which shows what
 * blocking is good for.
 */
#include "bench/bench.h"
#include "bench/by_hand/raw_cuda.h"
#include "bench/hw/cupti.h"
#include "bench/hw/hw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double lengths_ns[HW_LENGTHS] = {2e3, 5e3, 10e3, 20e3, 50e3, 100e3, 200e3, 500e3,
                                              1e6, 2e6, 5e6,  10e6, 20e6, 50e6,  100e6};

/* How much longer than the truth each launch of a series took; the median. */
static double median_difference(const double *times_ns, const double *truths_ns, size_t n)
{
    double differences_ns[BENCH_VALUES_MAX];
    for (size_t i = 0; i < n; i++)
        differences_ns[i] = times_ns[i] - truths_ns[i];
    return bench_median(differences_ns, n);
}

/* ---- by kerntime ---- */

/* A job's samples and the truths of the same launches: every submission is timestamped, has one trial
 * and is verified once, and the last raw_count of them are the samples. */
static size_t pair_samples(const kt_series *series, const spin_log *log, double *truths_ns)
{
    size_t n = 0;
    for (size_t i = 0; i < series->raw_count; i++)
        if (series->raw[i].state == KT_TIMESTAMP_OK && n < series->summary.n)
            truths_ns[n++] = spin_log_back(log, series->raw_count - 1 - i);
    return n;
}

static kt_status measure(spin *s, double length_ns, bool beside_copy, uint32_t samples,
                         kt_result **result)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .timing = KT_TIMING_DEVICE,
                                        .trials = 1,
                                        .samples_min = samples,
                                        .samples_max = samples,
                                        .keep_raw = 1};
    kt_status status = spin_set(s, (uint64_t)length_ns, beside_copy);
    return status == KT_OK ? kt_measure(s->job, &options, result) : status;
}

const char *hw_discarded_text(const hw_kernel *k, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT && used < bytes; i++)
        if (k->discarded[i])
            used += (size_t)snprintf(text + used, bytes - used, "%s%u %s", used ? ", " : "",
                                     (unsigned)k->discarded[i],
                                     kt_timestamp_state_name((kt_timestamp_state)i));
    return text;
}

/* That a kernel is too short for the device is no error where nothing is asked of such: what is
 * discarded then tells it. */
static void tell_no_time(hw_kernel *k, const kt_series *series)
{
    if (series && series->status == KT_SERIES_BELOW_MIN_SPAN && k->nominal_ns < HW_JUDGED_NS)
        return;
    snprintf(k->error, sizeof k->error, "no device time: %s",
             series && series->error ? series->error
             : series                ? kt_series_status_name(series->status)
                                     : "untrusted timestamps");
}

/* What a measurement says of a kernel. */
static void take_series(hw_kernel *k, const kt_result *result, const spin_log *log,
                        uint32_t samples)
{
    double truths_ns[BENCH_VALUES_MAX];
    char discarded[128];
    const kt_series *series = kt_result_find(result, "spin");
    if (series) {
        k->method = series->method;
        memcpy(k->discarded, series->discarded, sizeof k->discarded);
    }
    if (!series || series->summary.n == 0 || isnan(series->summary.median)) {
        tell_no_time(k, series);
        return;
    }
    k->samples = pair_samples(series, log, truths_ns);
    k->device_ns = bench_median(series->samples_ns, k->samples);
    k->truth_ns = bench_median(truths_ns, k->samples);
    k->difference_ns = median_difference(series->samples_ns, truths_ns, k->samples);
    /* A median of the few that went well may be of a choice of them. */
    if (2 * k->samples < samples)
        snprintf(k->error, sizeof k->error, "only %zu of %u samples have a time: %s", k->samples,
                 (unsigned)samples, hw_discarded_text(k, discarded, sizeof discarded));
}

/* The next row of the table, of which nothing is known yet. */
static hw_kernel *add_row(hw_device *d, double nominal_ns)
{
    hw_kernel *k = &d->kernels[d->kernel_count++];
    *k = (hw_kernel){.nominal_ns = nominal_ns,
                     .device_ns = NAN,
                     .wall_ns = NAN,
                     .truth_ns = NAN,
                     .difference_ns = NAN,
                     .allowed_ns = NAN,
                     .cupti_ns = NAN,
                     .cupti_difference_ns = NAN};
    return k;
}

/* Two events around a kernel include its dispatch and drain, which two events alone do not. The kernels
 * that are too short to be judged tell how much that is. */
static double fixed_cost(const hw_device *d)
{
    double values_ns[HW_LENGTHS];
    size_t n = 0;
    for (size_t i = 0; i < d->kernel_count; i++) {
        const hw_kernel *k = &d->kernels[i];
        if (k->nominal_ns < HW_JUDGED_NS && !k->by_hand && !k->beside_copy &&
            !isnan(k->difference_ns))
            values_ns[n++] = k->difference_ns;
    }
    return n ? fmax(bench_median(values_ns, n), 0) : NAN;
}

/* A shortest span below the clock resolution is the share of empty steps that are not 0, and no time that a
 * clock of such steps can be held to. */
static void allow(hw_kernel *k, const spin *s, double fixed_ns)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(s->device);
    double more_ns = limits ? fmax(limits->min_span_ns, limits->resolution_ns) : 0;
    if (isnan(more_ns) || isinf(more_ns))
        more_ns = 0;
    if (!isnan(fixed_ns))
        more_ns = fmax(more_ns, fmin(fixed_ns, HW_FIXED_MAX_NS));
    k->allowed_ns = HW_SHARE * k->truth_ns + more_ns;
}

static void run_by_kerntime(const hw_device *d, hw_kernel *k, spin *s, bool beside_copy,
                            uint32_t samples)
{
    kt_result *result = NULL;
    kt_status status = measure(s, k->nominal_ns, beside_copy, samples, &result);
    k->beside_copy = beside_copy;
    if (status == KT_OK)
        take_series(k, result, s->log, samples);
    else
        snprintf(k->error, sizeof k->error, "%s", kt_error_text());
    if (status == KT_OK && !beside_copy)
        k->wall_ns = kt_result_find(result, "wall_timestamped")->summary.median;
    kt_result_destroy(&result);
    allow(k, s, d->fixed_ns);
}

/* What nobody could tell is not within. */
static void judge(hw_kernel *k)
{
    if (k->nominal_ns >= HW_JUDGED_NS)
        k->verdict =
            !k->error[0] && fabs(k->difference_ns) <= k->allowed_ns ? HW_WITHIN : HW_BEYOND;
}

/* ---- by hand ---- */

static void run_by_hand(const hw_device *d, hw_kernel *k, void *raw, const spin *s,
                        uint32_t samples)
{
    double times_ns[BENCH_VALUES_MAX], truths_ns[BENCH_VALUES_MAX], walls_ns[BENCH_VALUES_MAX];
    spin_log log = {0};
    uint64_t duration_ns = (uint64_t)k->nominal_ns;
    k->by_hand = true;
    for (uint32_t i = 0; i < samples; i++) {
        bool works = raw_cuda_spin(raw, duration_ns, &times_ns[i], &walls_ns[i], s->timestamps);
        truths_ns[i] = works ? spin_log_add(&log, s->timestamps, s->threads, duration_ns) : NAN;
        if (isnan(truths_ns[i])) {
            snprintf(k->error, sizeof k->error, "%s",
                     works ? "a thread did not spin for that long" : raw_cuda_reason());
            return;
        }
    }
    k->samples = samples;
    k->device_ns = bench_median(times_ns, samples);
    k->wall_ns = bench_median(walls_ns, samples);
    k->truth_ns = bench_median(truths_ns, samples);
    k->difference_ns = median_difference(times_ns, truths_ns, samples);
    allow(k, s, d->fixed_ns);
}

const char *hw_method_name(const hw_kernel *k)
{
    return k->by_hand ? "by-hand" : kt_method_name(k->method);
}

/* ---- all lengths ---- */

/* What is judged is what kerntime gives for a kernel by itself. The rows below it show what blocking
 * the stream is good for, and what two events by hand say. */
static void fill(hw_device *d, spin *s, void *raw, uint32_t samples)
{
    for (size_t i = 0; i < HW_LENGTHS; i++) {
        if (lengths_ns[i] >= HW_JUDGED_NS && isnan(d->fixed_ns))
            d->fixed_ns = fixed_cost(d);
        hw_kernel *k = add_row(d, lengths_ns[i]);
        run_by_kerntime(d, k, s, false, samples);
        judge(k);
        if (k->method == KT_METHOD_EVENT_PAIR_BLOCKED)
            run_by_kerntime(d, add_row(d, lengths_ns[i]), s, true, samples);
        if (raw)
            run_by_hand(d, add_row(d, lengths_ns[i]), raw, s, samples);
    }
}

void hw_check_kernels(hw_device *d, kt_device *device, uint32_t samples)
{
    spin s = {0};
    spin_log log = {0};
    if (!(d->info.languages & KT_LANGUAGE_PTX)) {
        snprintf(d->truth_reason, sizeof d->truth_reason,
                 "the kernel that writes down when it ran is PTX, which this device does not take");
        return;
    }
    void *raw = NULL;
    if (spin_open(&s, device, &log) != KT_OK) {
        snprintf(d->truth_reason, sizeof d->truth_reason, "%s", kt_error_text());
    } else {
        raw = raw_cuda_open(hw_library(d), d->index);
        bool works = raw && raw_cuda_make_spin(raw, spin_text(), SPIN_ENTRY, s.groups,
                                               SPIN_GROUP_SIZE, s.threads * sizeof *s.timestamps);
        if (!works)
            snprintf(d->by_hand_reason, sizeof d->by_hand_reason, "%s", raw_cuda_reason());
        fill(d, &s, works ? raw : NULL, samples);
    }
    if (raw)
        raw_cuda.close(raw);
    d->step_ns = log.step_ns;
    spin_close(&s);
}

/* ---- CUPTI's records ---- */

/* The same measurements, of whose launches CUPTI keeps records as well. */
static bool add_records(hw_kernel *k, spin *s, uint32_t samples)
{
    double records_ns[BENCH_VALUES_MAX], truths_ns[BENCH_VALUES_MAX];
    kt_result *result = NULL;
    uint64_t count = 0, runs = s->log->runs;
    if (!cupti_begin(SPIN_ENTRY))
        return false;
    kt_status status = measure(s, k->nominal_ns, false, samples, &result);
    kt_result_destroy(&result);
    runs = s->log->runs - runs;
    /* A record for each launch, or nobody can tell which is whose. */
    if (!cupti_end(&count) || status != KT_OK || count != runs || count < samples)
        return false;
    for (uint32_t i = 0; i < samples; i++) {
        records_ns[i] = cupti_back_ns(i);
        truths_ns[i] = spin_log_back(s->log, i);
        if (isnan(records_ns[i]) || isnan(truths_ns[i]))
            return false;
    }
    k->cupti_ns = bench_median(records_ns, samples);
    k->cupti_difference_ns = median_difference(records_ns, truths_ns, samples);
    return true;
}

void hw_check_cupti(hw_device *d, kt_device *device, uint32_t samples, const char *library)
{
    spin s = {0};
    spin_log log = {0};
    size_t without = 0;
    if (!cupti_open(library)) {
        snprintf(d->cupti_reason, sizeof d->cupti_reason, "%s", cupti_reason());
        return;
    }
    d->cupti_version = cupti_version();
    if (spin_open(&s, device, &log) != KT_OK)
        snprintf(d->cupti_reason, sizeof d->cupti_reason, "%s", kt_error_text());
    /* Beside what kerntime gives for a kernel by itself, the first row of each length. */
    for (size_t i = 0; i < d->kernel_count && !d->cupti_reason[0]; i++)
        if (i == 0 || d->kernels[i].nominal_ns != d->kernels[i - 1].nominal_ns)
            without += !add_records(&d->kernels[i], &s, samples);
    if (without)
        snprintf(d->cupti_reason, sizeof d->cupti_reason,
                 "of %zu lengths CUPTI has not one record for each launch%s%s", without,
                 cupti_reason()[0] ? "; " : "", cupti_reason());
    spin_close(&s);
}
