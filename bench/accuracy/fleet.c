/*
 * How often kt_fleet_judge() names a device wrongly, and how often it finds a slow one: seeded
 * fleets of 8, 64 and 1,000 devices, beside the rules of other tools. No clock takes part, so the
 * figures are the same on every machine.
 *
 * Devices differ honestly by `spread`. A rule's alarm in a healthy fleet is a false one, for
 * kt_fleet_judge() only if the device is truly no more than 3 % slower than the median. Goals:
 * wrong names in at most 1 % of fleets; at spread 1 %, planted devices of 5 % found in at least
 * 90 %, those of 10 % in at least 99 %. "finds" counts planted devices that are truly more than
 * 3 % slower; "finds-any" all of them, of which some were faster than the median by 2 % or more.
 * Of three runs, but for "by-5-runs".
 */
#include "bench/bench.h"
#include "bench/calibrate/noise.h"

#include <kerntime/fleet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLEETS = 200, RUNS = 3, MORE_RUNS = 5, DEVICES_MAX = 1000 };

#define NOISE      0.003 /* from run to run */
#define MIN_EFFECT 0.03
#define ALPHA      0.01
#define PLANTED    0.005 /* share of slow devices, at least one */

typedef struct fleet {
    size_t count;
    double truths[DEVICES_MAX]; /* true times, about 1 */
    double medians[DEVICES_MAX][MORE_RUNS], means[DEVICES_MAX];
    double sorted[DEVICES_MAX], true_median;
    int is_planted[DEVICES_MAX];
    kt_fleet_cell cells[DEVICES_MAX];
} fleet;

typedef struct kind {
    const char *name;
    double spread;
    int is_skewed; /* most are near the fastest */
} kind;

static const kind kinds[] = {{"spread-0.5%", 0.005, 0},
                             {"spread-1%", 0.01, 0},
                             {"spread-1%-skewed", 0.01, 1},
                             {"spread-2%", 0.02, 0}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Of sorted values. */
static double quantile(const double *sorted, size_t count, double p)
{
    double rank = p * (double)(count - 1);
    size_t low = (size_t)rank, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (rank - (double)low) * (sorted[high] - sorted[low]);
}

static const double *sort(fleet *f, const double *values)
{
    memcpy(f->sorted, values, f->count * sizeof *values);
    qsort(f->sorted, f->count, sizeof *f->sorted, by_value);
    return f->sorted;
}

static void make(fleet *f, const kind *of, size_t count, int runs, double slow_by, uint64_t seed)
{
    uint64_t random = seed * UINT64_C(0x2545f4914f6cdd1d);
    size_t planted = (size_t)ceil(PLANTED * (double)count);
    f->count = count;
    for (size_t i = 0; i < count; i++) {
        double z = of->is_skewed ? noise_exponential(&random) - 1 : noise_normal(&random);
        f->is_planted[i] = slow_by > 0 && i < planted;
        f->truths[i] = (1 + of->spread * z) * (f->is_planted[i] ? 1 + slow_by : 1);
        double sum = 0;
        for (int run = 0; run < runs; run++) {
            f->medians[i][run] = f->truths[i] * (1 + NOISE * noise_normal(&random));
            sum += f->medians[i][run];
        }
        f->means[i] = sum / runs;
        f->cells[i] = (kt_fleet_cell){.medians_ns = f->medians[i], .run_count = (size_t)runs};
    }
    f->true_median = quantile(sort(f, f->truths), count, 0.5);
}

/* ---- rules: what each device would have to exceed ---- */

static double megatron(fleet *f)
{
    double sum = 0, squares = 0, n = (double)f->count;
    for (size_t i = 0; i < f->count; i++) {
        sum += f->means[i];
        squares += f->means[i] * f->means[i];
    }
    double mean = sum / n, deviation = sqrt(fmax(0, squares / n - mean * mean));
    return fmax(mean + deviation, 1.1 * mean);
}

static double best_and_5(fleet *f)
{
    return sort(f, f->means)[0] / 0.95; /* 5 % less throughput than the best */
}

static double baseline_and_5(fleet *f)
{
    (void)f;
    return 1.05; /* of what a good device of the type took before */
}

static double tukey(fleet *f)
{
    const double *sorted = sort(f, f->means);
    double low = quantile(sorted, f->count, 0.25), high = quantile(sorted, f->count, 0.75);
    return high + 1.5 * (high - low);
}

static double robust_z(fleet *f)
{
    double median = quantile(sort(f, f->means), f->count, 0.5), distances[DEVICES_MAX];
    for (size_t i = 0; i < f->count; i++)
        distances[i] = fabs(f->means[i] - median);
    return median + 3.5 * 1.4826 * quantile(sort(f, distances), f->count, 0.5);
}

static const struct {
    const char *name;
    double (*limit)(fleet *f);
} rules[] = {{"mean-sd-10%", megatron},
             {"best-5%", best_and_5},
             {"baseline-5%", baseline_and_5},
             {"tukey", tukey},
             {"robust-z-3.5", robust_z}};

/* ---- counts ---- */

typedef struct counts {
    size_t fleets, planted;
    size_t wrong;     /* fleets with a wrong name by kt_fleet_judge() */
    size_t undecided; /* fleets with a device that was not decided */
    size_t missed_4;  /* devices truly more than 4 % slower that were not named */
    size_t truly_4;
    size_t found, truly_slow; /* planted, and truly more than 3 % slower */
    size_t found_any;         /* planted */
    size_t alarmed[COUNT(rules)], found_by[COUNT(rules)];
} counts;

static int count_fleet(fleet *f, counts *c)
{
    kt_fleet_population population = {.cells = f->cells, .count = f->count};
    int is_wrong = 0, is_undecided = 0;
    if (kt_fleet_judge(&population, 1, MIN_EFFECT, ALPHA) != KT_OK)
        return 1;
    for (size_t i = 0; i < f->count; i++) {
        double slower = f->truths[i] / f->true_median - 1;
        int is_named = f->cells[i].answer == KT_FLEET_SLOW;
        is_wrong |= is_named && slower <= MIN_EFFECT;
        is_undecided |= f->cells[i].answer == KT_FLEET_UNDECIDED;
        c->truly_4 += slower > 0.04;
        c->missed_4 += slower > 0.04 && !is_named;
        c->planted += (size_t)f->is_planted[i];
        c->truly_slow += f->is_planted[i] && slower > MIN_EFFECT;
        c->found += f->is_planted[i] && slower > MIN_EFFECT && is_named;
        c->found_any += f->is_planted[i] && is_named;
    }
    for (size_t r = 0; r < COUNT(rules); r++) {
        double limit = rules[r].limit(f);
        size_t named = 0;
        for (size_t i = 0; i < f->count; i++) {
            named += f->means[i] > limit;
            c->found_by[r] += f->is_planted[i] && f->means[i] > limit;
        }
        c->alarmed[r] += named > 0;
    }
    c->fleets++;
    c->wrong += (size_t)is_wrong;
    c->undecided += (size_t)is_undecided;
    return 0;
}

static int count_fleets(const kind *of, size_t devices, int runs, double slow_by, counts *c)
{
    fleet *f = malloc(sizeof *f);
    int failed = !f;
    memset(c, 0, sizeof *c);
    for (uint64_t seed = 1; seed <= FLEETS && !failed; seed++) {
        make(f, of, devices, runs, slow_by, seed);
        failed = count_fleet(f, c);
    }
    free(f);
    if (failed)
        fprintf(stderr, "%s: fleet: out of memory\n", bench_name);
    return failed;
}

static double percent(size_t part, size_t of)
{
    return of ? 100 * (double)part / (double)of : NAN;
}

static void report(const kind *of, size_t devices, const char *rule, const char *figure,
                   double value, const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, "fleet/%zu/%s/%s/%s", devices, of->name, rule, figure);
    bench_report(text, value, unit);
}

static const double planted[] = {0.05, 0.1};
static const char *const found_names[] = {"finds-5%", "finds-10%"};
static const char *const any_names[] = {"finds-any-5%", "finds-any-10%"};

static int bench_kind(const kind *of, size_t devices, double *most_wrong)
{
    counts healthy, with[COUNT(planted)], more;
    if (count_fleets(of, devices, RUNS, 0, &healthy) != 0 ||
        count_fleets(of, devices, MORE_RUNS, planted[0], &more) != 0)
        return 1;
    for (size_t i = 0; i < COUNT(planted); i++)
        if (count_fleets(of, devices, RUNS, planted[i], &with[i]) != 0)
            return 1;
    *most_wrong = fmax(*most_wrong, percent(healthy.wrong, healthy.fleets));
    report(of, devices, "kerntime", "wrong", percent(healthy.wrong, healthy.fleets), "% of fleets");
    report(of, devices, "kerntime", "undecided", percent(healthy.undecided, healthy.fleets),
           "% of fleets");
    for (size_t i = 0; i < COUNT(planted); i++) {
        *most_wrong = fmax(*most_wrong, percent(with[i].wrong, with[i].fleets));
        report(of, devices, "kerntime", found_names[i], percent(with[i].found, with[i].truly_slow),
               "% of those more than 3 % slow");
        report(of, devices, "kerntime", any_names[i], percent(with[i].found_any, with[i].planted),
               "% of planted");
    }
    *most_wrong = fmax(*most_wrong, percent(more.wrong, more.fleets));
    report(of, devices, "kerntime", "finds-5%-by-5-runs", percent(more.found, more.truly_slow),
           "% of those more than 3 % slow");
    report(of, devices, "kerntime", "misses-of-4%", percent(with[0].missed_4, with[0].truly_4),
           "% of those more than 4 % slow");
    for (size_t r = 0; r < COUNT(rules); r++) {
        report(of, devices, rules[r].name, "healthy-alarmed",
               percent(healthy.alarmed[r], healthy.fleets), "% of fleets");
        for (size_t i = 0; i < COUNT(planted); i++)
            report(of, devices, rules[r].name, any_names[i],
                   percent(with[i].found_by[r], with[i].planted), "% of planted");
    }
    return 0;
}

int bench_fleet(void)
{
    static const size_t sizes[] = {8, 64, 1000};
    double most_wrong = 0;
    for (size_t size = 0; size < COUNT(sizes); size++)
        for (size_t k = 0; k < COUNT(kinds); k++)
            if (bench_kind(&kinds[k], sizes[size], &most_wrong) != 0)
                return 1;
    bench_report("fleet/most-wrong", most_wrong, "% of fleets, goal: 1 or less");
    return 0;
}
