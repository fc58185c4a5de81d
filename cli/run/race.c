/* SPDX-License-Identifier: MIT */
/*
 * race.c - compares configurations by ranks within blocks of few rounds.
 *
 * All candidates take a sample each round. Of two candidates, each sample of one is compared with
 * each sample of the other in the same block (Mann and Whitney 1947; over blocks: van Elteren 1960).
 * So drift that is common to both cancels, and an outlier counts as any other slow sample. The
 * normal law is conservative here: the count has thinner tails. Its variance is that of equal
 * distributions, or that between blocks if larger: samples of one block may resemble each other.
 * Of autocorrelation over blocks the ranks know nothing. In the final set the intervals of medians
 * decide besides: they are widened for it.
 */
#include "cli/run/race.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     5    /* rounds in a block */
#define RACE_MISS 0.05 /* chance of a wrong drop, of all looks and candidates together */
#define SET_MISS  0.05 /* chance of a wrong exclusion, of all candidates together */
/* Standard deviation of a time between processes, over the time: samples of one process do not show
 * it. `kerntime compare` assumes the same of a single run. */
#define RUN_NOISE 0.005
#define OBVIOUS   2 /* a candidate is dropped if all its samples are so many best medians */

typedef struct runner {
    double *samples_ns;
    size_t count, room;
    size_t ends[RACE_LOOKS_MAX]; /* samples at the end of each look */
    bool is_dropped;
} runner;

struct race {
    size_t count, left, looks;
    size_t last_drop; /* look of the last drop */
    double *scratch;  /* samples of a candidate, sorted */
    size_t scratch_room;
    runner runners[];
};

/* ---- comparing two candidates ---- */

/* Evidence that a candidate is slower than another, over blocks. */
typedef struct evidence {
    double excess;          /* pairs in which it is slower, beyond half of them */
    double variance;        /* of `excess` for equal candidates */
    double scores, squares; /* sums over blocks of excess in standard deviations */
    size_t blocks;
} evidence;

/* Counts a candidate as slower by what its samples exceed `more` times the other's. */
static void add_block(evidence *to, const double *slow, size_t m, const double *fast, size_t n,
                      double more)
{
    double excess = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n; k++)
            excess += slow[i] > more * fast[k] ? 0.5 : slow[i] < more * fast[k] ? -0.5 : 0.0;
    double variance = (double)(m * n * (m + n + 1)) / 12, score = excess / sqrt(variance);
    to->excess += excess;
    to->variance += variance;
    to->scores += score;
    to->squares += score * score;
    to->blocks++;
}

/* Adds samples of the same rounds; what one of them has beyond the other is of no use here. */
static void add_rounds(evidence *to, const double *slow, size_t m, const double *fast, size_t n,
                       double more)
{
    for (size_t at = 0; at < m && at < n; at += BLOCK)
        add_block(to, slow + at, m - at < BLOCK ? m - at : BLOCK, fast + at,
                  n - at < BLOCK ? n - at : BLOCK, more);
}

/* Chance of such evidence if the candidate is not slower. */
static double chance_of(const evidence *of)
{
    if (of->blocks == 0)
        return 1;
    double blocks = (double)of->blocks, spread = 1;
    if (of->blocks > 1)
        spread = (of->squares - of->scores * of->scores / blocks) / (blocks - 1);
    double z = (of->excess - 0.5) / sqrt(of->variance * fmax(spread, 1));
    return erfc(z / sqrt(2)) / 2;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Median of samples; NaN: there are none. */
static double median_of(const double *samples_ns, size_t count, double *scratch)
{
    if (count == 0)
        return NAN;
    memcpy(scratch, samples_ns, count * sizeof *scratch);
    qsort(scratch, count, sizeof *scratch, compare_doubles);
    return (scratch[(count - 1) / 2] + scratch[count / 2]) / 2;
}

/* ---- the race ---- */

race *race_create(size_t candidates)
{
    race *r = calloc(1, sizeof *r + candidates * sizeof *r->runners);
    if (r)
        r->count = r->left = candidates;
    return r;
}

void race_destroy(race **r)
{
    for (size_t i = 0; *r && i < (*r)->count; i++)
        free((*r)->runners[i].samples_ns);
    if (*r)
        free((*r)->scratch);
    free(*r);
    *r = NULL;
}

/* Makes room for more values. Returns false if memory runs out. */
static bool make_room(double **values, size_t *room, size_t wanted)
{
    size_t more = *room ? *room : 32;
    while (more < wanted)
        more *= 2;
    if (more == *room)
        return true;
    double *grown = realloc(*values, more * sizeof *grown);
    if (!grown)
        return false;
    *values = grown;
    *room = more;
    return true;
}

bool race_add(race *r, size_t candidate, const double *samples_ns, size_t count)
{
    runner *to = &r->runners[candidate];
    if (!make_room(&to->samples_ns, &to->room, to->count + count) ||
        !make_room(&r->scratch, &r->scratch_room, to->count + count))
        return false;
    memcpy(to->samples_ns + to->count, samples_ns, count * sizeof *samples_ns);
    to->count += count;
    return true;
}

/* Samples of each candidate in look `index`; totals are 5, 10, 15, 20, 30, 45, 65, 95, 140, ... */
static size_t look_samples(size_t index)
{
    size_t total = 0, more = RACE_LOOK;
    for (size_t look = 0; look < index; look++) {
        total += more;
        more = total / 2 / RACE_LOOK * RACE_LOOK;
        more = more > RACE_LOOK ? more : RACE_LOOK;
    }
    return more;
}

size_t race_next(const race *r)
{
    return look_samples(r->looks);
}

size_t race_fresh(const race *r)
{
    size_t most = RACE_FRESH;
    for (size_t i = 0; i < r->count; i++)
        if (!r->runners[i].is_dropped && r->runners[i].count > most)
            most = r->runners[i].count;
    return most;
}

/* The candidate with the smallest median; SIZE_MAX: none has samples. */
static size_t find_leader(const race *r, double *median_ns)
{
    size_t leader = SIZE_MAX;
    for (size_t i = 0; i < r->count; i++) {
        const runner *of = &r->runners[i];
        double median = of->is_dropped ? NAN : median_of(of->samples_ns, of->count, r->scratch);
        if (!isnan(median) && (leader == SIZE_MAX || median < *median_ns)) {
            leader = i;
            *median_ns = median;
        }
    }
    return leader;
}

/* Ranks of few samples tell nothing surely, and slow kernels are worth dropping soon. */
static bool is_obviously_slower(const runner *of, double median_ns)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->samples_ns[i] < OBVIOUS * median_ns)
            return false;
    return of->count >= RACE_LOOK;
}

/* Chance of what their samples show if the first is not slower than the other. */
static double chance_of_slower(const race *r, const runner *slow, const runner *fast)
{
    evidence e = {0};
    for (size_t look = 0, i = 0, k = 0; look < r->looks; look++) {
        add_rounds(&e, slow->samples_ns + i, slow->ends[look] - i, fast->samples_ns + k,
                   fast->ends[look] - k, 1);
        i = slow->ends[look];
        k = fast->ends[look];
    }
    return chance_of(&e);
}

static bool is_surely_slower(const race *r, const runner *of, size_t leader, double median_ns)
{
    double level = RACE_MISS / ((double)(r->count - 1) * RACE_LOOKS_MAX);
    return is_obviously_slower(of, median_ns) ||
           chance_of_slower(r, of, &r->runners[leader]) < level;
}

size_t race_look(race *r)
{
    double median_ns = NAN;
    size_t leader = find_leader(r, &median_ns);
    if (leader == SIZE_MAX || r->looks == RACE_LOOKS_MAX)
        return r->left;
    for (size_t i = 0; i < r->count; i++)
        r->runners[i].ends[r->looks] = r->runners[i].count;
    r->looks++;
    for (size_t i = 0; i < r->count; i++) {
        runner *of = &r->runners[i];
        if (of->is_dropped || i == leader || !is_surely_slower(r, of, leader, median_ns))
            continue;
        of->is_dropped = true;
        r->left--;
        r->last_drop = r->looks;
    }
    return r->left;
}

bool race_goes_on(const race *r)
{
    return r->count > RACE_ALL && r->left > RACE_FEW && r->looks < RACE_LOOKS_MAX &&
           r->looks - r->last_drop < RACE_STALLS;
}

bool race_has(const race *r, size_t candidate)
{
    return !r->runners[candidate].is_dropped;
}

const double *race_samples(const race *r, size_t candidate, size_t *count)
{
    *count = r->runners[candidate].count;
    return r->runners[candidate].samples_ns;
}

/* ---- the final set ---- */

/* How much slower a candidate of equal speed may be in this process, at that chance. */
static double more_of_process(double chance)
{
    double low = 0, high = 10; /* standard deviations */
    for (int i = 0; i < 40; i++) {
        double z = (low + high) / 2;
        if (erfc(z / sqrt(2)) / 2 > chance)
            low = z;
        else
            high = z;
    }
    return 1 + high * RUN_NOISE * sqrt(2);
}

/* A candidate of the final set. */
typedef struct finalist {
    const double *samples_ns;
    const kt_summary *summary;
} finalist;

/* Whether the ratios of their samples, round by round, may have the median 1: what is common to
 * both cancels. Without an interval, nearly all must be below. `scratch`: room for two series. */
static bool ratios_reach_one(finalist slow, finalist fast, double *scratch)
{
    size_t n = slow.summary->n < fast.summary->n ? slow.summary->n : fast.summary->n;
    double resolution = slow.summary->resolution / slow.summary->median +
                        fast.summary->resolution / fast.summary->median;
    kt_summary ratios;
    for (size_t i = 0; i < n; i++)
        scratch[i] = slow.samples_ns[i] > 0 ? fast.samples_ns[i] / slow.samples_ns[i] : 1;
    kt_summarize(scratch, n, fmax(resolution, DBL_MIN), scratch + n, &ratios);
    return (isnan(ratios.ci95_high) ? ratios.p95 : ratios.ci95_high) >= 1;
}

/* Whether their medians may be equal by their intervals, which count autocorrelated samples as
 * fewer. Few or autocorrelated samples, a trend and rare switches between clusters leave none. */
static bool may_be_equal(finalist slow, finalist fast, double *scratch)
{
    if (isnan(slow.summary->ci95_low) || isnan(fast.summary->ci95_high))
        return ratios_reach_one(slow, fast, scratch);
    return slow.summary->ci95_low <= fast.summary->ci95_high;
}

static bool is_told_apart(finalist slow, finalist fast, double chance, double *scratch)
{
    evidence e = {0};
    add_rounds(&e, slow.samples_ns, slow.summary->n, fast.samples_ns, fast.summary->n,
               more_of_process(chance));
    return chance_of(&e) < chance && !may_be_equal(slow, fast, scratch);
}

size_t race_fastest(const double *const *samples_ns, const kt_summary *const *summaries,
                    size_t count, bool *in_set)
{
    size_t fastest = SIZE_MAX, measured = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        in_set[i] = summaries[i]->n > 0;
        measured += in_set[i];
        most = summaries[i]->n > most ? summaries[i]->n : most;
        if (in_set[i] && (fastest == SIZE_MAX || summaries[i]->median < summaries[fastest]->median))
            fastest = i;
    }
    double *scratch = malloc((2 * most + 1) * sizeof *scratch);
    double chance = SET_MISS / (double)(measured > 1 ? measured - 1 : 1);
    for (size_t i = 0; i < count && scratch; i++)
        if (in_set[i] && i != fastest)
            in_set[i] = !is_told_apart((finalist){samples_ns[i], summaries[i]},
                                       (finalist){samples_ns[fastest], summaries[fastest]}, chance,
                                       scratch);
    free(scratch);
    return scratch ? fastest : SIZE_MAX;
}

/* ---- the set, of several runs ---- */

static double mean_log(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(values[i]);
    return sum / (double)count;
}

/* Variance of a log median around the means of its run and of its candidate (two-way layout). */
static double variance_of_runs(const double *const *medians_ns, size_t runs, size_t count)
{
    double all = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        all += mean_log(medians_ns[i], runs) / (double)count;
    for (size_t run = 0; run < runs; run++) {
        double of_run = 0;
        for (size_t i = 0; i < count; i++)
            of_run += log(medians_ns[i][run]) / (double)count;
        for (size_t i = 0; i < count; i++) {
            double rest = log(medians_ns[i][run]) - of_run - mean_log(medians_ns[i], runs) + all;
            squares += rest * rest;
        }
    }
    return squares / (double)((count - 1) * (runs - 1));
}

/* Chance of a value above t in Student's law (Wallace 1959: within 1 % for 2 degrees or more). */
static double chance_above(double t, double degrees)
{
    double z = (8 * degrees + 1) / (8 * degrees + 3) * sqrt(degrees * log1p(t * t / degrees));
    return erfc((t > 0 ? z : -z) / sqrt(2)) / 2;
}

/* Index of the smallest median; SIZE_MAX: there is none, or memory runs out. */
static size_t find_fastest(const double *const *medians_ns, size_t runs, size_t count)
{
    size_t fastest = SIZE_MAX;
    double least = NAN, *scratch = malloc((runs + 1) * sizeof *scratch);
    for (size_t i = 0; i < count && scratch && runs > 0; i++) {
        double median = median_of(medians_ns[i], runs, scratch);
        if (fastest == SIZE_MAX || median < least) {
            fastest = i;
            least = median;
        }
    }
    free(scratch);
    return fastest;
}

size_t race_fastest_of_runs(const double *const *medians_ns, size_t runs, size_t count,
                            bool *in_set)
{
    size_t fastest = find_fastest(medians_ns, runs, count);
    for (size_t i = 0; i < count; i++)
        in_set[i] = fastest != SIZE_MAX;
    if (fastest == SIZE_MAX || runs < 2 || count < 2)
        return fastest;
    double variance = fmax(variance_of_runs(medians_ns, runs, count), RUN_NOISE * RUN_NOISE);
    double error = sqrt(variance * 2 / (double)runs), degrees = (double)((count - 1) * (runs - 1));
    for (size_t i = 0; i < count; i++) {
        double slower = mean_log(medians_ns[i], runs) - mean_log(medians_ns[fastest], runs);
        if (i != fastest && slower > 0)
            in_set[i] = chance_above(slower / error, degrees) >= SET_MISS / (double)(count - 1);
    }
    return fastest;
}
