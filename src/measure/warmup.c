#include "measure/warmup.h"

#include "statistics/interval.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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

static double median(const double *values, uint32_t count)
{
    double sorted[THIRD_MAX];
    memcpy(sorted, values, count * sizeof *sorted);
    kt_sort(sorted, count);
    return kt_median(sorted, count);
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
