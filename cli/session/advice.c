/*
 * Advice: what a user can do about the numbers of a report. There are some kinds of it, asked in
 * order of how much each would help; the first that has something to say is heard. On simulated
 * devices nothing depends on the host, so only what follows from the numbers is said.
 */
#include "cli/session/advice.h"

#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a sample that spans so many floors, what timing adds is a tenth at most. */
#define FLOORS_WANTED 10
/* What --trials and --samples take. */
#define TRIALS_MAX  1000000.0
#define SAMPLES_MAX 1000000.0
/* Longer than this nobody waits for one measurement. */
#define MAX_TIME_MAX_S 600.0
/* Share of all cores that others may use: the background of an idle desktop is below it. */
#define OTHERS_SHARE 0.1
/* Load average that tells of others where the system does not count their time. */
#define LOAD_MIN 0.5
/* Change of the cores' frequency that is more than the rounding of drivers. */
#define FREQUENCY_CHANGE 0.05
/* Runs from which on there is an interval over them. */
#define RUNS_WANTED 6

static double wanted_error(const advice_facts *f)
{
    return f->measure->rel_err > 0 ? f->measure->rel_err : KT_REL_ERR_DEFAULT;
}

static bool is_wall(const kt_series *s)
{
    return s->kind == KT_SERIES_WALL;
}

/* With a time that its user wants to know well; gaps are what is left over. */
static bool is_measured(const kt_series *s)
{
    return (!s->step || strcmp(s->step, "gaps") != 0) &&
           (s->status == KT_SERIES_OK || s->status == KT_SERIES_PARTIAL) && s->summary.median > 0;
}

static bool any_device_time(const kt_report *report)
{
    for (uint32_t i = 0; i < kt_report_series_count(report); i++)
        if (!is_wall(kt_report_series(report, i)) && is_measured(kt_report_series(report, i)))
            return true;
    return false;
}

/* Whose interval a user sees: of device times, and of wall times where there are no others. */
static bool is_judged(const advice_facts *f, const kt_series *s)
{
    return !is_wall(s) || (f->walls_alone && strcmp(s->step, "wall_stamped") != 0);
}

static bool is_simulated(const kt_series *s)
{
    return s->method == KT_METHOD_SIMULATED;
}

/* Half the interval over the median; NaN: there is none. */
static double error_of(const kt_series *s)
{
    return (s->summary.ci95_high - s->summary.ci95_low) / 2 / s->summary.median;
}

/* "the wall time of matmul/8 on cpu:0", "copy/8192 heap-heap on cpu:0" */
static const char *name_of(const kt_series *s, char text[160])
{
    bool copy = strcmp(s->workload, "copy") == 0 && s->variant; /* in one direction of many */
    snprintf(text, 160, "%s%.40s%s%.31s on %.60s", is_wall(s) ? "the wall time of " : "", s->name,
             copy ? " " : "", copy ? s->variant : "", s->device);
    return text;
}

/* A share for people: "0.67 %", "150 %". */
static const char *percent_of(double share, char text[32])
{
    snprintf(text, 32, share < 0.1 ? "%.2g %%" : "%.0f %%", 100 * share);
    return text;
}

/* The next power of two. */
static double round_up(double value)
{
    return exp2(ceil(log2(value)));
}

/* Two significant digits, upwards. */
static double round_up_digits(double value)
{
    double unit = pow(10, floor(log10(value)) - 1);
    return ceil(value / unit - 1e-9) * unit;
}

/* ---- longer samples ---- */

/* Mean of the samples, which a series below the floor keeps without a summary; 0: nothing is known.
 * What a coarse clock shows of the same time differs, but is right on average. */
static double mean_of(const kt_series *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->summary.n; i++)
        sum += s->samples_ns[i];
    return s->summary.n ? sum / (double)s->summary.n : 0;
}

static const kt_ruler *ruler_of(const advice_facts *f, const kt_series *s)
{
    for (uint32_t i = 0; i < kt_report_device_count(f->report); i++)
        if (strcmp(kt_report_device(f->report, i)->id, s->device) == 0)
            return kt_report_ruler(f->report, i);
    return NULL;
}

/* Dispatches in a row after which this series is long enough; 0: it is, or that would not help. */
static double trials_wanted(const advice_facts *f, const kt_series *s)
{
    const workload *w = workload_find(s->workload);
    const kt_ruler *ruler = ruler_of(f, s);
    if (is_wall(s) || !w || w->size_is_trials || w->trials_max || f->measure->cold || !ruler)
        return 0;
    bool below = s->status == KT_SERIES_BELOW_FLOOR;
    if (!below && !(is_measured(s) && (s->summary.patterns & KT_PATTERN_COARSE_GRID)))
        return 0;
    double grid_ns = fmax(ruler->grid_ns, s->summary.grid * s->trials);
    double wanted_ns = fmax(below ? FLOORS_WANTED * kt_ruler_get_floor(ruler, s->clock) : 0,
                            grid_ns / wanted_error(f));
    double each_ns = below ? mean_of(s) : s->summary.median;
    double trials = each_ns > 0 ? round_up(wanted_ns / each_ns) : 0;
    return trials > s->trials && trials <= TRIALS_MAX ? trials : 0;
}

/* The shortest of all wants most. */
static bool advise_trials(const advice_facts *f, char *text)
{
    double most = 0;
    char name[160];
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        double trials = trials_wanted(f, s);
        if (trials <= most)
            continue;
        most = trials;
        snprintf(text, ADVICE_BYTES, "--trials %.0f would make %s long enough for its clock",
                 trials, name_of(s, name));
    }
    return most > 0;
}

/* Where no number of trials would do: work that changes its own input, cold caches, too short for
 * any. */
static bool advise_size(const advice_facts *f, char *text)
{
    char name[160];
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        if (is_wall(s) || s->status != KT_SERIES_BELOW_FLOOR || !workload_find(s->workload))
            continue;
        snprintf(text, ADVICE_BYTES, "a larger --size would make %s long enough for its clock",
                 name_of(s, name));
        return true;
    }
    return false;
}

/* ---- the host ---- */

/* Whether something is wrong that a quieter host may help against. */
static bool suffers(const advice_facts *f)
{
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        if (!is_simulated(s) && is_judged(f, s) && is_measured(s) &&
            (s->stop == KT_STOP_MAX_TIME || s->stop == KT_STOP_MAX_SAMPLES ||
             (s->summary.patterns & (KT_PATTERN_DRIFT | KT_PATTERN_LEVELS))) &&
            !(error_of(s) <= wanted_error(f)))
            return true;
    }
    return false;
}

/* Where all cores copy, the last of them is waited for, and one that others hold comes late
 * whatever the size: no number of samples mends that, and they may well agree. */
static bool advise_all_cores(const advice_facts *f, char *text)
{
    double others = kt_host_others(f->before, f->after), cores = f->after->cores;
    bool any = false;
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        any |= is_measured(s) && s->variant && strcmp(s->variant, "heap-heap-all-cores") == 0;
    }
    if (!any || cores == 0 || !(others >= OTHERS_SHARE * cores))
        return false;
    snprintf(
        text, ADVICE_BYTES,
        "others used %.1f of %.0f core%s while measuring: copies by all cores waited for them; "
        "a quieter machine shows how fast they are",
        others, cores, cores == 1 ? "" : "s");
    return true;
}

static bool advise_quiet(const advice_facts *f, char *text)
{
    double others = kt_host_others(f->before, f->after), cores = f->after->cores;
    if (isnan(f->after->busy_ns) && f->before->load >= LOAD_MIN && suffers(f)) {
        snprintf(text, ADVICE_BYTES,
                 "the load average was %.1f before measuring: a quieter machine gives narrower "
                 "intervals",
                 f->before->load);
        return true;
    }
    if (!(others >= OTHERS_SHARE * cores) || cores == 0 || !suffers(f))
        return false;
    snprintf(text, ADVICE_BYTES,
             "others used %.1f of %.0f core%s while measuring: a quieter machine gives narrower "
             "intervals",
             others, cores, cores == 1 ? "" : "s");
    return true;
}

static bool advise_governor(const advice_facts *f, char *text)
{
    const char *governor = f->after->governor;
    if (!governor[0] || strcmp(governor, "performance") == 0 || !suffers(f))
        return false;
    double before = f->before->frequency_hz, after = f->after->frequency_hz;
    char change[64] = "may change the cores' clock";
    if (fabs(after - before) > FREQUENCY_CHANGE * before)
        snprintf(change, sizeof change, "took the cores from %.1f to %.1f GHz", before * 1e-9,
                 after * 1e-9);
    snprintf(text, ADVICE_BYTES,
             "the governor \"%s\" %s while measuring: \"cpupower frequency-set -g performance\" "
             "holds it",
             governor, change);
    return true;
}

/* ---- what is noticed about the samples ---- */

static bool advise_drift(const advice_facts *f, char *text)
{
    double worst = 0;
    char name[160], share[32];
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        double drift = s->summary.drift;
        if (is_simulated(s) || !is_judged(f, s) || !is_measured(s) ||
            !(s->summary.patterns & KT_PATTERN_DRIFT) || !(fabs(drift) > worst))
            continue;
        worst = fabs(drift);
        snprintf(text, ADVICE_BYTES,
                 "%s %s by %s of its median while it was measured: lock the clocks, or give it "
                 "more time to settle with --max-time",
                 name_of(s, name), drift > 0 ? "grew" : "shrank", percent_of(worst, share));
    }
    return worst > 0;
}

static bool advise_levels(const advice_facts *f, char *text)
{
    double widest = 0;
    char name[160], share[32];
    for (uint32_t i = 0; i < kt_report_series_count(f->report) && f->runs < RUNS_WANTED; i++) {
        const kt_series *s = kt_report_series(f->report, i);
        double apart = s->summary.level_high / s->summary.level_low - 1;
        if (!is_judged(f, s) || !is_measured(s) || !(s->summary.patterns & KT_PATTERN_LEVELS) ||
            !(apart > widest))
            continue;
        widest = apart;
        snprintf(text, ADVICE_BYTES,
                 "%s keeps to two levels, %s apart: --runs %d tells whether other processes "
                 "find them, too",
                 name_of(s, name), percent_of(apart, share), RUNS_WANTED);
    }
    return widest > 0;
}

static bool same_but_for_run(const kt_series *a, const kt_series *b)
{
    const char *variant = a->variant ? a->variant : "", *other = b->variant ? b->variant : "";
    return strcmp(a->name, b->name) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(variant, other) == 0 && strcmp(a->step, b->step) == 0 && a->run != b->run;
}

/* How much slower one run was than another, if their intervals have nothing in common. */
static double runs_apart(const kt_series *a, const kt_series *b)
{
    return a->summary.ci95_low > b->summary.ci95_high ? a->summary.median / b->summary.median - 1
                                                      : 0;
}

static bool advise_runs(const advice_facts *f, char *text)
{
    double widest = wanted_error(f);
    bool found = false;
    char name[160], share[32];
    uint32_t count = kt_report_series_count(f->report);
    for (uint32_t i = 0; i < count && f->runs > 1 && f->runs < RUNS_WANTED; i++) {
        const kt_series *s = kt_report_series(f->report, i);
        for (uint32_t k = 0; k < count && is_judged(f, s) && is_measured(s); k++) {
            const kt_series *other = kt_report_series(f->report, k);
            if (!same_but_for_run(s, other) || !(runs_apart(s, other) > widest))
                continue;
            widest = runs_apart(s, other);
            found = true;
            snprintf(text, ADVICE_BYTES,
                     "runs of %s differ by %s, more than their intervals say: --runs %d tells "
                     "how often each comes",
                     name_of(s, name), percent_of(widest, share), RUNS_WANTED);
        }
    }
    return found;
}

/* ---- narrower intervals ---- */

/* The width of an interval goes with the square root of the number of samples, so this many times
 * as many give the wanted one; 0: it is reached, or no number of samples would do. */
static double samples_factor(const advice_facts *f, const kt_series *s)
{
    bool ended = s->stop == KT_STOP_MAX_TIME || s->stop == KT_STOP_MAX_SAMPLES;
    unsigned others = KT_PATTERN_DRIFT | KT_PATTERN_LEVELS | KT_PATTERN_COARSE_GRID;
    double ratio = error_of(s) / wanted_error(f);
    if (!ended || !is_judged(f, s) || !is_measured(s) || (s->summary.patterns & others) ||
        !(ratio > 1) || isinf(ratio))
        return 0;
    return ratio * ratio;
}

/* What so many samples will take: a stamped and an unstamped submission each, unless one kind is
 * enough, and as long again for what happens between them. */
static double sampling_s(const advice_facts *f, const kt_series *s, double samples)
{
    unsigned submissions = f->measure->timing == KT_TIMING_BOTH ? 2 : 1;
    return samples * submissions * 2 * s->summary.mean * s->trials * 1e-9;
}

#define OPTIONS_BYTES 96

/* The options that would do it. False: nobody would wait for it. */
static bool write_options(const advice_facts *f, const kt_series *s, double factor,
                          char text[OPTIONS_BYTES])
{
    const kt_measure_options *o = f->measure;
    double allowed_s = (double)(o->max_time_ns ? o->max_time_ns : KT_MAX_TIME_DEFAULT_NS) * 1e-9;
    double allowed = o->samples_max ? o->samples_max : KT_SAMPLES_MAX_DEFAULT;
    double samples = (double)s->summary.n * factor;
    double time_s = s->stop == KT_STOP_MAX_TIME ? allowed_s * factor : sampling_s(f, s, samples);
    if (samples > SAMPLES_MAX || time_s > MAX_TIME_MAX_S)
        return false;
    char least[16] = "", more[48] = "", longer[32] = "";
    if (o->samples_min)
        snprintf(least, sizeof least, "%u", o->samples_min);
    if (s->stop == KT_STOP_MAX_SAMPLES || samples > allowed)
        snprintf(more, sizeof more, "--samples %s..%.0f", least, round_up_digits(samples));
    if (time_s > allowed_s)
        snprintf(longer, sizeof longer, time_s < 0.1 ? "--max-time %gms" : "--max-time %gs",
                 round_up_digits(time_s) * (time_s < 0.1 ? 1e3 : 1));
    snprintf(text, OPTIONS_BYTES, "%s%s%s", more, more[0] && longer[0] ? " " : "", longer);
    return text[0] != '\0';
}

static bool advise_samples(const advice_facts *f, char *text)
{
    const kt_measure_options *o = f->measure;
    if (f->runs > 1 || (o->samples_min && o->samples_min == o->samples_max))
        return false; /* the runs are what counts; or so many and no more, as asked for */
    const kt_series *worst = NULL;
    double most = 0;
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        double factor = samples_factor(f, s);
        if (factor > most) {
            most = factor;
            worst = s;
        }
    }
    if (!worst)
        return false;
    char name[160], options[OPTIONS_BYTES], error[32], wanted[32];
    if (!write_options(f, worst, most, options))
        return false;
    snprintf(text, ADVICE_BYTES, "%s would bring %.140s from +-%.16s to the wanted %.16s", options,
             name_of(worst, name), percent_of(error_of(worst), error),
             percent_of(wanted_error(f), wanted));
    return true;
}

bool advice_choose(const advice_facts *facts, char text[ADVICE_BYTES])
{
    static bool (*const kinds[])(const advice_facts *facts, char *text) = {
        advise_all_cores, advise_trials, advise_size, advise_quiet,   advise_governor,
        advise_drift,     advise_levels, advise_runs, advise_samples,
    };
    advice_facts own = *facts;
    own.walls_alone = !any_device_time(facts->report);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i](&own, text))
            return true;
    return false;
}
