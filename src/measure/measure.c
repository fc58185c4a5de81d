/* SPDX-License-Identifier: MIT */
/*
 * measure.c - measures jobs: timer limits, first use, warm-up, the number of trials for a coarse
 * clock, then samples until the stopping rule ends them.
 *
 * A sample is a submission with timestamps and one without. Their order alternates (A B B A), so
 * that neither kind always finds the machine in the state that the other left. Several jobs take
 * turns there and back (A B C, C B A, A B C ...), so that slow changes affect all jobs alike: in
 * every two passes, the turns of each job have the same mean time.
 */
#include "clock/ticks.h"
#include "measure/result.h"
#include "measure/rules.h"
#include "measure/samples.h"
#include "measure/throttled.h"
#include "measure/timer_limits.h"
#include "measure/tracing.h"
#include "support/alloc.h"
#include "support/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longest turn of a job. Short compared with slow changes (heat, other load), so that all jobs see
 * the same changes. Long compared with the cost of switching between jobs, a submission. */
#define TURN_NS INT64_C(20000000)

/* A submission's wall time exceeds its single step by at most this many overheads of an empty
 * submission, plus this share of itself. */
#define OVERHEADS_MAX      10
#define OVERHEAD_SHARE_MAX 0.05

/* One job while it is measured. */
typedef struct measurement {
    kt_measure_item *item;
    bool active; /* begun, and not ended */
    kt_job *job;
    kt_device *device;
    kt_measure_options options;          /* options of the caller, with defaults filled in */
    kt_clock_info clocks[KT_CLOCKS_MAX]; /* clocks of the device, as known at the beginning */
    bool timestamped, plain;             /* make submissions with timestamps; without */
    kt_timestamp *timestamps;            /* timestamps of the latest timestamped submission */
    kt_samples samples;
    kt_stopping stopping;
    bool choose_trials; /* the caller gave no number of trials */
    kt_trials trials;   /* choice of the number of trials for a coarse clock */
    kt_watch watch;
    uint32_t sample_count; /* samples taken, good or bad */
    uint32_t window_count; /* those of the newest window */
    uint32_t left_out;     /* those left out as throttled */
    bool rested;           /* it waited for the device since the latest submission */
    int64_t elapsed_ns;  /* time of all turns; during a turn, up to the end of its latest sample */
    int64_t last_ns;     /* host time at the end of the latest submission */
    double last_wall_ns; /* wall time of the latest submission */
    kt_tracing tracing;
    int64_t state_traced_ns; /* moment of the latest reading in the trace */
    kt_progress progress;    /* progress as last reported to the caller */
    uint32_t next_estimate;  /* samples at which the caller gets a new estimate */
} measurement;

/* Purposes of a submission, as named in traces. */
static const char in_first_use[] = "first use", in_warmup[] = "warm-up", in_sample[] = "sample";

/* ---- Options ---- */

static void fill_in_defaults(kt_measure_options *to)
{
    if (to->trials == 0)
        to->trials = 1;
    if (to->samples_min == 0)
        to->samples_min = to->samples_max && to->samples_max < KT_SAMPLES_MIN_DEFAULT
                              ? to->samples_max
                              : KT_SAMPLES_MIN_DEFAULT;
    if (to->samples_max == 0)
        to->samples_max =
            to->samples_min > KT_SAMPLES_MAX_DEFAULT ? to->samples_min : KT_SAMPLES_MAX_DEFAULT;
    if (to->rel_err == 0)
        to->rel_err = KT_REL_ERR_DEFAULT;
    if (to->max_time_ns == 0)
        to->max_time_ns = KT_MAX_TIME_DEFAULT_NS;
    if (to->timeout_ns == 0)
        to->timeout_ns = KT_TIMEOUT_DEFAULT_NS;
    to->cold = to->cold != 0;
}

static bool has_map(const kt_job *job)
{
    bool any = false;
    for (size_t i = 0; i < job->desc.step_count; i++)
        any |= job->desc.steps[i].kind == KT_STEP_MAP;
    return any;
}

static kt_status check_options(const kt_job *job, const kt_measure_options *to)
{
    if (to->samples_min > to->samples_max)
        return kt_fail(KT_INVALID, "at least %u samples but at most %u", to->samples_min,
                       to->samples_max);
    if (!(to->rel_err > 0) || to->max_time_ns < 0 || to->timeout_ns < 0)
        return kt_fail(KT_INVALID, "a relative error or a time below 0");
    if ((unsigned)to->timing > KT_TIMING_WALL)
        return kt_fail(KT_INVALID, "there is no timing %d", (int)to->timing);
    if (job->desc.trials_max && to->trials > job->desc.trials_max && has_map(job))
        return kt_fail(KT_LIMIT,
                       "a mapping cannot be repeated: %s takes one between two timestamps",
                       job->desc.name);
    if (job->desc.trials_max && to->trials > job->desc.trials_max)
        return kt_fail(KT_LIMIT, "%s takes at most %u trial%s between two timestamps",
                       job->desc.name, job->desc.trials_max, job->desc.trials_max == 1 ? "" : "s");
    if (to->cold && to->trials > 1)
        return kt_fail(KT_INVALID,
                       "cold caches and %u trials: only the first of them would be cold",
                       to->trials);
    if (to->cold && !job->device->backend->job_flush_caches)
        return kt_fail(KT_UNSUPPORTED, "%s cannot flush its caches", job->device->info.id);
    return KT_OK;
}

/* ---- Spans ---- */

/* Bounds of all device spans within a submission, from its times by the host clock. */
static kt_span_bounds host_bounds(const measurement *m, const kt_submission *submission)
{
    const kt_timer_limits *limits = &m->device->limits;
    double wall_ns = kt_submission_wall_ns(submission);
    double overhead_ns = OVERHEADS_MAX * limits->overhead_ns + OVERHEAD_SHARE_MAX * wall_ns;
    return (kt_span_bounds){
        .least_ns = m->job->desc.step_count == 1 ? fmax(0, wall_ns - overhead_ns) : 0,
        .most_ns = kt_span_most_ns(wall_ns, fmax(limits->resolution_ns, m->device->host_step_ns)),
    };
}

/* Sets the span of a step. KT_TIMESTAMP_OK, or the reason why there is none. */
static kt_timestamp_state step_span(const measurement *m, const kt_timestamp *timestamp,
                                    kt_span_bounds host, double *span_ns)
{
    *span_ns = 0;
    return kt_timestamp_span(&m->clocks[timestamp->clock], timestamp, host, span_ns);
}

/* ---- Submissions ---- */

/* Adds a submission to the trace. */
static kt_status trace(measurement *m, const char *phase, bool timestamped,
                       const kt_submission *submission, kt_status outcome)
{
    const kt_traced traced = {.phase = phase,
                              .sample = phase == in_sample ? (int64_t)m->sample_count : -1,
                              .timestamped = timestamped,
                              .trials = m->options.trials,
                              .status = outcome,
                              .submission = submission};
    kt_status status = kt_tracing_add_host(&m->tracing, &traced);
    if (!timestamped || status != KT_OK)
        return status;
    if (outcome != KT_OK || kt_job_untrusted_reason(m->job))
        return kt_tracing_omit_steps(&m->tracing,
                                     outcome == KT_OK ? "not_trusted" : kt_status_name(outcome));
    return kt_tracing_add_steps(&m->tracing, &traced, m->clocks, m->timestamps,
                                host_bounds(m, submission));
}

static kt_status call_back(const measurement *m, kt_job_callback callback, const char *what)
{
    if (!callback)
        return KT_OK;
    char reason[256] = "";
    kt_status status = callback(m->job->desc.user, reason, sizeof reason);
    if (status == KT_OK)
        return KT_OK;
    const char *quirk = "";
    if (callback == m->job->desc.verify && status == KT_WRONG_RESULT)
        quirk = m->device->info.quirk;
    else if (callback == m->job->desc.verify)
        what = "the output could not be checked";
    return kt_fail(status, "%s%s%s%s%s", what, reason[0] ? ": " : "", reason,
                   quirk[0] ? "; known of this driver: " : "", quirk);
}

/* Makes one submission: resets, flushes caches, runs, verifies and traces. */
static kt_status submit(measurement *m, const char *phase, bool timestamped,
                        kt_submission *submission)
{
    const kt_job_desc *desc = &m->job->desc;
    if (timestamped)
        memset(m->timestamps, 0, desc->step_count * sizeof *m->timestamps);
    kt_status status = call_back(m, desc->reset, "resetting its memory failed");
    if (status == KT_OK && m->options.cold)
        status = kt_flush_caches(m->device, m->job->state, m->options.timeout_ns);
    if (status != KT_OK)
        return status;
    status = kt_submit_and_wait(m->device, m->job->state, m->options.trials, m->options.timeout_ns,
                                timestamped ? m->timestamps : NULL, m->tracing.trace != NULL,
                                submission);
    if (status == KT_OK && timestamped)
        m->job->clock = m->timestamps[0].clock;
    m->last_ns = submission->host_after_ns;
    m->last_wall_ns = kt_submission_wall_ns(submission);
    if (status == KT_OK)
        status = call_back(m, desc->verify, "wrong output");
    kt_status traced =
        submission->traced ? trace(m, phase, timestamped, submission, status) : KT_OK;
    return traced == KT_OK ? status : traced;
}

/* ---- Samples ---- */

/* Adds a sample of the total of all steps, the span from first start to last end, and the gaps. */
static void add_whole(measurement *m, double sum_ns, kt_timestamp_state state, double most_ns)
{
    uint32_t count = m->job->desc.step_count;
    if (count < 2)
        return;
    double span_ns = 0;
    kt_timestamp_state span_state = state;
    if (state == KT_TIMESTAMP_OK)
        span_state = kt_timestamps_span(m->clocks, m->timestamps, count, sum_ns, most_ns, &span_ns);
    kt_samples_add_whole(&m->samples, state, sum_ns, span_state, span_ns);
}

/* Adds a step's span by the context clock. Its upper bound uses the period, not the timer limits,
 * because readers of the raw timestamps know only the period (kt_series_get_spans()). */
static void add_context(measurement *m, uint32_t step, double wall_ns)
{
    const kt_timestamp *timestamp = &m->timestamps[step];
    double span_ns = 0;
    if (!timestamp->has_context)
        return;
    double most_ns = kt_span_most_ns(wall_ns, m->clocks[timestamp->context_clock].period_ns);
    kt_timestamp_state state = kt_timestamp_context_span(m->clocks, timestamp, most_ns, &span_ns);
    kt_samples_add_context(&m->samples, KT_ROW_STEPS + step, state, span_ns);
}

static void add_steps(measurement *m, const kt_submission *submission)
{
    kt_span_bounds host = host_bounds(m, submission);
    double sum_ns = 0;
    kt_timestamp_state worst = KT_TIMESTAMP_OK;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++) {
        const kt_timestamp *timestamp = &m->timestamps[i];
        double span_ns;
        kt_timestamp_state state = step_span(m, timestamp, host, &span_ns);
        if (state == KT_TIMESTAMP_OK &&
            !kt_samples_take_clock(&m->samples, KT_ROW_STEPS + i, timestamp))
            state = KT_TIMESTAMP_LOST;
        kt_samples_add_raw(&m->samples, KT_ROW_STEPS + i, timestamp, state, submission);
        kt_samples_add(&m->samples, KT_ROW_STEPS + i, state, span_ns);
        if (state == KT_TIMESTAMP_OK)
            add_context(m, i, kt_submission_wall_ns(submission));
        else
            worst = state;
        sum_ns += span_ns;
    }
    add_whole(m, sum_ns, worst, host.most_ns);
}

/* Keeps the untrusted timestamps of all steps, for --raw only. */
static void add_raw_steps(measurement *m, const kt_submission *submission)
{
    for (uint32_t i = 0; i < m->job->desc.step_count; i++)
        kt_samples_add_raw(&m->samples, KT_ROW_STEPS + i, &m->timestamps[i], m->timestamps[i].state,
                           submission);
}

static kt_status take_half(measurement *m, bool timestamped)
{
    kt_submission submission;
    kt_status status = submit(m, in_sample, timestamped, &submission);
    if (status != KT_OK)
        return status;
    if (timestamped && !kt_job_untrusted_reason(m->job))
        add_steps(m, &submission);
    else if (timestamped)
        add_raw_steps(m, &submission);
    uint32_t row = timestamped ? KT_ROW_WALL_TIMESTAMPED : KT_ROW_WALL;
    kt_samples_add(&m->samples, row, KT_TIMESTAMP_OK, kt_submission_wall_ns(&submission));
    kt_samples_add_raw(&m->samples, row, NULL, KT_TIMESTAMP_OK, &submission);
    return KT_OK;
}

/* Kinds of submissions alternate as A B B A: even samples begin with the timestamped one. */
static bool is_timestamped_first(uint32_t index)
{
    return index % 2 == 0;
}

/* Calls `half` for each wanted kind of submission, in the order of sample number `index`. */
static kt_status make_pair(measurement *m, uint32_t index,
                           kt_status (*half)(measurement *m, bool timestamped))
{
    kt_status status = KT_OK;
    for (int i = 0; i < 2 && status == KT_OK; i++) {
        bool timestamped = (i == 0) == is_timestamped_first(index);
        if (timestamped ? m->timestamped : m->plain)
            status = half(m, timestamped);
    }
    return status;
}

static kt_status take_sample(measurement *m)
{
    kt_status status = make_pair(m, m->sample_count, take_half);
    m->sample_count += status == KT_OK;
    return status;
}

/* ---- From first use to last sample ---- */

/* Samples taken and not left out, by which sampling ends. */
static uint32_t kept_count(const measurement *m)
{
    return m->sample_count - m->left_out;
}

static kt_status report_progress(measurement *m)
{
    if (!m->options.progress)
        return KT_OK;
    m->progress.samples = kept_count(m);
    m->progress.elapsed_ns = m->elapsed_ns;
    m->progress.fraction = kt_stopping_fraction(&m->stopping, kept_count(m), m->elapsed_ns);
    const kt_progress progress = m->progress;
    if (m->options.progress(m->options.progress_user, &progress))
        return KT_OK;
    return kt_fail(KT_CANCELLED, "measuring %s was cancelled", m->job->desc.name);
}

/* Passes the shortest step, which determines the number of trials. Ignores unusable timestamps. */
static void look_at_steps(measurement *m, const kt_submission *submission)
{
    kt_span_bounds host = host_bounds(m, submission);
    double shortest_ns = INFINITY, span_ns;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++) {
        if (step_span(m, &m->timestamps[i], host, &span_ns) != KT_TIMESTAMP_OK)
            return;
        shortest_ns = fmin(shortest_ns, span_ns);
    }
    kt_trials_add(&m->trials, shortest_ns, kt_submission_wall_ns(submission));
}

/* Makes a warm-up submission, whose time is not kept. */
static kt_status warm_up_once(measurement *m, bool timestamped)
{
    kt_submission submission;
    kt_status status = submit(m, in_warmup, timestamped, &submission);
    if (status != KT_OK)
        return status;
    m->samples.warmup_n++;
    m->samples.warmup_ns += kt_submission_wall_ns(&submission);
    if (timestamped && m->choose_trials)
        look_at_steps(m, &submission);
    return KT_OK;
}

static kt_status warm_up(measurement *m)
{
    kt_warmup rule = kt_warmup_rule(m->options.rel_err, m->options.max_time_ns);
    m->samples.warmup_ns = 0;
    int64_t begin_ns = kt_device_now(m->device);
    while (m->samples.warmup_end == KT_WARMUP_NONE) {
        double before_ns = m->samples.warmup_ns;
        kt_status status = report_progress(m);
        if (status == KT_OK)
            status = make_pair(m, rule.rounds, warm_up_once);
        if (status != KT_OK)
            return status;
        m->progress.median_ns = m->last_wall_ns / m->options.trials;
        m->progress.is_wall = 1;
        m->samples.warmup_end =
            kt_warmup_add(&rule, m->samples.warmup_ns - before_ns, m->last_ns - begin_ns);
    }
    return KT_OK;
}

/* Prepares the choice of trials if the caller left it open. With cold caches only the first of
 * several trials would be cold. */
static void open_trials(measurement *m)
{
    m->choose_trials &= m->timestamped && !kt_job_untrusted_reason(m->job) && !m->options.cold;
    if (!m->choose_trials)
        return;
    double submissions = (double)m->options.samples_min * (m->timestamped + m->plain);
    uint32_t clock = m->job->clock;
    m->trials = kt_trials_rule(
        kt_clock_resolution_ns(m->device, clock), kt_clock_min_span_ns(m->device, clock),
        m->options.rel_err, (double)m->options.max_time_ns / submissions, m->job->desc.trials_max);
}

/* Chooses the number of trials. After each change of the number, makes some submissions of both
 * kinds, which also warm up what a driver compiles or allocates again. */
static kt_status settle_trials(measurement *m)
{
    while (m->choose_trials) {
        uint32_t next = kt_trials_next(&m->trials, m->options.trials);
        m->choose_trials = next != m->options.trials;
        m->options.trials = next;
        for (uint32_t i = 0; i < KT_TRIALS_LOOKS && m->choose_trials; i++) {
            kt_status status = report_progress(m);
            if (status == KT_OK)
                status = make_pair(m, i, warm_up_once);
            if (status != KT_OK)
                return status;
        }
    }
    return KT_OK;
}

/* Compiling at first use may lie within the span of a step, or around it. */
static void keep_first_use(measurement *m, const kt_submission *submission)
{
    m->samples.first_use_ns = kt_submission_wall_ns(submission);
    if (!m->timestamped ||
        kt_job_untrusted_reason(m->job)) /* without timestamps there may be no timer limits */
        return;
    kt_span_bounds host = host_bounds(m, submission);
    double span_ns;
    host.least_ns = 0;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++)
        if (step_span(m, &m->timestamps[i], host, &span_ns) == KT_TIMESTAMP_OK)
            m->samples.rows[KT_ROW_STEPS + i].first_use_ns = span_ns;
}

/* Waits for a throttled device to recover, for `limit_ns` at most. A low clock without a reason has
 * no wait: a device that works raises it, one that waits lowers it. */
static kt_status rest(measurement *m, int64_t limit_ns)
{
    int64_t left_ns = m->watch.patience_ns - limit_ns;
    kt_status status = KT_OK;
    while (status == KT_OK && m->watch.patience_ns > left_ns && kt_watch_is_throttled(&m->watch)) {
        kt_watch_wait(&m->watch);
        status = report_progress(m);
        m->rested = true;
    }
    return status;
}

/* Measures the timer limits unless the device has them. Then makes the first use and the warm-up,
 * and chooses the number of trials. */
static kt_status begin(measurement *m)
{
    kt_submission submission;
    kt_status status = report_progress(m);
    if (status == KT_OK && m->timestamped)
        status = kt_timer_limits_ensure(m->device, m->options.timeout_ns);
    kt_device_copy_clocks(m->device, m->clocks);
    if (status == KT_OK)
        status = kt_tracing_begin(&m->tracing, m->timestamped);
    if (status == KT_OK)
        status = submit(m, in_first_use, m->timestamped, &submission);
    if (status != KT_OK)
        return status;
    keep_first_use(m, &submission);
    open_trials(m);
    status = warm_up(m);
    if (status == KT_OK)
        status = settle_trials(m);
    if (status == KT_OK)
        status = kt_watch_begin(&m->watch, m->device, m->options.max_time_ns);
    if (status == KT_OK)
        status = rest(m, m->options.max_time_ns / 4);
    return status == KT_OK ? report_progress(m) : status;
}

/*
 * Other work has filled the caches, and the device may have idled: one uncounted submission goes
 * first, of the kind that would have come before the next sample. A submission longer than a turn
 * fills the caches within a small part of itself.
 */
static kt_status resume(measurement *m)
{
    if (m->last_wall_ns > (double)TURN_NS)
        return KT_OK;
    bool timestamped = is_timestamped_first(m->sample_count);
    return warm_up_once(m, m->timestamped && (timestamped || !m->plain));
}

/* Gives the caller an estimate after the first sample, and each time that the samples have grown by
 * half: all estimates together cost little beside the sampling. */
static void renew_estimate(measurement *m)
{
    if (!m->options.progress || kept_count(m) < m->next_estimate)
        return;
    m->next_estimate = kept_count(m) + (kept_count(m) + 1) / 2;
    kt_samples_estimate(&m->samples, &m->progress);
}

static kt_status proceed(void *user)
{
    return report_progress(user);
}

static kt_status reset_for_energy(void *user)
{
    measurement *m = user;
    return call_back(m, m->job->desc.reset, "resetting its memory failed");
}

static kt_status verify_after_energy(void *user)
{
    measurement *m = user;
    return call_back(m, m->job->desc.verify, "wrong output");
}

static kt_status measure_energy(measurement *m)
{
    const kt_energy_plan plan = {.job = m->job,
                                 .budget_ns = KT_ENERGY_BUDGET * m->options.max_time_ns,
                                 .timeout_ns = m->options.timeout_ns,
                                 .cold = m->options.cold != 0,
                                 .proceed = proceed,
                                 .reset = reset_for_energy,
                                 .verify = verify_after_energy,
                                 .user = m};
    m->samples.has_energy = true;
    return kt_energy_measure(&plan, &m->samples.energy, m->samples.energy_reason);
}

/* Adds the latest reading of the device's state to the trace, once. */
static kt_status trace_state(measurement *m)
{
    int64_t moment_ns = m->watch.latest.host_ns;
    if (!m->tracing.trace || moment_ns == m->state_traced_ns)
        return KT_OK;
    m->state_traced_ns = moment_ns;
    return kt_tracing_add_state(&m->tracing, &m->watch.latest);
}

/* Decides on the samples of a window by the state of the device. Without those that are left out,
 * sampling may have to go on. */
static kt_status judge_window(measurement *m)
{
    uint32_t newest = m->sample_count - m->window_count;
    kt_window_verdict verdict = kt_watch_end_window(&m->watch, m->elapsed_ns, newest);
    kt_status status = trace_state(m);
    bool all = verdict == KT_WINDOW_BETTER;
    if (verdict != KT_WINDOW_KEEP) {
        if (all)
            kt_samples_leave_out_before(&m->samples);
        else
            kt_samples_leave_out(&m->samples);
        m->left_out = all ? m->window_count : m->left_out + newest;
        m->next_estimate = 0;
        kt_stopping_forget(&m->stopping);
        m->samples.stop = kt_stopping_check(&m->stopping, kept_count(m), m->elapsed_ns);
    }
    kt_samples_begin_window(&m->samples);
    m->window_count = m->sample_count;
    if (status != KT_OK || verdict != KT_WINDOW_LEAVE_OUT || m->samples.stop != KT_STOP_NONE)
        return status;
    return rest(m, m->watch.patience_ns);
}

/* Takes samples for TURN_NS, at least one. `resumed`: other work was done since the last submission,
 * so an uncounted submission goes first. The stop of the samples is set once they are enough. */
static kt_status take_turn(measurement *m, bool resumed)
{
    resumed |= m->rested;
    m->rested = false;
    kt_status status = resumed ? kt_device_check(m->device) : KT_OK;
    if (status == KT_OK)
        status = trace_state(m); /* of the first turn's start, or of the recovery */
    /* A measurement counts only the time of its own turns. */
    int64_t begin_ns = kt_device_now(m->device) - m->elapsed_ns;
    if (status == KT_OK && resumed)
        status = resume(m);
    int64_t first_ns = resumed ? m->last_ns - begin_ns : m->elapsed_ns, took_ns = 0;
    while (status == KT_OK) {
        status = kt_samples_reserve(&m->samples, m->sample_count + 1);
        if (status == KT_OK)
            status = take_sample(m);
        if (status != KT_OK)
            break;
        took_ns = m->last_ns - begin_ns - m->elapsed_ns;
        m->elapsed_ns = m->last_ns - begin_ns;
        if (kt_stopping_looks(&m->stopping, kept_count(m)))
            kt_samples_look(&m->samples, &m->stopping);
        renew_estimate(m);
        m->samples.stop = kt_stopping_check(&m->stopping, kept_count(m), m->elapsed_ns);
        if (m->samples.stop != KT_STOP_NONE)
            break;
        status = report_progress(m);
        if (m->elapsed_ns - first_ns + took_ns > TURN_NS)
            break;
    }
    /* A turn's time includes verifying and looks, also after its last submission. */
    m->elapsed_ns = kt_device_now(m->device) - begin_ns;
    if (status == KT_OK &&
        kt_watch_is_due(&m->watch, m->elapsed_ns, m->samples.stop != KT_STOP_NONE))
        status = judge_window(m);
    return status;
}

/* Checks the options and allocates all memory; runs nothing. Call fini() in any case. */
static kt_status init(measurement *m)
{
    kt_job *job = m->item->job;
    KT_NEED(job);
    m->job = job;
    m->device = job->device;
    m->progress = (kt_progress){.median_ns = NAN, .error = NAN};
    kt_status status = kt_device_check(job->device);
    if (status == KT_OK)
        status =
            kt_take_options(&m->options, sizeof m->options, m->item->options, "kt_measure_options");
    if (status != KT_OK)
        return status;
    m->choose_trials = m->options.trials == 0;
    fill_in_defaults(&m->options);
    status = check_options(job, &m->options);
    if (status != KT_OK)
        return status;
    m->timestamped = m->options.timing != KT_TIMING_WALL;
    m->plain = m->options.timing != KT_TIMING_DEVICE;
    m->tracing = (kt_tracing){.trace = m->options.trace, .job = job};
    m->stopping = (kt_stopping){.samples_min = m->options.samples_min,
                                .samples_max = m->options.samples_max,
                                .rel_err = m->options.rel_err,
                                .max_time_ns = m->options.max_time_ns};
    m->timestamps = kt_alloc(job->desc.step_count, sizeof *m->timestamps);
    return m->timestamps ? kt_samples_init(&m->samples, job, &m->options, m->clocks) : KT_NO_MEMORY;
}

static void fini(measurement *m)
{
    kt_tracing_fini(&m->tracing);
    kt_samples_fini(&m->samples);
    kt_free(m->timestamps);
    m->active = false;
}

/* ---- Jobs in turns ---- */

/* Makes the result now, while the thread's error text is still that of this measurement. */
static void end(measurement *m, kt_status status)
{
    m->samples.state = m->watch.summary;
    if (kt_samples_to_result(&m->samples, status, &m->item->result) != KT_OK)
        status = KT_NO_MEMORY;
    m->item->status = status;
    fini(m);
}

static void note_error(kt_measure_item *item)
{
    snprintf(item->error, sizeof item->error, "%s", item->status == KT_OK ? "" : kt_error_text());
}

/* The samples are enough, or `status` is why there are no more. */
static void finish(measurement *m, kt_status status)
{
    if (status == KT_OK && m->options.energy)
        status = measure_energy(m);
    if (status == KT_OK && m->options.progress) {
        kt_samples_estimate(&m->samples, &m->progress);
        m->progress.ended = 1;
        report_progress(m); /* result ignored: nothing is left to cancel */
    }
    end(m, status);
    note_error(m->item);
}

/* All traces of one device share one set of clocks. */
static void share_clocks(measurement *all, uint32_t index)
{
    measurement *own = &all[index];
    for (uint32_t i = 0; i < index && !own->tracing.followed; i++)
        if (own->tracing.trace && all[i].active && all[i].device == own->device)
            kt_tracing_share(&own->tracing, &all[i].tracing);
}

static void enter(measurement *all, uint32_t index)
{
    measurement *m = &all[index];
    m->item->status = init(m);
    if (m->item->status != KT_OK) {
        fini(m);
    } else {
        share_clocks(all, index);
        m->active = true;
        kt_status status = begin(m);
        if (status != KT_OK)
            end(m, status);
    }
    note_error(m->item);
}

static void measure(measurement *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        enter(all, i);
    const measurement *last = count ? &all[count - 1] : NULL; /* latest to have a turn */
    bool any = true;
    for (bool back = false; any; back = !back) {
        any = false;
        for (uint32_t i = 0; i < count; i++) {
            measurement *m = &all[back ? count - 1 - i : i];
            if (!m->active || m->samples.stop != KT_STOP_NONE)
                continue;
            kt_status status = take_turn(m, m != last);
            last = m;
            if (status != KT_OK || (m->samples.stop != KT_STOP_NONE && !m->options.energy))
                finish(m, status);
            any |= m->active && m->samples.stop == KT_STOP_NONE;
        }
    }
    /* The job runs for seconds, which would heat the device while others are sampled. */
    for (uint32_t i = 0; i < count; i++)
        if (all[i].active)
            finish(&all[i], KT_OK);
}

kt_status kt_measure(kt_job *job, const kt_measure_options *options, kt_result **out)
{
    KT_NEED(out);
    kt_measure_item item = {.job = job, .options = options};
    measurement alone = {.item = &item};
    measure(&alone, 1);
    *out = item.result;
    return item.status;
}

kt_status kt_measure_all(kt_measure_item *items, uint32_t count)
{
    if (count)
        KT_NEED(items);
    measurement *all = kt_alloc(count, sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        items[i].result = NULL;
        items[i].status = KT_NO_MEMORY;
        note_error(&items[i]);
        if (all)
            all[i].item = &items[i];
    }
    if (all)
        measure(all, count);
    kt_free(all);
    uint32_t first = 0;
    while (first < count && items[first].status == KT_OK)
        first++;
    if (first == count)
        return all ? KT_OK : KT_NO_MEMORY;
    /* A later job may have failed, too, and changed the error text. */
    return count == 1 ? items[0].status : kt_fail(items[first].status, "%s", items[first].error);
}
