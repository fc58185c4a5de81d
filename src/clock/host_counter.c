/* SPDX-License-Identifier: MIT */
/*
 * host_counter.c - when the CPU's counter is used as a clock, and when no longer.
 *
 * Fit is a counter with one rate (invariant TSC) whose cores are in step. The kernel compares cores
 * when it starts and goes on to watch the counter, but only if the counter is its own clock source.
 * Virtual machines prefer kvm-clock or Hyper-V's page, which are made of the same counter. There
 * the cores are compared before the counter is used. A kernel that does not even list the counter
 * has found it unstable.
 *
 * A suspended machine and a virtual machine that moved to another host show a counter that jumped
 * or that has another rate. The durations of such a counter would be wrong, so it is given up.
 */
#include "clock/host_counter.h"

#include "support/common_divisor.h"
#include "support/same_text.h"

#include <kerntime/result.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define START_NS    INT64_C(200000) /* duration of the first pairs */
#define START_PAIRS 4096            /* most of them, even if the host clock stands still */
#define STEP_PAIRS  64              /* first pairs, which show the resolution of both clocks */
#define EARLY_SHARE 8 /* a pair is due after this part of the time since the first pair, ... */
#define INTERVAL_NS KT_CLOCK_INTERVAL_DEFAULT_NS /* ... and at the latest after this time */
#define TRIES_MAX   12 /* pairs in a row, if they are doubtful; more than a calibration suspects */

#define OTHER_RATE  20e-6 /* no oscillator wanders by more while it runs: it is another clock */
#define RATE_NS     INT64_C(100000000)  /* least time over which a rate is looked at */
#define READING_MAX (UINT64_C(1) << 62) /* more would take a counter of 2 GHz 73 years */

/* ---- fitness ---- */

static bool is_asked(const kt_counter_facts *facts, const char *value)
{
    return facts->asked && kt_same_text(facts->asked, value);
}

bool kt_counter_is_forced(const kt_counter_facts *facts)
{
    return is_asked(facts, "tsc");
}

/* Appends to the reason. */
static void add_reason(char reason[KT_COUNTER_REASON_BYTES], const char *text)
{
    size_t length = strlen(reason);
    snprintf(reason + length, KT_COUNTER_REASON_BYTES - length, "%s", text);
}

static kt_counter_fitness judge_facts(const kt_counter_facts *facts, char *text, size_t bytes)
{
    if (is_asked(facts, "os")) {
        snprintf(text, bytes, "KERNTIME_CLOCK is os");
        return KT_COUNTER_UNFIT;
    }
    if (!facts->name) {
        snprintf(text, bytes, "there is no counter that kerntime can read here");
        return KT_COUNTER_UNFIT;
    }
    if (kt_counter_is_forced(facts)) {
        snprintf(text, bytes, "KERNTIME_CLOCK is tsc");
        return KT_COUNTER_FIT;
    }
    if (!facts->invariant) {
        snprintf(text, bytes, "the CPU does not report an invariant %s", facts->name);
        return KT_COUNTER_UNFIT;
    }
    if (kt_same_text(facts->kernel_source, facts->kernel_name)) {
        snprintf(text, bytes, "invariant, and clock source of the kernel");
        return KT_COUNTER_FIT;
    }
    if (!facts->kernel_source[0]) {
        snprintf(text, bytes, "invariant; the kernel's clock source is unknown");
        return KT_COUNTER_FIT_IF_IN_STEP;
    }
    if (!facts->offered) {
        snprintf(text, bytes, "Linux uses %s and does not offer %s, which it found unstable",
                 facts->kernel_source, facts->kernel_name);
        return KT_COUNTER_UNFIT;
    }
    snprintf(text, bytes, "invariant; the kernel uses %s and offers %s", facts->kernel_source,
             facts->kernel_name);
    return KT_COUNTER_FIT_IF_IN_STEP;
}

kt_counter_fitness kt_counter_judge(const kt_counter_facts *facts,
                                    char reason[KT_COUNTER_REASON_BYTES])
{
    char text[KT_COUNTER_REASON_BYTES / 2];
    reason[0] = '\0';
    if (facts->asked && !kt_counter_is_forced(facts) && !is_asked(facts, "os"))
        snprintf(reason, KT_COUNTER_REASON_BYTES, "KERNTIME_CLOCK is %.24s, not tsc or os; ",
                 facts->asked);
    kt_counter_fitness fitness = judge_facts(facts, text, sizeof text);
    add_reason(reason, text);
    return fitness;
}

bool kt_counter_judge_cores(const kt_core_agreement *cores, bool all_needed,
                            char reason[KT_COUNTER_REASON_BYTES])
{
    char text[64];
    if (!cores->in_step) {
        add_reason(reason, "; the cores are out of step");
        return false;
    }
    if (!all_needed || (cores->cores > 0 && cores->checked == cores->cores))
        return true;
    if (cores->cores > 0)
        snprintf(text, sizeof text, "; only %u of %u cores could be compared", cores->checked,
                 cores->cores);
    else
        snprintf(text, sizeof text, "; the usable cores are unknown");
    add_reason(reason, text);
    return false;
}

/* ---- following ---- */

static double width_ns(const kt_clock_pair *pair)
{
    return (double)(pair->host_after_ns - pair->host_before_ns);
}

static double ticks_since(const kt_clock_pair *from, const kt_clock_pair *to)
{
    return (double)(int64_t)(to->ticks - from->ticks);
}

/* Host time from the middle of one pair to that of another. */
static double between_ns(const kt_clock_pair *from, const kt_clock_pair *to)
{
    return (double)(to->host_before_ns - from->host_before_ns) +
           (width_ns(to) - width_ns(from)) / 2;
}

/* A step that nobody reported may be found later. */
static double step_ticks(const kt_host_counter *counter)
{
    return fmax(counter->calibration.rule.step_ticks, counter->calibration.seen.ticks);
}

double kt_host_counter_step_ns(const kt_host_counter *counter)
{
    return step_ticks(counter) * counter->period_ns;
}

void kt_host_counter_give_up(kt_host_counter *counter, const char *reason)
{
    counter->lost = true;
    snprintf(counter->reason, sizeof counter->reason, "%s", reason);
}

static void lose(kt_host_counter *counter, const char *what, const char *change)
{
    counter->lost = true;
    snprintf(counter->reason, sizeof counter->reason,
             "%s by %s against the system's clock: the machine was suspended, or it is virtual and "
             "was moved",
             what, change);
}

/* A period between two pairs. The truth is within `bound_ns`, wherever in their brackets the
 * counter was read. */
typedef struct bounded_period {
    double ns, bound_ns;
} bounded_period;

static bounded_period period_between(const kt_host_counter *counter, const kt_clock_pair *from,
                                     const kt_clock_pair *to)
{
    double ticks = ticks_since(from, to), ns = between_ns(from, to) / ticks;
    double bound_ns = (width_ns(from) + width_ns(to)) / 2 + 1;
    return (bounded_period){ns, (bound_ns + ns * step_ticks(counter)) / ticks};
}

static void lose_by_jump(kt_host_counter *counter, const kt_clock_pair *pair)
{
    char change[32], ns[24];
    double jump_ns =
        ticks_since(&counter->base, pair) * counter->period_ns - between_ns(&counter->base, pair);
    snprintf(change, sizeof change, "%c%s", jump_ns < 0 ? '-' : '+',
             kt_format_ns(ns, sizeof ns, fabs(jump_ns)));
    lose(counter, "the counter moved", change);
}

/* The counter had this period for a while. */
static void remember(kt_host_counter *counter, bounded_period period)
{
    counter->least_ns = fmin(counter->least_ns, period.ns + period.bound_ns);
    counter->most_ns = fmax(counter->most_ns, period.ns - period.bound_ns);
}

/* Looks at the rate since a while ago, and gives the counter up if no oscillator wanders that far
 * from the mean before that. */
static void look_at_rate(kt_host_counter *counter, const kt_clock_pair *pair)
{
    if (pair->host_before_ns - counter->recent.host_before_ns < RATE_NS)
        return;
    bounded_period now = period_between(counter, &counter->recent, pair);
    bounded_period was = {counter->period_ns, counter->bound_ns};
    counter->recent = *pair;
    remember(counter, now);
    double surely_ns = fabs(now.ns - was.ns) - now.bound_ns - was.bound_ns;
    if (surely_ns <= OTHER_RATE * was.ns)
        return;
    char change[32];
    snprintf(change, sizeof change, "%+.3g ppm", (was.ns / now.ns - 1) * 1e6);
    lose(counter, "the rate of the counter changed", change);
}

/* Mean period since the base. Its uncertainty covers a duration at any time since. It includes how
 * far the rate was from the mean, as earlier means, the tracked rate and looks at it have shown. */
static void renew_period(kt_host_counter *counter, const kt_clock_pair *pair)
{
    kt_clock_state state;
    if (!(ticks_since(&counter->base, pair) > 0))
        return;
    if (counter->begun)
        look_at_rate(counter, pair);
    if (counter->lost)
        return;
    bounded_period mean = period_between(counter, &counter->base, pair);
    remember(counter, mean);
    kt_calibration_get_state(&counter->calibration, &state);
    double tracked_ns = OTHER_RATE * mean.ns;
    if (!isnan(state.period_ns)) {
        if (between_ns(&counter->base, pair) >= RATE_NS)
            remember(counter, (bounded_period){state.period_ns, state.period_uncertainty_ns});
        tracked_ns =
            fmin(tracked_ns, fabs(state.period_ns - mean.ns) + state.period_uncertainty_ns);
    }
    double wander_ns = fmax(0, fmax(counter->most_ns - mean.ns, mean.ns - counter->least_ns));
    counter->period_ns = mean.ns;
    counter->bound_ns = mean.bound_ns;
    counter->period_uncertainty_ns = fmax(mean.bound_ns, tracked_ns) + wander_ns;
}

static void take(kt_host_counter *counter, const kt_clock_pair *pair)
{
    int64_t so_far_ns = pair->host_after_ns - counter->base.host_before_ns;
    int64_t wait_ns = so_far_ns / EARLY_SHARE;
    counter->next_ns = pair->host_after_ns + (wait_ns < INTERVAL_NS ? wait_ns : INTERVAL_NS);
    renew_period(counter, pair);
}

static bool fail_to_begin(kt_host_counter *counter, const char *reason)
{
    kt_host_counter_give_up(counter, reason);
    return false;
}

/* A coarse clock shows the past: a bracket ends up to a step later than it says. */
static void widen(const kt_host_counter *counter, kt_clock_pair *pair)
{
    pair->host_after_ns += counter->host_step_ns - 1;
}

static bool read_pair(const kt_host_counter *counter, kt_clock_pair *out)
{
    if (!counter->read(counter->user, out))
        return false;
    widen(counter, out);
    return true;
}

/* Finds the resolutions of both clocks: greatest common divisors of distances of readings. */
static void find_steps(kt_host_counter *counter, const kt_clock_pair *pairs, int count)
{
    uint64_t ticks = 0, ns = 0;
    for (int i = 1; i < count; i++) {
        ticks = kt_common_divisor(pairs[i].ticks - pairs[0].ticks, ticks);
        ns = kt_common_divisor((uint64_t)(pairs[i].host_before_ns - pairs[0].host_before_ns), ns);
        ns = kt_common_divisor((uint64_t)(pairs[i].host_after_ns - pairs[i].host_before_ns), ns);
    }
    const kt_calibration_rule rule = {
        .period_ns = NAN, .valid_bits = 64, .step_ticks = ticks ? (double)ticks : 1};
    kt_calibration_init(&counter->calibration, &rule);
    counter->host_step_ns = ns ? (int64_t)ns : 1;
}

/* Adds one of the first pairs. The narrowest of the first half becomes the base. */
static void add_first(kt_host_counter *counter, const kt_clock_pair *pair, int64_t elapsed_ns)
{
    if (kt_calibration_add(&counter->calibration, pair) != KT_PAIR_TAKEN)
        return;
    if (elapsed_ns < START_NS / 2 && width_ns(pair) < width_ns(&counter->base))
        counter->base = *pair;
    else
        take(counter, pair);
}

bool kt_host_counter_begin(kt_host_counter *counter, kt_counter_pair_reader *read, void *user)
{
    kt_clock_pair pairs[STEP_PAIRS], pair;
    int count = 0;
    *counter = (kt_host_counter){.read = read,
                                 .user = user,
                                 .host_step_ns = 1,
                                 .least_ns = INFINITY,
                                 .most_ns = -INFINITY,
                                 .period_ns = NAN};
    for (int i = 0; i < STEP_PAIRS; i++)
        count += read(user, &pairs[count]);
    if (count < STEP_PAIRS / 2)
        return fail_to_begin(counter, "the counter could not be read with the system's clock");
    if (pairs[0].ticks >= READING_MAX)
        return fail_to_begin(counter, "the counter reads 2^62 or more");
    find_steps(counter, pairs, count);
    int64_t begin_ns = pairs[0].host_before_ns, elapsed_ns = 0;
    for (int i = 0; i < START_PAIRS && elapsed_ns < START_NS; i++) {
        bool stored = i < count;
        if (stored) {
            pair = pairs[i];
            widen(counter, &pair);
        } else if (!read_pair(counter, &pair)) {
            continue;
        }
        if (i == 0)
            counter->base = pair;
        elapsed_ns = pair.host_before_ns - begin_ns;
        add_first(counter, &pair, elapsed_ns);
    }
    if (!(counter->period_ns > 0) || elapsed_ns < START_NS)
        return fail_to_begin(counter, "the counter showed no period in its first readings");
    counter->begun = true;
    counter->recent = counter->base;
    return true;
}

void kt_host_counter_follow(kt_host_counter *counter)
{
    kt_clock_pair pair;
    for (int i = 0; i < TRIES_MAX && !counter->lost; i++) {
        if (!read_pair(counter, &pair))
            continue;
        kt_pair_outcome outcome = kt_calibration_add(&counter->calibration, &pair);
        if (outcome == KT_PAIR_TAKEN) {
            take(counter, &pair);
            return;
        }
        if (outcome == KT_PAIR_RESET)
            lose_by_jump(counter, &pair);
    }
}

bool kt_host_counter_place(const kt_host_counter *counter, uint64_t ticks, int64_t *host_ns,
                           double *uncertainty_ns)
{
    return !counter->lost &&
           kt_calibration_place(&counter->calibration, ticks, host_ns, uncertainty_ns);
}
