/* SPDX-License-Identifier: MIT */
/*
 * tracing.c - adds each submission to a trace after it is over.
 *
 * During a submission, tracing only reads the host clock once, between submit and wait. The clocks
 * of a device are opened once per device and run. A step that cannot be placed on a time line is
 * counted by reason and never drawn.
 */
#include "measure/tracing.h"

#include "clock/device/clocks.h"
#include "measure/result.h"
#include "support/alloc.h"

#include <math.h>
#include <stdio.h>

/* Number of host clock readings that find the least time between two readings. */
#define READINGS 32

/* Least time between two clock pairs, whatever a pair costs: until a clock has been open for some
 * ms, its uncertainty is so large that every pair helps. */
#define PAIR_INTERVAL_NS 1000000

/* Name of the trace's track for host events; see docs/trace.md. */
#define HOST_TRACK  "submit and wait"
#define TRACK_BYTES (sizeof((kt_clock_info *)NULL)->name + 16)

struct kt_followed {
    uint32_t users;
    bool opened;
    kt_clock *clocks[KT_CLOCKS_MAX]; /* NULL: the clock cannot be opened */
    kt_clock_info infos[KT_CLOCKS_MAX];
    double host_uncertainty_ns; /* uncertainty of a host clock reading */
    char own_timeline[sizeof((kt_device_info *)NULL)->id + 32];
    const char *timeline; /* name of the host clock; NULL: the system's clock */
};

#define ARGS_MAX 7 /* most arguments of one trace event */

/* ---- Clocks ---- */

/* Uncertainty of a host clock reading, at least 1 ns: a reading is taken at some moment of its
 * call, so it is off by at most the time of a call. */
static double host_uncertainty_ns(const kt_device *device)
{
    int64_t least_ns = INT64_MAX, before_ns = kt_device_now(device);
    for (int i = 0; i < READINGS; i++) {
        int64_t now_ns = kt_device_now(device);
        if (now_ns - before_ns < least_ns)
            least_ns = now_ns - before_ns;
        before_ns = now_ns;
    }
    return fmax(1, (double)least_ns);
}

static void name_timeline(const kt_device *device, kt_followed *followed)
{
    if (device->backend->device_host_clock) {
        snprintf(followed->own_timeline, sizeof followed->own_timeline, "virtual clock of %s",
                 device->info.id);
        followed->timeline = followed->own_timeline;
    } else if (!kt_has_system_clock(device)) {
        followed->timeline = "clock of the program";
    }
}

static kt_status open_clocks(kt_device *device, kt_followed *followed)
{
    if (followed->opened || !device->limits.trusted)
        return KT_OK;
    followed->opened = true;
    kt_device_copy_clocks(device, followed->infos);
    const kt_clock_options options = {.size = sizeof options, .interval_ns = PAIR_INTERVAL_NS};
    return kt_clocks_open(device, &options, NULL, device->timeout_ns, followed->clocks);
}

static void release(kt_followed *followed)
{
    if (!followed || --followed->users > 0)
        return;
    kt_clocks_close(followed->clocks);
    kt_free(followed);
}

void kt_tracing_share(kt_tracing *tracing, const kt_tracing *other)
{
    tracing->followed = other->followed;
    if (tracing->followed)
        tracing->followed->users++;
}

kt_status kt_tracing_begin(kt_tracing *tracing, bool timestamped)
{
    if (!tracing->trace)
        return KT_OK;
    kt_device *device = tracing->job->device;
    if (!tracing->followed) {
        tracing->followed = kt_alloc(1, sizeof *tracing->followed);
        if (!tracing->followed)
            return KT_NO_MEMORY;
        tracing->followed->users = 1;
        tracing->followed->host_uncertainty_ns = host_uncertainty_ns(device);
        name_timeline(device, tracing->followed);
    }
    return timestamped ? open_clocks(device, tracing->followed) : KT_OK;
}

void kt_tracing_fini(kt_tracing *tracing)
{
    release(tracing->followed);
    tracing->followed = NULL;
}

/* ---- Events ---- */

/* Sets the arguments that all events of a submission share. Returns their number, at most
 * ARGS_MAX. */
static uint32_t describe(const kt_tracing *tracing, const kt_traced *traced, kt_trace_arg *args)
{
    uint32_t count = 0;
    args[count++] = (kt_trace_arg){.name = "job", .text = tracing->job->desc.name};
    if (tracing->job->desc.variant)
        args[count++] = (kt_trace_arg){.name = "variant", .text = tracing->job->desc.variant};
    args[count++] = (kt_trace_arg){.name = "phase", .text = traced->phase};
    if (traced->sample >= 0)
        args[count++] = (kt_trace_arg){.name = "sample", .number = traced->sample};
    args[count++] = (kt_trace_arg){.name = "timestamped", .number = traced->timestamped};
    if (traced->trials > 1)
        args[count++] = (kt_trace_arg){.name = "trials", .number = traced->trials};
    if (traced->status != KT_OK)
        args[count++] = (kt_trace_arg){.name = "status", .text = kt_status_name(traced->status)};
    return count;
}

static kt_status add_event(const kt_tracing *tracing, const kt_traced *traced, kt_trace_event event)
{
    kt_trace_arg args[ARGS_MAX];
    event.timeline = tracing->followed->timeline;
    event.process = tracing->job->device->info.id;
    event.args = args;
    event.arg_count = describe(tracing, traced, args);
    return kt_trace_add(tracing->trace, &event);
}

kt_status kt_tracing_add_host(kt_tracing *tracing, const kt_traced *traced)
{
    const kt_submission *submission = traced->submission;
    kt_trace_event event = {.track = HOST_TRACK,
                            .name = "submit",
                            .category = "submit",
                            .begin_ns = submission->host_before_ns,
                            .end_ns = submission->host_submitted_ns,
                            .uncertainty_ns = tracing->followed->host_uncertainty_ns};
    kt_status status = add_event(tracing, traced, event);
    if (status != KT_OK || !submission->submitted)
        return status;
    event.name = event.category = "wait";
    event.begin_ns = submission->host_submitted_ns;
    event.end_ns = submission->host_after_ns;
    status = add_event(tracing, traced, event);
    return status == KT_OK && traced->status == KT_OK ? kt_clocks_update(tracing->followed->clocks)
                                                      : status;
}

/* Places both timestamps of a step on the host's time line. The uncertainty is the larger of the
 * two, in whole ns. */
static kt_status place(const kt_clock *clock, const kt_timestamp *timestamp, kt_trace_event *event)
{
    double begin_uncertainty_ns = NAN, end_uncertainty_ns = NAN;
    kt_status status =
        kt_clock_to_host(clock, timestamp->start_ticks, &event->begin_ns, &begin_uncertainty_ns);
    if (status == KT_OK)
        status = kt_clock_to_host(clock, timestamp->end_ticks, &event->end_ns, &end_uncertainty_ns);
    event->uncertainty_ns = ceil(fmax(begin_uncertainty_ns, end_uncertainty_ns));
    return status;
}

/* ns by which `later` precedes `earlier`, else 0. Exact also far from 0, where doubles are not. */
static double excess_ns(int64_t earlier, int64_t later)
{
    return later < earlier ? (double)((uint64_t)earlier - (uint64_t)later) : 0;
}

/* A step runs after it is submitted and before its wait ends. If it lies outside by more than its
 * uncertainty, its place is wrong, and it would be drawn beside another submission. */
static bool is_outside(const kt_submission *submission, const kt_trace_event *event)
{
    double slack_ns = event->uncertainty_ns;
    double early_ns = excess_ns(submission->host_before_ns, event->begin_ns);
    double late_ns = excess_ns(event->end_ns, submission->host_after_ns);
    return early_ns > slack_ns || late_ns > slack_ns;
}

static const char *category_of(const kt_step *step)
{
    if (kt_is_copy_step(step))
        return "copy";
    return step->kind == KT_STEP_EMPTY ? "empty" : "kernel";
}

/* Adds a placed event to the trace, unless its place is impossible. */
static kt_status add_placed(kt_tracing *tracing, const kt_traced *traced, uint32_t step,
                            uint32_t clock, kt_trace_event event)
{
    const kt_job_desc *job = &tracing->job->desc;
    char track[TRACK_BYTES];
    if (event.end_ns < event.begin_ns)
        return kt_trace_omit(tracing->trace, "reversed");
    if (is_outside(traced->submission, &event))
        return kt_trace_omit(tracing->trace, "outside_its_submission");
    snprintf(track, sizeof track, "steps (clock %s)", tracing->followed->infos[clock].name);
    event.track = track;
    event.name = job->step_count > 1 ? job->steps[step].name : job->name;
    event.category = category_of(&job->steps[step]);
    return add_event(tracing, traced, event);
}

static kt_status add_step(kt_tracing *tracing, const kt_traced *traced, uint32_t step,
                          const kt_timestamp *timestamp)
{
    const kt_clock *clock = tracing->followed->clocks[timestamp->clock];
    if (!clock)
        return kt_trace_omit(tracing->trace, "no_relation");
    kt_trace_event event = {0};
    kt_status status = place(clock, timestamp, &event);
    if (status == KT_NOT_READY)
        return kt_trace_omit(tracing->trace, "no_period");
    return status == KT_OK ? add_placed(tracing, traced, step, timestamp->clock, event) : status;
}

/* ---- Elapsed-only clocks ---- */

/* Place of the steps of a submission by an elapsed-only clock, which gives only durations
 * and gaps. */
typedef struct chain {
    bool known; /* durations and gaps of all steps are known; otherwise no step can be placed */
    double at_ns, uncertainty_ns; /* start of the next step, from host_before_ns on */
} chain;

/*
 * The steps lie somewhere between the first and the last host clock reading. The remaining time
 * lies before and after them in unknown parts. With the steps in the middle, the error is at most
 * half of that time.
 */
static chain chain_of(const kt_tracing *tracing, const kt_traced *traced,
                      const kt_clock_info *clocks, const kt_timestamp *timestamps,
                      kt_span_bounds host)
{
    uint32_t count = tracing->job->desc.step_count;
    double sum_ns = 0, span_ns = 0, whole_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kt_timestamp_span(&clocks[timestamps[i].clock], &timestamps[i], host, &span_ns) !=
            KT_TIMESTAMP_OK)
            return (chain){.known = false};
        sum_ns += span_ns;
    }
    if (kt_timestamps_span(clocks, timestamps, count, sum_ns, host.most_ns, &whole_ns) !=
        KT_TIMESTAMP_OK)
        return (chain){.known = false};
    double slack_ns = kt_submission_wall_ns(traced->submission) - whole_ns;
    double host_ns = tracing->followed->host_uncertainty_ns;
    return (chain){
        .known = true, .at_ns = slack_ns / 2, .uncertainty_ns = ceil(fmax(slack_ns / 2, host_ns))};
}

/* Adds the next step to the trace and moves `where` to the end of the step. */
static kt_status add_link(kt_tracing *tracing, const kt_traced *traced, uint32_t step,
                          const kt_timestamp *timestamp, kt_span_bounds host, double span_ns,
                          chain *where)
{
    if (!where->known)
        return kt_trace_omit(tracing->trace, "no_relation");
    int64_t before_ns = traced->submission->host_before_ns;
    double gap_ns = 0;
    if (step > 0) /* the gap is known, because those of all steps are */
        (void)kt_timestamp_gap(timestamp, host.most_ns, &gap_ns);
    kt_trace_event event = {.uncertainty_ns = where->uncertainty_ns};
    where->at_ns += gap_ns;
    event.begin_ns = before_ns + llround(where->at_ns);
    where->at_ns += span_ns;
    event.end_ns = before_ns + llround(where->at_ns);
    return add_placed(tracing, traced, step, timestamp->clock, event);
}

kt_status kt_tracing_add_steps(kt_tracing *tracing, const kt_traced *traced,
                               const kt_clock_info *clocks, const kt_timestamp *timestamps,
                               kt_span_bounds host)
{
    chain where = {.known = false};
    if (kt_method_is_elapsed_only(clocks[timestamps[0].clock].method))
        where = chain_of(tracing, traced, clocks, timestamps, host);
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < tracing->job->desc.step_count && status == KT_OK; i++) {
        const kt_timestamp *timestamp = &timestamps[i];
        const kt_clock_info *clock = &clocks[timestamp->clock];
        double span_ns = 0;
        kt_timestamp_state state = kt_timestamp_span(clock, timestamp, host, &span_ns);
        if (state != KT_TIMESTAMP_OK)
            status = kt_trace_omit(tracing->trace, kt_timestamp_state_name(state));
        else if (kt_method_is_elapsed_only(clock->method))
            status = add_link(tracing, traced, i, timestamp, host, span_ns, &where);
        else
            status = add_step(tracing, traced, i, timestamp);
    }
    return status;
}

kt_status kt_tracing_omit_steps(kt_tracing *tracing, const char *reason)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < tracing->job->desc.step_count && status == KT_OK; i++)
        status = kt_trace_omit(tracing->trace, reason);
    return status;
}

/* ---- State of the device ---- */

kt_status kt_tracing_add_state(kt_tracing *tracing, const kt_device_state *state)
{
    static const struct {
        kt_state_value value;
        const char *track, *unit;
    } counters[] = {{KT_STATE_CORE_CLOCK, "core clock", "MHz"},
                    {KT_STATE_POWER, "power", "W"},
                    {KT_STATE_TEMPERATURE, "temperature", "degrees C"}};
    kt_status status = KT_OK;
    for (size_t i = 0; i < sizeof counters / sizeof counters[0] && status == KT_OK; i++) {
        const kt_trace_counter counter = {.timeline = tracing->followed->timeline,
                                          .process = tracing->job->device->info.id,
                                          .track = counters[i].track,
                                          .name = counters[i].unit,
                                          .moment_ns = state->host_ns,
                                          .value = state->value[counters[i].value]};
        if (state->reading[counters[i].value] == KT_READING_OK)
            status = kt_trace_add_counter(tracing->trace, &counter);
    }
    return status;
}
