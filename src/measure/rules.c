/* SPDX-License-Identifier: MIT */
#include "measure/rules.h"

#include "statistics/interval.h"

#include <math.h>
#include <string.h>

/* Median of at most a third of the blocks of a warm-up. */
static double median(const double *values, uint32_t count)
{
    double sorted[KT_WARMUP_BLOCKS / 3];
    memcpy(sorted, values, count * sizeof *sorted);
    kt_sort(sorted, count);
    return kt_median(sorted, count);
}

/* ---- Warm-up ---- */

/* Shortest warm-up: GPUs and CPUs raise their clocks only after some tens of ms of work, so times
 * can be steady at a low clock before. A measurement spends at most 1 / TIME_MIN_SHARE of its time
 * limit on it. */
#define TIME_MIN_NS    INT64_C(20000000)
#define TIME_MIN_SHARE 100
/* Longest warm-up: times that are not steady by then drift, which the samples will show. */
#define TIME_MAX_NS    INT64_C(5000000000)
#define TIME_MAX_SHARE 4
#define ROUNDS_MAX     100000 /* most rounds, in case the host clock stands still */

#define ROUNDS_MIN 15 /* least rounds before a look at the times */
#define ROUNDS_FEW 12 /* least rounds that can show steady times at all */
#define BLOCKS_MIN 12 /* least blocks for a look: 9 merged blocks show no more than the 18 before */
#define THIRD_MAX  (KT_WARMUP_BLOCKS / 3)

/* Twice the largest U that a random order of two groups of that many blocks stays at or below in at
 * most 5 % of cases (5.7 % for 4). The other tail is symmetrical. */
static const uint32_t twice_u_moving[THIRD_MAX + 1] = {[3] = 0, [4] = 4, [5] = 8, [6] = 14};

kt_warmup kt_warmup_rule(double rel_err, int64_t max_time_ns)
{
    int64_t least_ns = max_time_ns / TIME_MIN_SHARE, most_ns = max_time_ns / TIME_MAX_SHARE;
    return (kt_warmup){.rel_err = rel_err,
                       .time_min_ns = least_ns < TIME_MIN_NS ? least_ns : TIME_MIN_NS,
                       .time_max_ns = most_ns < TIME_MAX_NS ? most_ns : TIME_MAX_NS};
}

static void merge(kt_warmup *rule)
{
    rule->block_count /= 2;
    for (uint32_t i = 0; i < rule->block_count; i++)
        rule->block_ns[i] = rule->block_ns[2 * i] + rule->block_ns[2 * i + 1];
    rule->merges++;
}

static void add_to_block(kt_warmup *rule, double round_ns)
{
    if (rule->in_block == 0 && rule->block_count == KT_WARMUP_BLOCKS)
        merge(rule);
    double *block_ns = &rule->block_ns[rule->block_count];
    *block_ns = rule->in_block ? *block_ns + round_ns : round_ns;
    if (++rule->in_block < UINT32_C(1) << rule->merges)
        return;
    rule->in_block = 0;
    rule->block_count++;
}

/* Twice the U of Mann and Whitney: pairs in which `late` is larger; equal pairs count half. */
static uint32_t count_twice_u(const double *early, const double *late, uint32_t count)
{
    uint32_t twice_u = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            twice_u += late[i] > early[k] ? 2 : late[i] == early[k];
    return twice_u;
}

static bool is_steady(const kt_warmup *rule)
{
    uint32_t count = rule->block_count / 3;
    const double *late = &rule->block_ns[rule->block_count - count], *early = late - count;
    uint32_t twice_u = count_twice_u(early, late, count), most = 2 * count * count;
    if (twice_u > twice_u_moving[count] && twice_u < most - twice_u_moving[count])
        return true;
    double before = median(early, count);
    return fabs(median(late, count) - before) <= rule->rel_err / 2 * before;
}

/* True after every three blocks. A look at every round would end at the first quiet moment. */
static bool is_worth_a_look(const kt_warmup *rule, int64_t elapsed_ns)
{
    return elapsed_ns >= rule->time_min_ns && rule->in_block == 0 && rule->block_count % 3 == 0 &&
           rule->block_count >= BLOCKS_MIN && rule->rounds >= ROUNDS_MIN;
}

kt_warmup_end kt_warmup_add(kt_warmup *rule, double round_ns, int64_t elapsed_ns)
{
    add_to_block(rule, round_ns);
    rule->rounds++;
    if (is_worth_a_look(rule, elapsed_ns) && is_steady(rule))
        return KT_WARMUP_STEADY;
    if (elapsed_ns + elapsed_ns / rule->rounds <= rule->time_max_ns && rule->rounds < ROUNDS_MAX)
        return KT_WARMUP_NONE;
    if (rule->rounds < ROUNDS_FEW)
        return KT_WARMUP_SHORT;
    return is_steady(rule) ? KT_WARMUP_STEADY : KT_WARMUP_MOVING;
}

/* ---- Trials ---- */

#define STEPS_MIN     10 /* least span of a step in clock resolutions */
#define MIN_SPANS_MIN 10

kt_trials kt_trials_rule(double resolution_ns, double min_span_ns, double rel_err, double budget_ns,
                         uint32_t most)
{
    kt_trials rule = {.resolution_ns = resolution_ns,
                      .budget_ns = budget_ns,
                      .most = most && most < KT_TRIALS_MOST ? most : KT_TRIALS_MOST};
    if (resolution_ns > 0 &&
        !(min_span_ns >= STEPS_MIN * resolution_ns)) /* min_span_ns NAN: the clock never moved */
        rule.wanted_ns =
            fmax(resolution_ns * fmax(STEPS_MIN, 1 / rel_err), MIN_SPANS_MIN * min_span_ns);
    return rule;
}

void kt_trials_add(kt_trials *rule, double shortest_ns, double wall_ns)
{
    if (rule->count == KT_TRIALS_LOOKS) {
        rule->count--;
        memmove(rule->shortest_ns, rule->shortest_ns + 1, rule->count * sizeof(double));
        memmove(rule->wall_ns, rule->wall_ns + 1, rule->count * sizeof(double));
    }
    rule->shortest_ns[rule->count] = shortest_ns;
    rule->wall_ns[rule->count++] = wall_ns;
}

/* Numbers of trials are powers of two, so that runs that differ a little use the same number. */
static double power_above(double value)
{
    double power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static double power_below(double value)
{
    double power = 1;
    while (2 * power <= value)
        power *= 2;
    return power;
}

/* Most trials within the time budget of a submission. With more trials each one takes less, since
 * they share the cost of a submission, so a later call may allow more. */
static double allowed(const kt_trials *rule, uint32_t trials, double wall_ns)
{
    if (!(wall_ns <= rule->budget_ns))
        return 0;
    double times = wall_ns > 0 ? fmin(rule->budget_ns / wall_ns, KT_TRIALS_MOST) : KT_TRIALS_MOST;
    return fmin(trials * power_below(times), rule->most);
}

uint32_t kt_trials_next(kt_trials *rule, uint32_t trials)
{
    if (rule->wanted_ns == 0 || rule->count == 0)
        return trials;
    double span_ns = median(rule->shortest_ns, rule->count);
    double most = allowed(rule, trials, median(rule->wall_ns, rule->count));
    rule->count = 0;
    if (span_ns >= rule->wanted_ns || most <= trials)
        return trials;
    /* The true span is less than one resolution longer. So the number also grows after a
     * span of 0. */
    double needed = power_above(trials * rule->wanted_ns / (span_ns + rule->resolution_ns));
    return (uint32_t)fmin(most, fmax(needed, 2.0 * trials));
}

/* ---- Stopping ---- */

kt_window_verdict kt_throttling_judge(kt_throttling *rule, uint32_t reasons, double clock_mhz)
{
    reasons &= KT_THROTTLE_MASK;
    bool fewer = rule->any && (reasons & rule->reasons) == reasons && reasons != rule->reasons;
    bool more = rule->any && (reasons & ~rule->reasons) != 0;
    bool higher = rule->any && clock_mhz * (1 - KT_CLOCK_SHARE_MAX) > rule->lowest_mhz;
    bool lower = rule->any && clock_mhz < rule->highest_mhz * (1 - KT_CLOCK_SHARE_MAX);
    if (more || (lower && !fewer))
        return KT_WINDOW_LEAVE_OUT;
    kt_window_verdict verdict = fewer || higher ? KT_WINDOW_BETTER : KT_WINDOW_KEEP;
    bool more_of_it = rule->any && verdict == KT_WINDOW_KEEP;
    rule->lowest_mhz = more_of_it ? fmin(rule->lowest_mhz, clock_mhz) : clock_mhz;
    rule->highest_mhz = more_of_it ? fmax(rule->highest_mhz, clock_mhz) : clock_mhz;
    rule->reasons = reasons;
    rule->any = true;
    return verdict;
}

void kt_stopping_forget(kt_stopping *rule)
{
    rule->next_look = 0;
    rule->latest = rule->before = (kt_look){0};
}

bool kt_stopping_looks(kt_stopping *rule, uint32_t samples)
{
    if (samples < KT_FIRST_LOOK || samples < rule->samples_min || samples < rule->next_look ||
        samples >= rule->samples_max)
        return false;
    rule->next_look = samples + (samples + 1) / 2;
    rule->before = rule->latest;
    rule->latest = (kt_look){.enough = true, .limited = true, .worth = true};
    return true;
}

/* Width of a 96 % confidence interval over that of a 95 % interval, normal distribution: 2.0537 /
 * 1.9600. Stopping prefers intervals that are narrow by luck, so a wider one is required. */
#define WIDER 1.048

#define WORTH_MIN 20

/* If two clusters have nearly half of the samples each, chance decides which one has the median. So
 * the share must be three standard deviations away from one half. */
static bool clusters_are_settled(const kt_summary *summary)
{
    double from_half = summary->cluster_high_share - 0.5;
    return !(summary->warnings & KT_WARNING_BIMODAL) ||
           from_half * from_half > 9 * 0.25 * summary->inflation / (double)summary->n;
}

void kt_stopping_add(kt_stopping *rule, const kt_summary *summary)
{
    kt_look *look = &rule->latest;
    double width = summary->ci95_high - summary->ci95_low;
    bool enough =
        WIDER * width / 2 <= rule->rel_err * summary->median && clusters_are_settled(summary);
    bool limited = summary->resolution > 0 &&
                   kt_resolution_rules(summary->ci95_low, summary->ci95_high, summary->resolution);
    if (!enough)
        look->enough = false;
    if (!enough && !limited)
        look->limited = false;
    if (!((double)summary->n >= WORTH_MIN * summary->inflation))
        look->worth = false;
}

kt_stop kt_stopping_check(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    if (samples >= rule->samples_max)
        return KT_STOP_MAX_SAMPLES;
    if (samples < rule->samples_min)
        return KT_STOP_NONE;
    if (rule->before.enough && rule->latest.enough && rule->latest.worth)
        return KT_STOP_REL_ERR;
    if (rule->before.limited && rule->latest.limited && rule->latest.worth)
        return KT_STOP_RESOLUTION;
    return elapsed_ns >= rule->max_time_ns ? KT_STOP_MAX_TIME : KT_STOP_NONE;
}

double kt_stopping_fraction(const kt_stopping *rule, uint32_t samples, int64_t elapsed_ns)
{
    double least = (double)samples / rule->samples_min;
    double most = (double)samples / rule->samples_max;
    double time = (double)elapsed_ns / (double)rule->max_time_ns;
    return fmin(1, fmax(most, fmin(least, time)));
}
