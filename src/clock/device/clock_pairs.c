/* SPDX-License-Identifier: MIT */
#include "clock/device/clock_pairs.h"

#include "clock/device/clocks.h"
#include "clock/ticks.h"
#include "device/submission.h"

#include <math.h>

#define WARMUP_COMMANDS 2   /* the first commands compile, page in and wake the device */
#define EMPTY_MAX_NS    1e9 /* an empty step that took longer has a broken timestamp */

static kt_status warm_up(kt_pairs *pairs)
{
    kt_status status = KT_OK;
    for (int i = 0; i < WARMUP_COMMANDS && status == KT_OK; i++) {
        kt_timestamp timestamp = {0};
        kt_submission submission;
        status = kt_submit_and_wait(pairs->of.device, pairs->job_state, 1, pairs->timeout_ns,
                                    &timestamp, false, &submission);
    }
    return status;
}

kt_status kt_pairs_init(kt_pairs *pairs, const kt_clocked *of, uint32_t index, void *job_state,
                        int64_t timeout_ns)
{
    *pairs = (kt_pairs){.of = *of, .index = index, .timeout_ns = timeout_ns, .step_ticks = 1};
    kt_device *device = of->device;
    kt_clock_pair pair;
    kt_status status = of->pair(of->owner, index, &pair);
    if (status != KT_UNSUPPORTED || !device)
        return status;
    pairs->kind = KT_PAIRS_COMMANDS;
    pairs->owns_job =
        !job_state || (index > 0 && kt_is_same_timer(&of->infos[0], &of->infos[index]));
    pairs->job_state = pairs->owns_job ? NULL : job_state;
    status = pairs->owns_job ? kt_empty_job_init(device, index, &pairs->job_state) : KT_OK;
    return status == KT_OK ? warm_up(pairs) : status;
}

void kt_pairs_fini(kt_pairs *pairs)
{
    if (pairs->owns_job)
        kt_empty_job_fini(pairs->of.device, &pairs->job_state);
    pairs->job_state = NULL;
    pairs->owns_job = false;
}

void kt_pairs_use_domain(kt_pairs *pairs, kt_host_domain domain)
{
    kt_pairs_fini(pairs);
    pairs->kind = KT_PAIRS_HOST;
    pairs->domain = domain;
}

/* Sets a lower bound of the step's duration, given the clock resolution; 0 if there is none.
 * Returns the state of the timestamps. */
static kt_timestamp_state least_span(const kt_pairs *pairs, const kt_clock_info *clock,
                                     const kt_timestamp *timestamp, double wall_ns,
                                     double *least_ns)
{
    *least_ns = 0;
    if (timestamp->clock != pairs->index)
        return KT_TIMESTAMP_LOST;
    if (timestamp->state != KT_TIMESTAMP_OK)
        return timestamp->state;
    if (timestamp->start_ticks == 0 && timestamp->end_ticks == 0)
        return KT_TIMESTAMP_ZERO;
    if (isnan(clock->period_ns) || clock->valid_bits == 0)
        return KT_TIMESTAMP_OK;
    double span_ns = 0, most_ns = fmin(EMPTY_MAX_NS, kt_ticks_wrap_ns(clock) / 2);
    kt_timestamp_state state =
        kt_ticks_span(clock, timestamp->start_ticks, timestamp->end_ticks, 0, most_ns, &span_ns);
    double surely_ns = span_ns - (double)pairs->step_ticks * clock->period_ns;
    if (state == KT_TIMESTAMP_OK && surely_ns > 0 && surely_ns <= wall_ns)
        *least_ns = surely_ns;
    return state;
}

/* The step starts after the first host clock reading. It ends before the second, so its start
 * precedes the second reading by at least its duration. */
static kt_status take_from_command(kt_pairs *pairs, const kt_clock_info *clock,
                                   kt_pairs_reading *out)
{
    kt_timestamp timestamp = {0};
    kt_submission submission;
    kt_host_read_all(&out->before);
    kt_status status = kt_submit_and_wait(pairs->of.device, pairs->job_state, 1, pairs->timeout_ns,
                                          &timestamp, false, &submission);
    kt_host_read_all(&out->after);
    if (status != KT_OK)
        return status;
    double least_ns;
    kt_timestamp_state state =
        least_span(pairs, clock, &timestamp, kt_submission_wall_ns(&submission), &least_ns);
    out->usable = state == KT_TIMESTAMP_OK;
    if (!out->usable)
        pairs->last_bad = state;
    out->last_ticks = timestamp.end_ticks;
    out->pair = (kt_clock_pair){.host_before_ns = submission.host_before_ns,
                                .ticks = timestamp.start_ticks,
                                .host_after_ns = submission.host_after_ns - (int64_t)least_ns};
    return KT_OK;
}

kt_status kt_pairs_take(kt_pairs *pairs, const kt_clock_info *clock, kt_pairs_reading *out)
{
    kt_status status;
    *out = (kt_pairs_reading){.usable = true};
    if (pairs->kind == KT_PAIRS_COMMANDS)
        return take_from_command(pairs, clock, out);
    if (pairs->kind == KT_PAIRS_HOST) {
        status = kt_host_domain_pair(pairs->domain, &out->pair);
    } else {
        kt_host_read_all(&out->before);
        status = pairs->of.pair(pairs->of.owner, pairs->index, &out->pair);
        kt_host_read_all(&out->after);
    }
    out->last_ticks = out->pair.ticks;
    return status;
}
