/* SPDX-License-Identifier: MIT */
#include "measure/energy.h"

#include "device/submission.h"
#include "measure/rules.h"
#include "statistics/ratio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WINDOWS        12
#define REST_NS        INT64_C(500000000)  /* for the device to become idle */
#define WATCH_NS       INT64_C(3000000000) /* longest time to wait for the counter to move */
#define POLL_NS        INT64_C(100000)     /* between two readings of an idle device */
#define MOVES          20                  /* moves that give the update period */
#define LEAD_NS        1e8                 /* of running before the first window */
#define WINDOW_MIN_NS  1e8
#define WINDOW_UPDATES 5
/* How often the uncertainty of a window's end, a submission or an update, fits into the window. */
#define WINDOW_STEPS 60
/* Short beside a window; long beside the pause between submissions, in which the counter is read. */
#define SUBMISSION_NS       2e6
#define SUBMISSION_READINGS 50
#define TRIALS_TIMES_MOST   64.0 /* from one look to the next */

/* The counter, and what is known of its latest move. */
typedef struct meter {
    kt_device *device;
    double energy_j;   /* latest reading */
    int64_t at_ns;     /* its moment */
    double longest_ns; /* longest time between two readings */
    double cost_ns;    /* of the quickest reading */
    uint64_t seen;     /* of throttling: kt_state_source */
    uint32_t throttle; /* reasons seen */
    const char *fault;
} meter;

typedef struct edge {
    double energy_j;
    int64_t at_ns;
    uint64_t dispatches;
} edge;

static const char *fault_of(const kt_device_state *state)
{
    switch (state->reading[KT_STATE_ENERGY]) {
    case KT_READING_OK: return NULL;
    case KT_READING_DENIED: return "its energy counter may not be read by this user";
    case KT_READING_INVALID: return "its energy counter gives values that cannot be";
    case KT_READING_FAILED: return "reading its energy counter failed";
    case KT_READING_ASLEEP: return "it sleeps";
    default: return "the device has no energy counter";
    }
}

/* Reads the counter. True if it has moved since the last reading. */
static bool read_meter(meter *m)
{
    kt_device_state state;
    int64_t begin_ns = kt_device_now(m->device);
    bool works = kt_device_read_state(m->device, true, &m->seen, &state) == KT_OK;
    m->fault = works ? fault_of(&state) : "reading its state failed";
    if (m->fault)
        return false;
    double before_j = m->energy_j;
    if (m->at_ns)
        m->longest_ns = fmax(m->longest_ns, (double)(state.host_ns - m->at_ns));
    m->at_ns = state.host_ns;
    m->cost_ns = fmin(m->cost_ns, (double)(m->at_ns - begin_ns));
    if (state.reading[KT_STATE_THROTTLE] == KT_READING_OK)
        m->throttle |= (uint32_t)state.value[KT_STATE_THROTTLE] & KT_THROTTLE_MASK;
    m->energy_j = state.value[KT_STATE_ENERGY];
    return m->energy_j > before_j;
}

static edge edge_at(const meter *m, uint64_t dispatches)
{
    return (edge){.energy_j = m->energy_j, .at_ns = m->at_ns, .dispatches = dispatches};
}

static double ns_between(const edge *from, const edge *to)
{
    return (double)(to->at_ns - from->at_ns);
}

static double watts_between(const edge *from, const edge *to)
{
    return (to->energy_j - from->energy_j) / (ns_between(from, to) * 1e-9);
}

/* Watches the counter of the idle device. */
static kt_status watch_idle(const kt_energy_plan *plan, meter *m, kt_energy *out)
{
    edge first = {0}, last = {0};
    uint32_t moves = 0;
    kt_device_sleep(m->device, REST_NS);
    read_meter(m);
    int64_t end_ns = m->at_ns + WATCH_NS;
    kt_status status = KT_OK;
    while (status == KT_OK && !m->fault && moves <= MOVES && m->at_ns < end_ns) {
        kt_device_sleep(m->device, POLL_NS);
        if (read_meter(m)) {
            last = edge_at(m, 0);
            if (moves++ == 0)
                first = last;
        }
        status = plan->proceed(plan->user);
    }
    if (!m->fault && moves < 2)
        m->fault = "its energy counter did not move twice in 3 s";
    if (status != KT_OK || m->fault)
        return status;
    out->update_ms = ns_between(&first, &last) * 1e-6 / (moves - 1);
    out->idle_w = watts_between(&first, &last);
    kt_device_set_energy_period(m->device, out->update_ms);
    return KT_OK;
}

/* Runs the job without a pause until the counter moves, not before `least_ns` from now. */
static kt_status run_to_move(const kt_energy_plan *plan, meter *m, uint32_t trials, double least_ns,
                             uint64_t *dispatches)
{
    int64_t begin_ns = m->at_ns;
    bool moved = false;
    kt_status status = KT_OK;
    while (status == KT_OK && !m->fault && !(moved && (double)(m->at_ns - begin_ns) >= least_ns)) {
        kt_submission submission;
        status = kt_submit_and_wait(m->device, plan->job->state, trials, plan->timeout_ns, NULL,
                                    false, &submission);
        if (status != KT_OK)
            break;
        *dispatches += trials;
        moved = read_meter(m);
        if ((double)(m->at_ns - begin_ns) > least_ns + (double)WATCH_NS && !moved)
            m->fault = "its energy counter stopped while the job ran";
        status = plan->proceed(plan->user);
    }
    return status;
}

static kt_status run_windows(const kt_energy_plan *plan, meter *m, uint32_t trials,
                             double window_ns, kt_energy *out)
{
    double samples_j[WINDOWS], scratch[WINDOWS];
    uint64_t dispatches = 0;
    read_meter(m);
    kt_status status = run_to_move(plan, m, trials, LEAD_NS, &dispatches);
    edge first = edge_at(m, dispatches), from = first;
    m->longest_ns = 0;
    m->throttle = 0;
    for (uint32_t i = 0; i < WINDOWS && status == KT_OK && !m->fault; i++) {
        status = run_to_move(plan, m, trials, window_ns, &dispatches);
        edge to = edge_at(m, dispatches);
        samples_j[i] = (to.energy_j - from.energy_j) / (double)(to.dispatches - from.dispatches);
        from = to;
    }
    if (status == KT_OK)
        status = plan->verify(plan->user);
    if (status != KT_OK || m->fault)
        return status;
    out->dispatch_j =
        (from.energy_j - first.energy_j) / (double)(from.dispatches - first.dispatches);
    double end_ns = fmin(m->longest_ns, out->update_ms * 1e6);
    kt_summary summary;
    kt_summarize(samples_j, WINDOWS, 0, scratch, &summary);
    double error_j = kt_student_95(WINDOWS - 1) * summary.stddev / sqrt(WINDOWS) +
                     out->dispatch_j * end_ns / ns_between(&first, &from);
    out->ci95_low_j = fmax(0, out->dispatch_j - error_j);
    out->ci95_high_j = out->dispatch_j + error_j;
    out->power_w = watts_between(&first, &from);
    out->duration_s = ns_between(&first, &from) * 1e-9;
    out->dispatches = from.dispatches - first.dispatches;
    out->windows = WINDOWS;
    out->throttle = m->throttle;
    return KT_OK;
}

/* Raises the dispatches of a submission until the pauses between submissions, in which the counter is
 * read, are a small part. The shorter of two submissions counts, since a busy host makes one long. */
static kt_status choose_trials(const kt_energy_plan *plan, const meter *m, uint32_t *trials,
                               double *submission_ns)
{
    uint32_t most = plan->job->desc.trials_max ? plan->job->desc.trials_max : KT_TRIALS_MOST;
    double wanted_ns = fmax(SUBMISSION_NS, SUBMISSION_READINGS * m->cost_ns);
    kt_status status = plan->reset(plan->user);
    *trials = 1;
    while (status == KT_OK) {
        *submission_ns = INFINITY;
        for (int i = 0; i < 2 && status == KT_OK; i++) {
            kt_submission submission = {0};
            status = kt_submit_and_wait(m->device, plan->job->state, *trials, plan->timeout_ns,
                                        NULL, false, &submission);
            *submission_ns = fmin(*submission_ns, kt_submission_wall_ns(&submission));
        }
        if (status != KT_OK || *submission_ns >= wanted_ns || *trials >= most)
            return status;
        double times = fmin(wanted_ns / *submission_ns, TRIALS_TIMES_MOST); /* or of 0 ns */
        *trials = (uint32_t)fmin(most, fmax(*trials + 1, ceil(*trials * times)));
        status = plan->proceed(plan->user);
    }
    return status;
}

/* Sets a reason and returns false if the job or the device is not fit for it. */
static bool is_fit(const kt_energy_plan *plan, char *reason)
{
    const kt_job_desc *desc = &plan->job->desc;
    const char *why = NULL;
    if (plan->cold)
        why = "flushing the caches takes energy, too";
    else if (desc->trials_max && desc->reset)
        why = "the memory of the job must be reset between dispatches, which takes energy, too";
    if (why)
        snprintf(reason, KT_ENERGY_REASON_BYTES, "%s", why);
    return !why;
}

kt_status kt_energy_measure(const kt_energy_plan *plan, kt_energy *out,
                            char reason[KT_ENERGY_REASON_BYTES])
{
    *out = (kt_energy){.dispatch_j = NAN,
                       .ci95_low_j = NAN,
                       .ci95_high_j = NAN,
                       .power_w = NAN,
                       .idle_w = NAN,
                       .update_ms = NAN,
                       .duration_s = NAN};
    reason[0] = '\0';
    out->reason = reason;
    if (!is_fit(plan, reason))
        return KT_OK;
    meter m = {.device = plan->job->device, .cost_ns = INFINITY};
    read_meter(&m);
    kt_status status = m.fault ? KT_OK : watch_idle(plan, &m, out);
    uint32_t trials = 1;
    double submission_ns = 0;
    if (status == KT_OK && !m.fault)
        status = choose_trials(plan, &m, &trials, &submission_ns);
    double update_ns = out->update_ms * 1e6;
    double window_ns =
        fmax(fmax(WINDOW_MIN_NS, submission_ns),
             fmax(WINDOW_UPDATES * update_ns, WINDOW_STEPS * fmin(submission_ns, update_ns)));
    double run_ns = LEAD_NS + WINDOWS * window_ns;
    bool is_long = submission_ns > WINDOW_UPDATES * update_ns;
    if (status == KT_OK && !m.fault && run_ns > (double)plan->budget_ns)
        snprintf(reason, KT_ENERGY_REASON_BYTES,
                 "%s %.3g s, so a run of %.3g s is needed: raise --max-time to %.3g s",
                 is_long ? "a dispatch takes" : "its energy counter moves every",
                 (is_long ? submission_ns : update_ns) * 1e-9, run_ns * 1e-9,
                 ceil(run_ns / KT_ENERGY_BUDGET * 1e-9));
    else if (status == KT_OK && !m.fault)
        status = run_windows(plan, &m, trials, window_ns, out);
    if (m.fault)
        snprintf(reason, KT_ENERGY_REASON_BYTES, "%s", m.fault);
    if (!reason[0])
        out->reason = NULL;
    return status;
}
