/* SPDX-License-Identifier: MIT */
/*
 * clock.c - an open clock of a device: how and when its clock pairs are taken. calibrate.c
 * evaluates them.
 *
 * A clock that is the host clock needs no pairs. A clock that is another clock of the host is read
 * from the host alone. For all others the API gives calibrated timestamps, or bracketed submissions
 * replace them. A context clock is never opened (kt_clock_has_place()): its timestamps accompany
 * those of another clock and only add a median.
 */
#include "clock/calibrate.h"
#include "clock/device/clocks.h"
#include "clock/device/first_readings.h"
#include "clock/period.h"
#include "clock/ticks.h"
#include "support/alloc.h"
#include "support/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest share of the run time spent on taking clock pairs, useless readings included. */
#define PAIR_SHARE_MAX 0.01
/* Weight of a new clock pair in the mean cost of a pair: small, since a disturbed pair may take
 * thousands of times longer. */
#define COST_WEIGHT 0.125

#define SEARCH_COUNT 16   /* least first readings of a clock that may be a host clock */
#define SLOW_COUNT   2    /* least first readings of other clocks if readings are slow */
#define TRIES_MAX    4    /* most readings in a row to get one useful clock pair */
#define READINGS_MAX 4096 /* most readings during opening, even if the host clock stands still */
/* Longest time to take the requested clock pairs, since a coarse clock gives few. */
#define OPENING_NS   INT64_C(100000000)
#define PERIOD_NS    INT64_C(2000000000) /* longest time to find a period, ... */
#define PRECISE_NS   INT64_C(200000000)  /* ... and to reach this relative error: */
#define PERIOD_ERROR 100e-6
/* Limits for the period of a timer: durations must be as exact as with a reported period, whatever
 * the pairs are like. */
#define TIMER_PRECISE_NS INT64_C(1000000000)
#define TIMER_ERROR      10e-6
#define SLEEP_MIN_NS     INT64_C(20000)
#define SLEEP_MAX_NS     INT64_C(4000000)
#define RENEWING_PAIRS   8     /* clock pairs that renew an already calibrated clock */
#define DRIFT_ERROR      10e-6 /* relative error above which a drift is not published */

struct kt_clock {
    kt_pairs pairs;
    kt_clock_info info; /* properties known at opening or found since */
    bool is_host;       /* this clock is the host clock itself and needs no pairs */
    /* found to be a host clock, so that a tick is 1 ns; the driver reported no period */
    bool counts_ns;
    bool has_interval;   /* interval_ns was set by the caller */
    int64_t interval_ns; /* least time between two clock pairs */
    int64_t last_ns;     /* host time after the newest clock pair */
    double cost_ns;      /* mean time to take a clock pair, ... */
    uint64_t costs;      /* ... over this many clock pairs */
    uint64_t step_ticks; /* clock resolution: see kt_first_readings_step() */
    uint64_t readings;
    kt_calibration calibration;
    kt_period period; /* bounds of the period, if a timer's period is unknown */
};

static int64_t now_ns(const kt_clock *clock)
{
    return kt_clocked_now(&clock->pairs.of);
}

static void sleep_for(const kt_clock *clock, int64_t duration_ns)
{
    kt_clocked_sleep(&clock->pairs.of, duration_ns);
}

static kt_clock_state state_of(const kt_clock *clock)
{
    kt_clock_state state;
    kt_calibration_get_state(&clock->calibration, &state);
    return state;
}

/* ---- Taking pairs ---- */

static void note_cost(kt_clock *clock, int64_t begin_ns)
{
    clock->last_ns = now_ns(clock);
    double cost_ns = (double)(clock->last_ns - begin_ns);
    clock->costs++;
    clock->cost_ns += fmax(COST_WEIGHT, 1 / (double)clock->costs) * (cost_ns - clock->cost_ns);
}

static bool is_time_for_a_pair(const kt_clock *clock)
{
    int64_t since_ns = now_ns(clock) - clock->last_ns;
    bool is_cheap = clock->has_interval || (double)since_ns >= clock->cost_ns / PAIR_SHARE_MAX;
    return since_ns >= clock->interval_ns && is_cheap;
}

static bool is_timers_period_unknown(const kt_clock *clock)
{
    return isnan(clock->info.period_ns) && (clock->info.timer || clock->info.reported_period_ns);
}

/* Adds the pair to the bounds of an unknown period. Bounds within TIMER_ERROR are final: they hold
 * for the mean period since the first pair, and the present period may drift from that. */
static void look_for_period(kt_clock *clock, const kt_clock_pair *pair)
{
    kt_clock_info info = clock->info;
    info.period_ns = info.reported_period_ns ? info.reported_period_ns : state_of(clock).period_ns;
    bool is_wanted =
        is_timers_period_unknown(clock) && kt_period_error(&clock->period) > TIMER_ERROR;
    if (is_wanted && !isnan(info.period_ns))
        kt_period_add(&clock->period, pair, info.valid_bits, (double)clock->step_ticks,
                      kt_ticks_wrap_ns(&info) / 2);
}

/* Takes a clock pair, with at most TRIES_MAX readings. Sets `taken` if one was useful. */
static kt_status take_pair(kt_clock *clock, bool *taken)
{
    *taken = false;
    kt_status status = KT_OK;
    int64_t begin_ns = now_ns(clock);
    for (int i = 0; i < TRIES_MAX && status == KT_OK && !*taken; i++) {
        kt_pairs_reading reading;
        kt_clock_info info = clock->info;
        if (isnan(info.period_ns))
            info.period_ns = state_of(clock).period_ns;
        status = kt_pairs_take(&clock->pairs, &info, &reading);
        clock->readings++;
        if (status != KT_OK || !reading.usable)
            continue;
        look_for_period(clock, &reading.pair);
        *taken = kt_calibration_add(&clock->calibration, &reading.pair) != KT_PAIR_AGAIN;
    }
    note_cost(clock, begin_ns);
    return status;
}

/* ---- First readings ---- */

static bool may_be_the_hosts(const kt_clock *clock)
{
    const kt_clock_info *info = &clock->info;
    bool says_so = info->period_ns == 1 && info->valid_bits == 64;
    bool says_nothing = isnan(info->period_ns) && isnan(info->frequency_hz) &&
                        info->valid_bits == 0 && !info->reported_period_ns && !info->timer;
    return kt_clocked_by_system(&clock->pairs.of) && (says_so || says_nothing);
}

/* True if there are `count` first readings; fewer suffice if they are slow, as on a busy device. */
static bool are_enough(const kt_clock *clock, const kt_first_readings *first, uint32_t count,
                       int64_t elapsed_ns)
{
    uint32_t least = may_be_the_hosts(clock) ? SEARCH_COUNT : SLOW_COUNT;
    bool slow = elapsed_ns >= OPENING_NS && first->count >= least;
    bool want_time =
        clock->readings < READINGS_MAX && kt_first_readings_want_time(first, elapsed_ns);
    return slow || (first->count >= count && !want_time);
}

static kt_status check_first(const kt_clock *clock, const kt_first_readings *first)
{
    const char *id = clock->pairs.of.name;
    if (first->count == 0)
        return kt_fail(KT_UNSUPPORTED,
                       "%s: not one of %llu empty commands had usable timestamps; the last was %s",
                       id, (unsigned long long)clock->readings,
                       kt_timestamp_state_name(clock->pairs.last_bad));
    if (!first->moves && first->count > 1)
        return kt_fail(KT_UNSUPPORTED,
                       "%s: its clock \"%s\" stands still: %llu readings all showed tick %llu", id,
                       clock->info.name, (unsigned long long)clock->readings,
                       (unsigned long long)first->last_ticks);
    return KT_OK;
}

static kt_status read_first(kt_clock *clock, uint32_t count, kt_first_readings *first)
{
    uint64_t tries_max = KT_FIRST_READINGS_MAX + 2 * (uint64_t)count;
    int64_t first_ns = now_ns(clock);
    while (!are_enough(clock, first, count, now_ns(clock) - first_ns)) {
        if (first->count < count && clock->readings >= tries_max)
            break;
        if (first->count >= count)
            sleep_for(clock, SLEEP_MIN_NS);
        kt_pairs_reading reading;
        int64_t begin_ns = now_ns(clock);
        kt_status status = kt_pairs_take(&clock->pairs, &clock->info, &reading);
        note_cost(clock, begin_ns);
        clock->readings++;
        if (status != KT_OK)
            return status;
        if (reading.usable)
            kt_first_readings_add(first, clock->info.valid_bits, &reading);
    }
    return check_first(clock, first);
}

/* Notes that the clock is the host clock `domain`, as reported or found. */
static void use_domain(kt_clock *clock, kt_host_domain domain)
{
    clock->is_host = strcmp(kt_host_domain_name(domain), kt_system_clock_name()) == 0;
    kt_pairs_use_domain(&clock->pairs, domain);
}

static void find_domain(kt_clock *clock, const kt_first_readings *first)
{
    kt_host_domain domain;
    double slack_ns = clock->step_ticks > 1 ? (double)clock->step_ticks : 0;
    if (!may_be_the_hosts(clock) || !kt_domain_search_end(&first->search, slack_ns, &domain))
        return;
    snprintf(clock->info.domain, sizeof clock->info.domain, "%s", kt_host_domain_name(domain));
    if (isnan(clock->info.period_ns)) { /* host clocks count ns with 64 bits */
        clock->info.period_ns = 1;
        clock->info.valid_bits = 64;
        clock->counts_ns = true;
    }
    clock->info.relation_source = clock->pairs.kind == KT_PAIRS_API
                                      ? KT_SOURCE_CALIBRATED_TIMESTAMPS
                                      : KT_SOURCE_BRACKETED_SUBMISSIONS;
    use_domain(clock, domain);
}

/* ---- Opening ---- */

static kt_status no_period(const kt_clock *clock)
{
    kt_clock_state state = state_of(clock);
    return kt_fail(KT_NOT_READY,
                   "%s: how long a tick of its clock \"%s\" is could not be found from %llu "
                   "calibrated timestamps, "
                   "the narrowest of which is %.3g ns wide",
                   clock->pairs.of.name, clock->info.name, (unsigned long long)state.pairs,
                   state.narrowest_ns);
}

/* True if the clock is known well enough, or if elapsed_ns is too long to go on. */
static bool is_settled(const kt_clock *clock, uint32_t pairs, int64_t elapsed_ns)
{
    kt_clock_state state = state_of(clock);
    if (state.pairs < pairs && elapsed_ns < OPENING_NS)
        return false;
    if (!isnan(clock->info.period_ns))
        return true;
    if (isnan(state.period_ns))
        return elapsed_ns >= PERIOD_NS;
    if (is_timers_period_unknown(clock))
        return elapsed_ns >= TIMER_PRECISE_NS || kt_period_error(&clock->period) <= TIMER_ERROR;
    return state.period_exact || elapsed_ns >= PRECISE_NS ||
           state.period_uncertainty_ns <= PERIOD_ERROR * state.period_ns;
}

/* Takes `pairs` clock pairs. If the period is not reported, adds pairs at growing intervals. */
static kt_status settle(kt_clock *clock, uint32_t pairs)
{
    int64_t begin_ns = now_ns(clock), sleep_ns = SLEEP_MIN_NS;
    bool taken = true;
    kt_status status = KT_OK;
    while (status == KT_OK && clock->readings < READINGS_MAX + (uint64_t)pairs &&
           !is_settled(clock, pairs, now_ns(clock) - begin_ns)) {
        if (!taken || state_of(clock).pairs >= pairs) {
            sleep_for(clock, sleep_ns);
            sleep_ns = sleep_ns < SLEEP_MAX_NS ? 2 * sleep_ns : SLEEP_MAX_NS;
        }
        status = take_pair(clock, &taken);
    }
    if (status == KT_OK && isnan(state_of(clock).period_ns))
        status = no_period(clock);
    return status;
}

static kt_status calibrate(kt_clock *clock, const kt_first_readings *first, uint32_t pairs)
{
    /* Pairs of the host alone have the resolution of the host clock, not of the device clock. */
    bool from_host = clock->pairs.kind == KT_PAIRS_HOST;
    double step_ticks =
        from_host ? kt_host_step_ns(clock->pairs.domain) : (double)clock->step_ticks;
    const kt_calibration_rule rule = {.period_ns = clock->info.period_ns,
                                      .valid_bits = clock->info.valid_bits,
                                      .step_ticks = step_ticks,
                                      .host_step_ns = (double)kt_first_readings_host_step(first)};
    kt_calibration_init(&clock->calibration, &rule);
    uint32_t count = from_host ? 0 : first->count < pairs ? first->count : pairs;
    if (is_timers_period_unknown(clock))
        count /= 2; /* the first clock pairs of a cold driver are poor */
    for (uint32_t i = first->count - count; i < first->count; i++)
        kt_calibration_add(&clock->calibration, &first->pairs[i]);
    for (uint32_t i = 0; i < first->count; i++)
        look_for_period(clock, &first->pairs[i]);
    return settle(clock, pairs);
}

/* Rounds up to three digits, so that an uncertainty does not look more exact than it is. */
static double round_up(double value)
{
    if (!(value > 0) || isinf(value))
        return value;
    double digits = floor(log10(value)) - 2, unit = pow(10, fabs(digits));
    return digits < 0 ? ceil(value * unit) / unit : ceil(value / unit) * unit;
}

/* Uncertainty of the period: that of the bounds, or that of the estimate plus its shift into the
 * bounds. */
static double found_within_ns(const kt_clock *clock, const kt_clock_state *state, double period_ns)
{
    double error = kt_period_error(&clock->period);
    if (error <= TIMER_ERROR)
        return error * period_ns;
    return state->period_uncertainty_ns + fabs(period_ns - state->period_ns);
}

/* Writes the period of this clock and of all clocks with the same timer. */
static void publish_period(const kt_clock *clock, const kt_clock_state *state)
{
    uint32_t index = clock->pairs.index;
    kt_clock_info *clocks = clock->pairs.of.infos;
    double period_ns = kt_period_within(&clock->period, state->period_ns, TIMER_ERROR);
    double off_ns = found_within_ns(clock, state, period_ns);
    if (isnan(period_ns)) /* the period is searched again: keep the known one */
        return;
    if (clock->counts_ns) {
        period_ns = 1;
        off_ns = 0;
    }
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        if (i != index && !kt_is_same_timer(&clocks[index], &clocks[i]))
            continue;
        clocks[i].period_ns = period_ns;
        clocks[i].period_uncertainty_ns = round_up(off_ns);
        clocks[i].period_source = state->source;
    }
}

/* The first observed wrap may have been several at once, so the width is only corrected
 * downwards. */
static void publish_width(kt_clock_info *info, const kt_clock_state *state)
{
    if (state->valid_bits && (info->valid_bits == 0 || state->valid_bits < info->valid_bits)) {
        info->valid_bits = state->valid_bits;
        info->valid_bits_min = 0;
    } else if (info->valid_bits == 0 && info->valid_bits_min < state->valid_bits_min) {
        info->valid_bits_min = state->valid_bits_min; /* another open clock may know more bits */
    }
}

/* Writes the calibration results into the kt_clock_info entries of the owner. */
static void publish(const kt_clock *clock)
{
    const kt_clocked *of = &clock->pairs.of;
    kt_clock_info *info = &of->infos[clock->pairs.index];
    kt_clock_state state;
    kt_clock_get_state(clock, &state);
    kt_mutex_lock(of->mutex);
    of->steps[clock->pairs.index] = clock->step_ticks;
    if (isnan(clock->info.period_ns) || clock->counts_ns)
        publish_period(clock, &state);
    publish_width(info, &state);
    if (!clock->is_host || info->relation_source != KT_SOURCE_REPORTED)
        info->uncertainty_ns = round_up(state.uncertainty_ns);
    if (info->relation_source != KT_SOURCE_REPORTED) {
        memcpy(info->domain, clock->info.domain, sizeof info->domain);
        info->relation_source = state.source;
    }
    bool surely = state.period_uncertainty_ns <= DRIFT_ERROR * state.period_ns;
    if (info->period_source == KT_SOURCE_REPORTED && surely)
        info->drift_ppm =
            round((info->period_ns / state.period_ns - 1) * 1e8) / 100 + 0.0; /* + 0.0: no -0 */
    kt_mutex_unlock(of->mutex);
}

static void learn_known(kt_clock *clock)
{
    const kt_clocked *of = &clock->pairs.of;
    kt_mutex_lock(of->mutex);
    clock->info = of->infos[clock->pairs.index];
    clock->step_ticks = of->steps[clock->pairs.index];
    kt_mutex_unlock(of->mutex);
}

static kt_status begin(kt_clock *clock, uint32_t pairs, void *job_state, int64_t timeout_ns)
{
    const kt_clocked of = clock->pairs.of;
    kt_first_readings first = {0};
    kt_host_domain domain;
    learn_known(clock);
    kt_status status = of.device ? kt_device_check(of.device) : KT_OK;
    bool known = may_be_the_hosts(clock) && kt_host_domain_find(clock->info.domain, &domain);
    if (status != KT_OK)
        return status;
    if (known) {
        use_domain(clock, domain);
    } else {
        status = kt_pairs_init(&clock->pairs, &of, clock->pairs.index, job_state, timeout_ns);
        uint32_t count = pairs > KT_FIRST_READINGS_MAX ? KT_FIRST_READINGS_MAX : pairs;
        if (may_be_the_hosts(clock) && count < SEARCH_COUNT)
            count = SEARCH_COUNT;
        if (status == KT_OK)
            status = read_first(clock, count, &first);
        if (status == KT_OK)
            clock->step_ticks = kt_first_readings_step(
                &first, clock->info.valid_bits,
                of.device ? kt_device_reported_step(of.device, clock->pairs.index) : 0);
        if (status == KT_OK)
            find_domain(clock, &first);
    }
    if (clock->step_ticks == 0)
        clock->step_ticks = 1;
    clock->pairs.step_ticks = clock->step_ticks;
    if (status == KT_OK && !clock->is_host)
        status = calibrate(clock, &first, pairs);
    if (status == KT_OK)
        publish(clock);
    return status;
}

kt_status kt_clock_open_alone(const kt_clocked *of, uint32_t index, const kt_clock_options *options,
                              void *job_state, int64_t timeout_ns, kt_clock **out)
{
    const kt_clock_info *info = &of->infos[index]; /* needs no lock: name and method never change */
    if (kt_method_is_elapsed_only(info->method))
        return kt_fail(
            KT_UNSUPPORTED,
            "%s: its clock \"%s\" tells how far two events are apart, and not when they were",
            of->name, info->name);
    if (!kt_clock_has_place(info))
        return kt_fail(
            KT_UNSUPPORTED,
            "%s: its clock \"%s\" stands still while the device works for others, so its "
            "timestamps lie nowhere on the host's time line",
            of->name, info->name);
    kt_clock *clock = kt_alloc(1, sizeof *clock);
    if (!clock)
        return KT_NO_MEMORY;
    clock->pairs.of = *of;
    clock->pairs.index = index;
    clock->has_interval = options->interval_ns != 0;
    clock->interval_ns = clock->has_interval ? options->interval_ns : KT_CLOCK_INTERVAL_DEFAULT_NS;
    uint32_t pairs = options->pairs ? options->pairs : KT_CLOCK_PAIRS_DEFAULT;
    kt_status status = begin(clock, pairs, job_state, timeout_ns);
    if (status == KT_OK)
        *out = clock;
    else
        kt_clock_close(&clock);
    return status;
}

/* ---- Public functions ---- */

void kt_clock_close(kt_clock **clock)
{
    if (!clock || !*clock)
        return;
    kt_pairs_fini(&(*clock)->pairs);
    kt_free(*clock);
    *clock = NULL;
}

static kt_status take_pair_in_time(kt_clock *clock, bool *taken)
{
    *taken = false;
    return clock->is_host || !is_time_for_a_pair(clock) ? KT_OK : take_pair(clock, taken);
}

kt_status kt_clock_update(kt_clock *clock)
{
    KT_NEED(clock);
    bool taken;
    return take_pair_in_time(clock, &taken);
}

kt_status kt_clock_update_infos(kt_clock *clock)
{
    bool taken;
    kt_status status = take_pair_in_time(clock, &taken);
    if (taken)
        publish(clock);
    return status;
}

kt_status kt_clock_renew(kt_clock *clock)
{
    bool taken;
    kt_status status = KT_OK;
    if (clock->is_host)
        return KT_OK;
    for (int n = 0; n < RENEWING_PAIRS && status == KT_OK; n++)
        status = take_pair(clock, &taken);
    if (status == KT_OK)
        publish(clock);
    return status;
}

/* Uncertainty from the clock resolution that the pairs do not show. Calibrated timestamps and
 * bracketed submissions show it; pairs of the host alone do not. */
static double unseen_step_ns(const kt_clock *clock)
{
    bool seen = clock->pairs.kind != KT_PAIRS_HOST || (!clock->is_host && clock->step_ticks == 1);
    return seen ? 0 : (double)clock->step_ticks * clock->info.period_ns;
}

kt_status kt_clock_to_host(const kt_clock *clock, uint64_t ticks, int64_t *host_ns,
                           double *uncertainty_ns)
{
    KT_NEED(clock);
    KT_NEED(host_ns);
    double off_ns = 0;
    if (clock->is_host)
        *host_ns = (int64_t)ticks;
    else if (!kt_calibration_place(&clock->calibration, ticks, host_ns, &off_ns))
        return kt_fail(KT_NOT_READY, "%s: the period of its clock \"%s\" is not known yet",
                       clock->pairs.of.name, clock->info.name);
    if (uncertainty_ns)
        *uncertainty_ns = off_ns + unseen_step_ns(clock);
    return KT_OK;
}

void kt_clock_get_state(const kt_clock *clock, kt_clock_state *out)
{
    if (!clock || !out)
        return;
    if (clock->is_host) {
        int64_t here_ns = now_ns(clock);
        *out = (kt_clock_state){.period_ns = clock->info.period_ns,
                                .period_exact = 1,
                                .ticks = (uint64_t)here_ns,
                                .host_ns = here_ns,
                                .valid_bits = clock->info.valid_bits,
                                .valid_bits_min = clock->info.valid_bits,
                                .narrowest_ns = NAN};
    } else {
        kt_calibration_get_state(&clock->calibration, out);
    }
    out->uncertainty_ns += unseen_step_ns(clock);
    out->source = clock->pairs.kind == KT_PAIRS_API        ? KT_SOURCE_CALIBRATED_TIMESTAMPS
                  : clock->pairs.kind == KT_PAIRS_COMMANDS ? KT_SOURCE_BRACKETED_SUBMISSIONS
                                                           : clock->info.relation_source;
}
