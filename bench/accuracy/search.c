/* SPDX-License-Identifier: MIT */
#include "bench/accuracy/search.h"

#include "bench/calibrate/noise.h"
#include "cli/run/race.h"

#include <math.h>
#include <stdlib.h>

#define POPULATION    16384
#define LOGNORMAL_DEV 2.1611974158950877 /* standard deviation of e^z: sqrt((e - 1) e) */
#define ROUNDS_MAX    2048
#define JUMP_SHARE    0.05 /* of rounds before which the common factor jumps */

typedef struct configuration {
    double time, noise;
    double previous; /* noise of its last sample */
    bool is_slow;
} configuration;

typedef struct search {
    const search_kind *kind;
    uint64_t random;
    double common;              /* factor that the present round has */
    double factors[ROUNDS_MAX]; /* of the rounds that are taken at once */
    size_t best;
    configuration configurations[SEARCH_CONFIGURATIONS_MAX];
    double *fresh[SEARCH_CONFIGURATIONS_MAX];
} search;

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Numbers of standard deviation 1 and median 0, drawn once: a search takes thousands. */
typedef struct population {
    double values[POPULATION];
    int is_drawn;
} population;

static void draw_population(population *out, const noise *of)
{
    noise_run run = noise_begin(of, 1);
    for (size_t i = 0; i < POPULATION; i++)
        out->values[i] = noise_next(&run) - 1;
    qsort(out->values, POPULATION, sizeof *out->values, compare_doubles);
    double median = out->values[POPULATION / 2];
    for (size_t i = 0; i < POPULATION; i++)
        out->values[i] -= median;
    out->is_drawn = 1;
}

static double draw(search *s)
{
    static const noise kinds[] = {
        {.shape = NOISE_LOGNORMAL, .value = 1, .spread = 1 / LOGNORMAL_DEV},
        {.shape = NOISE_NORMAL, .value = 1, .spread = 1}};
    static population populations[2];
    population *from = &populations[s->kind->is_normal];
    if (!from->is_drawn)
        draw_population(from, &kinds[s->kind->is_normal]);
    return from->values[(size_t)(noise_share(&s->random) * POPULATION)];
}

/* A chain of two states. */
static void change_phase(search *s, configuration *of)
{
    const search_kind *kind = s->kind;
    double share = kind->slow_share, leaving = 1 / kind->slow_length;
    of->is_slow = of->is_slow ? noise_share(&s->random) >= leaving
                              : noise_share(&s->random) < leaving * share / (1 - share);
}

static double take(search *s, size_t index)
{
    configuration *of = &s->configurations[index];
    if (s->kind->slow_share > 0)
        change_phase(s, of);
    double rho = s->kind->correlation, e = draw(s);
    of->previous = rho > 0 ? rho * of->previous + sqrt(1 - rho * rho) * e : e;
    return of->time * (1 + of->noise * of->previous + (of->is_slow ? s->kind->slow_by : 0));
}

static void begin(search *s)
{
    const search_kind *kind = s->kind;
    s->common = 1;
    s->best = 0;
    for (size_t i = 0; i < kind->configurations; i++) {
        double factor =
            kind->unlike > 0 ? noise_log_uniform(&s->random, 1 / kind->unlike, kind->unlike) : 1;
        s->configurations[i] = (configuration){.time = 1 + kind->spread * noise_share(&s->random),
                                               .noise = kind->noise * factor,
                                               .previous = draw(s)};
        if (kind->slow_share > 0)
            s->configurations[i].is_slow = noise_share(&s->random) < kind->slow_share;
        if (s->configurations[i].time < s->configurations[s->best].time)
            s->best = i;
    }
}

static void begin_rounds(search *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (s->kind->drift > 0 && noise_share(&s->random) < JUMP_SHARE)
            s->common = 1 + s->kind->drift * noise_share(&s->random);
        s->factors[i] = s->common;
    }
}

static void take_rounds(search *s, size_t index, double *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = take(s, index) * s->factors[i];
}

/* What people do by habit: a few samples of each, one configuration after the other. */
static void count_habits(search *s, search_counts *counts)
{
    size_t by_mean = 0, by_least = 0;
    double mean = INFINITY, least = INFINITY;
    for (size_t i = 0; i < s->kind->configurations; i++) {
        double samples[SEARCH_HABIT_SAMPLES], sum = 0, smallest = INFINITY;
        begin_rounds(s, SEARCH_HABIT_SAMPLES);
        take_rounds(s, i, samples, SEARCH_HABIT_SAMPLES);
        for (int k = 0; k < SEARCH_HABIT_SAMPLES; k++) {
            sum += samples[k];
            smallest = fmin(smallest, samples[k]);
        }
        by_mean = sum < mean ? i : by_mean;
        mean = fmin(mean, sum);
        by_least = smallest < least ? i : by_least;
        least = fmin(least, smallest);
    }
    counts->by_mean += by_mean == s->best;
    counts->by_least += by_least == s->best;
}

/* Returns the samples of one that is left, or 0 if memory runs out. */
static size_t run_race(search *s, race *r, search_counts *counts)
{
    double samples[ROUNDS_MAX];
    size_t total = 0;
    do {
        size_t rounds = race_next(r);
        begin_rounds(s, rounds);
        for (size_t i = 0; i < s->kind->configurations; i++) {
            if (!race_has(r, i))
                continue;
            take_rounds(s, i, samples, rounds);
            if (!race_add(r, i, samples, rounds))
                return 0;
            counts->samples += (double)rounds;
        }
        race_look(r);
        total += rounds;
    } while (race_goes_on(r));
    return total;
}

/* Takes fresh samples of those that are left. Returns 0 if memory runs out. */
static int take_fresh(search *s, const race *r, size_t rounds, search_counts *counts)
{
    begin_rounds(s, rounds);
    for (size_t i = 0; i < s->kind->configurations; i++) {
        if (!race_has(r, i))
            continue;
        s->fresh[i] = malloc(rounds * sizeof *s->fresh[i]);
        if (!s->fresh[i])
            return 0;
        take_rounds(s, i, s->fresh[i], rounds);
        counts->samples += (double)rounds;
    }
    return 1;
}

static void count_set(const search *s, size_t rounds, search_counts *counts)
{
    size_t in_set = 0;
    bool set[SEARCH_CONFIGURATIONS_MAX];
    kt_summary summaries[SEARCH_CONFIGURATIONS_MAX];
    const kt_summary *each[SEARCH_CONFIGURATIONS_MAX];
    double scratch[ROUNDS_MAX];
    for (size_t i = 0; i < s->kind->configurations; i++) {
        kt_summarize(s->fresh[i], s->fresh[i] ? rounds : 0, 0, scratch, &summaries[i]);
        each[i] = &summaries[i];
    }
    race_fastest((const double *const *)s->fresh, each, s->kind->configurations, set);
    for (size_t i = 0; i < s->kind->configurations; i++)
        in_set += set[i];
    counts->held += set[s->best];
    counts->in_set += in_set;
    counts->single += in_set == 1;
    counts->false_single += in_set == 1 && !set[s->best];
}

int search_count(const search_kind *kind, uint64_t seed, search_counts *counts)
{
    search s = {.kind = kind, .random = seed * UINT64_C(0x2545f4914f6cdd1d)};
    race *r = race_create(kind->configurations);
    begin(&s);
    count_habits(&s, counts);
    size_t raced = r ? run_race(&s, r, counts) : 0, fresh = raced ? race_fresh(r) : 0;
    if (raced && kind->fresh > fresh)
        fresh = kind->fresh;
    int failed = !raced || !take_fresh(&s, r, fresh, counts);
    if (!failed) {
        counts->searches++;
        counts->kept += race_has(r, s.best);
        counts->all += (double)((raced + fresh) * kind->configurations);
        count_set(&s, fresh, counts);
    }
    for (size_t i = 0; i < kind->configurations; i++)
        free(s.fresh[i]);
    race_destroy(&r);
    return failed;
}
