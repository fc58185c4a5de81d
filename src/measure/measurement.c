/*
 * The measuring loop: ruler, first use, warm-up, as many trials as a coarse clock needs, then
 * samples until the rule says stop. A sample is a stamped and an unstamped submission; which comes
 * first changes from sample to sample (A B B A), so that neither sees the machine always in the
 * state that the other left.
 */
#include "measure/measurement.h"

#include "clock/spans.h"
#include "measure/ruler.h"
#include "measure/warmup.h"
#include "support/alloc.h"
#include "support/options.h"

#include <math.h>
#include <string.h>

/* A submission's wall time exceeds its one step by some overheads of an empty one, and some of
 * itself. */
#define OVERHEADS_MAX      10
#define OVERHEAD_SHARE_MAX 0.05

/* What a submission is made for. */
static const char in_first_use[] = "first use", in_warmup[] = "warm-up", in_sample[] = "sample";

/* ---- options ---- */

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
    if (job->desc.trials_max && to->trials > job->desc.trials_max && has_map(job))
        return kt_fail(KT_LIMIT, "a mapping cannot be repeated: %s takes one between two stamps",
                       job->desc.name);
    if (job->desc.trials_max && to->trials > job->desc.trials_max)
        return kt_fail(KT_LIMIT, "%s takes at most %u trial%s between two stamps", job->desc.name,
                       job->desc.trials_max, job->desc.trials_max == 1 ? "" : "s");
    if (to->cold && to->trials > 1)
        return kt_fail(KT_INVALID,
                       "cold caches and %u trials: only the first of them would be cold",
                       to->trials);
    if (to->cold && !job->device->backend->job_flush_caches)
        return kt_fail(KT_UNSUPPORTED, "%s cannot flush its caches", job->device->info.id);
    return KT_OK;
}

/* ---- spans ---- */

/* What the host's clock says of the spans within a submission. */
static kt_span_bounds host_bounds(const kt_measurement *m, const kt_submission *submission)
{
    const kt_ruler *ruler = &m->device->ruler;
    double wall_ns = kt_submission_wall_ns(submission);
    double overhead_ns = OVERHEADS_MAX * ruler->overhead_ns + OVERHEAD_SHARE_MAX * wall_ns;
    return (kt_span_bounds){
        .least_ns = m->job->desc.step_count == 1 ? fmax(0, wall_ns - overhead_ns) : 0,
        .most_ns = kt_span_most_ns(wall_ns, ruler->grid_ns),
    };
}

/* The span of a step, KT_STAMP_OK, or why it has none. */
static kt_stamp_state step_span(const kt_measurement *m, const kt_stamp *stamp, kt_span_bounds host,
                                double *span_ns)
{
    *span_ns = 0;
    return kt_stamp_span(&m->clocks[stamp->clock], stamp, host, span_ns);
}

/* ---- submissions ---- */

/* What is done after a submission that is traced. */
static kt_status trace(kt_measurement *m, const char *phase, bool stamped,
                       const kt_submission *submission, kt_status outcome)
{
    const kt_traced traced = {.phase = phase,
                              .sample = phase == in_sample ? (int64_t)m->sample_count : -1,
                              .stamped = stamped,
                              .trials = m->options.trials,
                              .status = outcome,
                              .submission = submission};
    kt_status status = kt_tracing_add_host(&m->tracing, &traced);
    if (!stamped || status != KT_OK)
        return status;
    if (outcome != KT_OK || kt_job_distrust(m->job))
        return kt_tracing_omit_steps(&m->tracing,
                                     outcome == KT_OK ? "not_believed" : kt_status_name(outcome));
    return kt_tracing_add_steps(&m->tracing, &traced, m->clocks, m->stamps,
                                host_bounds(m, submission));
}

static kt_status call_back(const kt_measurement *m, kt_job_callback callback, const char *what)
{
    if (!callback)
        return KT_OK;
    char why[256] = "";
    kt_status status = callback(m->job->desc.user, why, sizeof why);
    if (status == KT_OK)
        return KT_OK;
    const char *quirk = "";
    if (callback == m->job->desc.verify && status == KT_WRONG_RESULT)
        quirk = m->device->info.quirk;
    else if (callback == m->job->desc.verify)
        what = "the output could not be checked";
    return kt_fail(status, "%s%s%s%s%s", what, why[0] ? ": " : "", why,
                   quirk[0] ? "; known of this driver: " : "", quirk);
}

/* One submission with all that belongs around it. */
static kt_status submit(kt_measurement *m, const char *phase, bool stamped,
                        kt_submission *submission)
{
    const kt_job_desc *desc = &m->job->desc;
    if (stamped)
        memset(m->stamps, 0, desc->step_count * sizeof *m->stamps);
    kt_status status = call_back(m, desc->reset, "resetting its memory failed");
    if (status == KT_OK && m->options.cold)
        status = kt_flush_caches(m->device, m->job->state, m->options.timeout_ns);
    if (status != KT_OK)
        return status;
    status = kt_submit_and_wait(m->device, m->job->state, m->options.trials, m->options.timeout_ns,
                                stamped ? m->stamps : NULL, m->tracing.trace != NULL, submission);
    m->last_ns = submission->host_after_ns;
    m->last_wall_ns = kt_submission_wall_ns(submission);
    if (status == KT_OK)
        status = call_back(m, desc->verify, "wrong output");
    kt_status traced = submission->traced ? trace(m, phase, stamped, submission, status) : KT_OK;
    return traced == KT_OK ? status : traced;
}

/* ---- samples ---- */

/* The sum of all steps, the span from the first start to the last end, and what is between the
 * steps. */
static void add_whole(kt_measurement *m, double sum_ns, kt_stamp_state state, double most_ns)
{
    uint32_t count = m->job->desc.step_count;
    if (count < 2)
        return;
    double span_ns = 0;
    kt_stamp_state span_state = state;
    if (state == KT_STAMP_OK)
        span_state = kt_stamps_span(m->clocks, m->stamps, count, sum_ns, most_ns, &span_ns);
    kt_samples_add_whole(&m->samples, state, sum_ns, span_state, span_ns);
}

/* Bounded by what a reader of the raw stamps knows, too (kt_series_get_spans()): the period, not
 * the ruler. */
static void add_context(kt_measurement *m, uint32_t step, double wall_ns)
{
    const kt_stamp *stamp = &m->stamps[step];
    double span_ns = 0;
    if (!stamp->has_context)
        return;
    double most_ns = kt_span_most_ns(wall_ns, m->clocks[stamp->context_clock].period_ns);
    kt_stamp_state state = kt_stamp_context_span(m->clocks, stamp, most_ns, &span_ns);
    kt_samples_add_context(&m->samples, KT_ROW_STEPS + step, state, span_ns);
}

static void add_steps(kt_measurement *m, const kt_submission *submission)
{
    kt_span_bounds host = host_bounds(m, submission);
    double sum_ns = 0;
    kt_stamp_state worst = KT_STAMP_OK;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++) {
        const kt_stamp *stamp = &m->stamps[i];
        double span_ns;
        kt_stamp_state state = step_span(m, stamp, host, &span_ns);
        if (state == KT_STAMP_OK && !kt_samples_take_clock(&m->samples, KT_ROW_STEPS + i, stamp))
            state = KT_STAMP_LOST;
        kt_samples_add_raw(&m->samples, KT_ROW_STEPS + i, stamp, state, submission);
        kt_samples_add(&m->samples, KT_ROW_STEPS + i, state, span_ns);
        if (state == KT_STAMP_OK)
            add_context(m, i, kt_submission_wall_ns(submission));
        else
            worst = state;
        sum_ns += span_ns;
    }
    add_whole(m, sum_ns, worst, host.most_ns);
}

/* Stamps that are not believed are kept for --raw to show, and go no further. */
static void add_raw_steps(kt_measurement *m, const kt_submission *submission)
{
    for (uint32_t i = 0; i < m->job->desc.step_count; i++)
        kt_samples_add_raw(&m->samples, KT_ROW_STEPS + i, &m->stamps[i], m->stamps[i].state,
                           submission);
}

static kt_status take_half(kt_measurement *m, bool stamped)
{
    kt_submission submission;
    kt_status status = submit(m, in_sample, stamped, &submission);
    if (status != KT_OK)
        return status;
    if (stamped && !kt_job_distrust(m->job))
        add_steps(m, &submission);
    else if (stamped)
        add_raw_steps(m, &submission);
    uint32_t row = stamped ? KT_ROW_WALL_STAMPED : KT_ROW_WALL;
    kt_samples_add(&m->samples, row, KT_STAMP_OK, kt_submission_wall_ns(&submission));
    kt_samples_add_raw(&m->samples, row, NULL, KT_STAMP_OK, &submission);
    return KT_OK;
}

/* A B B A */
static bool is_stamped_first(uint32_t index)
{
    return index % 2 == 0;
}

/* One submission of each kind that is wanted, in the order of pair number `index`. */
static kt_status make_pair(kt_measurement *m, uint32_t index,
                           kt_status (*half)(kt_measurement *m, bool stamped))
{
    kt_status status = KT_OK;
    for (int i = 0; i < 2 && status == KT_OK; i++) {
        bool stamped = (i == 0) == is_stamped_first(index);
        if (stamped ? m->stamped : m->unstamped)
            status = half(m, stamped);
    }
    return status;
}

static kt_status take_sample(kt_measurement *m)
{
    kt_status status = make_pair(m, m->sample_count, take_half);
    m->sample_count += status == KT_OK;
    return status;
}

/* ---- from first use to the last sample ---- */

static kt_status report_progress(const kt_measurement *m)
{
    if (!m->options.progress)
        return KT_OK;
    kt_progress progress = {
        .samples = m->sample_count,
        .elapsed_ns = m->elapsed_ns,
        .fraction = kt_stopping_fraction(&m->stopping, m->sample_count, m->elapsed_ns),
    };
    if (m->options.progress(m->options.progress_user, &progress))
        return KT_OK;
    return kt_fail(KT_CANCELLED, "measuring %s was cancelled", m->job->desc.name);
}

/* The shortest step decides how many trials there are. Stamps that are not usable say nothing. */
static void look_at_steps(kt_measurement *m, const kt_submission *submission)
{
    kt_span_bounds host = host_bounds(m, submission);
    double shortest_ns = INFINITY, span_ns;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++) {
        if (step_span(m, &m->stamps[i], host, &span_ns) != KT_STAMP_OK)
            return;
        shortest_ns = fmin(shortest_ns, span_ns);
    }
    kt_trials_add(&m->trials, shortest_ns, kt_submission_wall_ns(submission));
}

/* A submission whose time is not kept. */
static kt_status warm_up_once(kt_measurement *m, bool stamped)
{
    kt_submission submission;
    kt_status status = submit(m, in_warmup, stamped, &submission);
    if (status != KT_OK)
        return status;
    m->samples.warmup_n++;
    m->samples.warmup_ns += kt_submission_wall_ns(&submission);
    if (stamped && m->choose_trials)
        look_at_steps(m, &submission);
    return KT_OK;
}

static kt_status warm_up(kt_measurement *m)
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
        m->samples.warmup_end =
            kt_warmup_add(&rule, m->samples.warmup_ns - before_ns, m->last_ns - begin_ns);
    }
    return KT_OK;
}

/* What the caller left open. With cold caches only the first of several would be cold. */
static void open_trials(kt_measurement *m)
{
    const kt_ruler *ruler = &m->device->ruler;
    m->choose_trials &= m->stamped && !kt_job_distrust(m->job) && !m->options.cold;
    if (!m->choose_trials)
        return;
    double submissions = (double)m->options.samples_min * (m->stamped + m->unstamped);
    m->trials =
        kt_trials_rule(ruler->grid_ns, kt_job_floor_ns(m->job), m->options.rel_err,
                       (double)m->options.max_time_ns / submissions, m->job->desc.trials_max);
}

/* After each change some submissions of both kinds, which warm up what a driver makes anew for
 * it. */
static kt_status settle_trials(kt_measurement *m)
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

/* What is compiled then may lie within the span of a step, or around it. */
static void keep_first_use(kt_measurement *m, const kt_submission *submission)
{
    m->samples.first_use_ns = kt_submission_wall_ns(submission);
    if (!m->stamped || kt_job_distrust(m->job)) /* without stamps nobody has waited for a ruler */
        return;
    kt_span_bounds host = host_bounds(m, submission);
    double span_ns;
    host.least_ns = 0;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++)
        if (step_span(m, &m->stamps[i], host, &span_ns) == KT_STAMP_OK)
            m->samples.rows[KT_ROW_STEPS + i].first_use_ns = span_ns;
}

kt_status kt_measurement_begin(kt_measurement *m)
{
    kt_submission submission;
    kt_status status = report_progress(m);
    if (status == KT_OK && m->stamped)
        status = kt_ruler_ensure(m->device, m->options.timeout_ns);
    kt_device_copy_clocks(m->device, m->clocks);
    if (status == KT_OK)
        status = kt_tracing_begin(&m->tracing, m->stamped);
    if (status == KT_OK)
        status = submit(m, in_first_use, m->stamped, &submission);
    if (status != KT_OK)
        return status;
    keep_first_use(m, &submission);
    open_trials(m);
    status = warm_up(m);
    return status == KT_OK ? settle_trials(m) : status;
}

/*
 * What others did meanwhile has filled the caches, and the device may have idled. A submission that
 * takes longer than a turn fills them anew within a small part of itself. It is of the kind that
 * would have come before the next sample.
 */
static kt_status resume(kt_measurement *m)
{
    if (m->last_wall_ns > (double)KT_TURN_NS)
        return KT_OK;
    bool stamped = is_stamped_first(m->sample_count);
    return warm_up_once(m, m->stamped && (stamped || !m->unstamped));
}

kt_status kt_measurement_turn(kt_measurement *m, bool resumed)
{
    kt_status status = resumed ? kt_device_check(m->device) : KT_OK;
    /* Only the time of its own turns goes into a measurement. */
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
        if (kt_stopping_looks(&m->stopping, m->sample_count))
            kt_samples_look(&m->samples, &m->stopping);
        m->samples.stop = kt_stopping_check(&m->stopping, m->sample_count, m->elapsed_ns);
        if (m->samples.stop != KT_STOP_NONE)
            break;
        status = report_progress(m);
        if (m->elapsed_ns - first_ns + took_ns > KT_TURN_NS)
            break;
    }
    /* Verifying and looking belong to it, also after the last submission of a turn. */
    m->elapsed_ns = kt_device_now(m->device) - begin_ns;
    return status;
}

kt_status kt_measurement_init(kt_measurement *m, kt_job *job, const kt_measure_options *options)
{
    *m = (kt_measurement){.job = job, .device = job->device};
    kt_status status = kt_device_check(job->device);
    if (status == KT_OK)
        status = kt_take_options(&m->options, sizeof m->options, options, "kt_measure_options");
    if (status != KT_OK)
        return status;
    m->choose_trials = m->options.trials == 0;
    fill_in_defaults(&m->options);
    status = check_options(job, &m->options);
    if (status != KT_OK)
        return status;
    m->stamped = m->options.timing != KT_TIMING_WALL;
    m->unstamped = m->options.timing != KT_TIMING_DEVICE;
    m->tracing = (kt_tracing){.trace = m->options.trace, .job = job};
    m->stopping = (kt_stopping){.samples_min = m->options.samples_min,
                                .samples_max = m->options.samples_max,
                                .rel_err = m->options.rel_err,
                                .max_time_ns = m->options.max_time_ns};
    m->stamps = kt_alloc(job->desc.step_count, sizeof *m->stamps);
    return m->stamps ? kt_samples_init(&m->samples, job, &m->options, m->clocks) : KT_NO_MEMORY;
}

void kt_measurement_fini(kt_measurement *m)
{
    kt_tracing_fini(&m->tracing);
    kt_samples_fini(&m->samples);
    kt_free(m->stamps);
}
