/*
 * The measuring loop: ruler, first use, warm-up, then samples until the rule says stop. A sample is
 * a stamped and an unstamped submission; which comes first changes from sample to sample (A B B A),
 * so that neither sees the machine always in the state that the other left.
 */
#include "series.h"
#include "stopping.h"
#include "submission.h"
#include "support/alloc.h"
#include "ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARMUP_SUBMISSIONS 3 /* after the first: each kind of submission at least once */

/* How much the device's clock may run ahead of the host's before a span counts as impossible. */
#define CLOCK_RATE_SLACK 0.01
/* A submission's wall time exceeds its one step by some overheads of an empty one, and some of
 * itself. */
#define OVERHEADS_MAX      10
#define OVERHEAD_SHARE_MAX 0.05

/* Everything of one call of kt_measure(). */
typedef struct measurement {
    kt_job *job;
    kt_device *device;
    kt_measure_options options; /* defaults filled in */
    bool stamped, unstamped;    /* which submissions are made */
    kt_stamp *stamps;           /* of the latest stamped submission */
    kt_samples samples;
    kt_stopping stopping;
    int64_t last_ns; /* host clock at the end of the latest submission */
} measurement;

static kt_status complete_options(const kt_job *job, const kt_measure_options *from,
                                  kt_measure_options *to)
{
    kt_status status = kt_take_options(to, sizeof *to, from, "kt_measure_options");
    if (status != KT_OK)
        return status;
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
    if (to->samples_min > to->samples_max)
        return kt_fail(KT_INVALID, "at least %u samples but at most %u", to->samples_min,
                       to->samples_max);
    if (!(to->rel_err > 0) || to->max_time_ns < 0 || to->timeout_ns < 0)
        return kt_fail(KT_INVALID, "a relative error or a time below 0");
    if (job->desc.trials_max && to->trials > job->desc.trials_max)
        return kt_fail(KT_LIMIT, "%s changes its own input: at most %u trial%s", job->desc.name,
                       job->desc.trials_max, job->desc.trials_max == 1 ? "" : "s");
    return KT_OK;
}

static kt_status call_back(const measurement *m, kt_job_callback callback, const char *what)
{
    if (!callback)
        return KT_OK;
    char why[256] = "";
    kt_status status = callback(m->job->desc.user, why, sizeof why);
    if (status == KT_OK)
        return KT_OK;
    if (callback == m->job->desc.verify && status != KT_WRONG_RESULT)
        what = "the output could not be checked";
    return kt_fail(status, "%s%s%s", what, why[0] ? ": " : "", why);
}

/* One submission with all that belongs around it. */
static kt_status submit(measurement *m, bool stamped, kt_submission *submission)
{
    const kt_job_desc *desc = &m->job->desc;
    kt_status status = call_back(m, desc->reset, "resetting its memory failed");
    if (status != KT_OK)
        return status;
    status = kt_submit_and_wait(m->device, m->job->state, m->options.trials, m->options.timeout_ns,
                                stamped ? m->stamps : NULL, submission);
    m->last_ns = submission->host_after_ns;
    if (status == KT_OK)
        status = call_back(m, desc->verify, "wrong output");
    return status;
}

/* What the host's clock says of the spans within a submission; see kt_ticks_span(). */
static void host_bounds(const measurement *m, double wall_ns, double *least_ns, double *most_ns)
{
    const kt_ruler *ruler = &m->device->ruler;
    double overhead_ns = OVERHEADS_MAX * ruler->overhead_ns + OVERHEAD_SHARE_MAX * wall_ns;
    *least_ns = m->job->desc.step_count == 1 ? fmax(0, wall_ns - overhead_ns) : 0;
    *most_ns = wall_ns * (1 + CLOCK_RATE_SLACK) + 2 * ruler->grid_ns;
}

/* The sum of all steps, and the span from the first start to the last end. */
static void add_total_and_span(measurement *m, double sum_ns, kt_stamp_state state, double most_ns)
{
    uint32_t count = m->job->desc.step_count;
    if (count < 2)
        return;
    kt_samples_add(&m->samples, KT_ROW_TOTAL, state, sum_ns);
    const kt_stamp *first = &m->stamps[0], *last = &m->stamps[count - 1];
    double span_ns = 0;
    if (state == KT_STAMP_OK)
        state = first->clock != last->clock
                    ? KT_STAMP_AMBIGUOUS
                    : kt_ticks_span(&m->device->info.clocks[first->clock], first->start_ticks,
                                    last->end_ticks, 0, most_ns, &span_ns);
    kt_samples_add(&m->samples, KT_ROW_SPAN, state, span_ns);
}

static void add_steps(measurement *m, const kt_submission *submission)
{
    double least_ns, most_ns, sum_ns = 0;
    host_bounds(m, kt_submission_wall_ns(submission), &least_ns, &most_ns);
    kt_stamp_state worst = KT_STAMP_OK;
    for (uint32_t i = 0; i < m->job->desc.step_count; i++) {
        const kt_stamp *stamp = &m->stamps[i];
        kt_stamp_state state = stamp->state;
        double span_ns = 0;
        if (state == KT_STAMP_OK)
            state = kt_ticks_span(&m->device->info.clocks[stamp->clock], stamp->start_ticks,
                                  stamp->end_ticks, least_ns, most_ns, &span_ns);
        kt_samples_add_raw(&m->samples, KT_ROW_STEPS + i, stamp, state, submission);
        kt_samples_add(&m->samples, KT_ROW_STEPS + i, state, span_ns);
        if (state != KT_STAMP_OK)
            worst = state;
        sum_ns += span_ns;
    }
    add_total_and_span(m, sum_ns, worst, most_ns);
}

/* Stamps that are not believed are kept for --raw to show, and go no further. */
static void add_raw_steps(measurement *m, const kt_submission *submission)
{
    for (uint32_t i = 0; i < m->job->desc.step_count; i++)
        kt_samples_add_raw(&m->samples, KT_ROW_STEPS + i, &m->stamps[i], m->stamps[i].state,
                           submission);
}

static kt_status take_half(measurement *m, bool stamped)
{
    kt_submission submission;
    if (stamped)
        memset(m->stamps, 0, m->job->desc.step_count * sizeof *m->stamps);
    kt_status status = submit(m, stamped, &submission);
    if (status != KT_OK)
        return status;
    if (stamped && m->device->ruler.believed)
        add_steps(m, &submission);
    else if (stamped)
        add_raw_steps(m, &submission);
    uint32_t row = stamped ? KT_ROW_WALL_STAMPED : KT_ROW_WALL;
    kt_samples_add(&m->samples, row, KT_STAMP_OK, kt_submission_wall_ns(&submission));
    kt_samples_add_raw(&m->samples, row, NULL, KT_STAMP_OK, &submission);
    return KT_OK;
}

static kt_status take_sample(measurement *m, uint32_t index)
{
    bool stamped_first = index % 2 == 0;
    for (int half = 0; half < 2; half++) {
        bool stamped = (half == 0) == stamped_first;
        kt_status status = (stamped ? m->stamped : m->unstamped) ? take_half(m, stamped) : KT_OK;
        if (status != KT_OK)
            return status;
    }
    return KT_OK;
}

/* The first submission pays for compiling, paging in and lazy clears; a few more reach the
 * steady state. */
static kt_status warm_up(measurement *m)
{
    kt_submission submission;
    kt_status status = submit(m, m->stamped, &submission);
    if (status != KT_OK)
        return status;
    m->samples.first_use_ns = kt_submission_wall_ns(&submission);
    m->samples.warmup_ns = 0;
    for (uint32_t i = 0; i < WARMUP_SUBMISSIONS; i++) {
        bool stamped = m->stamped && (i % 2 == 1 || !m->unstamped);
        status = submit(m, stamped, &submission);
        if (status != KT_OK)
            return status;
        m->samples.warmup_n++;
        m->samples.warmup_ns += kt_submission_wall_ns(&submission);
    }
    return KT_OK;
}

static kt_status report_progress(const measurement *m, uint32_t samples, int64_t elapsed_ns)
{
    if (!m->options.progress)
        return KT_OK;
    kt_progress progress = {
        .samples = samples,
        .elapsed_ns = elapsed_ns,
        .fraction = kt_stopping_fraction(&m->stopping, samples, elapsed_ns),
    };
    if (m->options.progress(m->options.progress_user, &progress))
        return KT_OK;
    return kt_fail(KT_CANCELLED, "measuring %s was cancelled", m->job->desc.name);
}

static kt_status take_samples(measurement *m)
{
    int64_t begin_ns = kt_device_now(m->device);
    for (uint32_t n = 0;;) {
        kt_status status = kt_samples_reserve(&m->samples, n + 1);
        if (status == KT_OK)
            status = take_sample(m, n);
        if (status != KT_OK)
            return status;
        n++;
        if (kt_stopping_looks(&m->stopping, n))
            kt_samples_look(&m->samples, &m->stopping);
        int64_t elapsed_ns = m->last_ns - begin_ns;
        m->samples.stop = kt_stopping_check(&m->stopping, n, elapsed_ns);
        if (m->samples.stop != KT_STOP_NONE)
            return KT_OK;
        status = report_progress(m, n, elapsed_ns);
        if (status != KT_OK)
            return status;
    }
}

static kt_status run(measurement *m)
{
    kt_status status = KT_OK;
    if (m->stamped)
        status = kt_ruler_ensure(m->device, m->options.timeout_ns);
    if (status == KT_OK)
        status = warm_up(m);
    if (status == KT_OK)
        status = take_samples(m);
    return status;
}

kt_status kt_measure(kt_job *job, const kt_measure_options *options, kt_result **out)
{
    measurement m = {.job = job, .device = job->device};
    *out = NULL;
    kt_status status = kt_device_check(job->device);
    if (status == KT_OK)
        status = complete_options(job, options, &m.options);
    if (status != KT_OK)
        return status;
    m.stamped = m.options.timing != KT_TIMING_WALL;
    m.unstamped = m.options.timing != KT_TIMING_DEVICE;
    m.stopping = (kt_stopping){.samples_min = m.options.samples_min,
                               .samples_max = m.options.samples_max,
                               .rel_err = m.options.rel_err,
                               .max_time_ns = m.options.max_time_ns};
    m.stamps = kt_alloc(job->desc.step_count, sizeof *m.stamps);
    if (!m.stamps)
        return KT_NO_MEMORY;
    status = kt_samples_init(&m.samples, job, &m.options);
    if (status != KT_OK)
        goto fail;
    status = run(&m);
    if (kt_samples_to_result(&m.samples, status, out) != KT_OK)
        status = KT_NO_MEMORY;
fail:
    kt_samples_fini(&m.samples);
    kt_free(m.stamps);
    return status;
}

kt_status kt_measure_all(kt_measure_item *items, uint32_t count)
{
    kt_status first = KT_OK;
    for (uint32_t i = 0; i < count; i++) {
        kt_measure_item *item = &items[i];
        item->status = kt_measure(item->job, item->options, &item->result);
        snprintf(item->error, sizeof item->error, "%s",
                 item->status == KT_OK ? "" : kt_error_text());
        if (first == KT_OK)
            first = item->status;
    }
    return first;
}
