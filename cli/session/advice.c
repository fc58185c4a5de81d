/* SPDX-License-Identifier: MIT */
/*
 * advice.c - suggests how to improve the numbers of a report. Several functions are asked in order
 * of benefit, and the first suggestion wins. On simulated devices nothing depends on the host, so
 * only suggestions based on the numbers remain.
 */
#include "cli/session/advice.h"

#include "cli/output/text.h"
#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Length of a sample to advise, in shortest measurable spans: a tenth of it is timing overhead. */
#define MIN_SPANS_WANTED 10
/* Largest values of --trials and --samples. */
#define TRIALS_MAX  1000000.0
#define SAMPLES_MAX 1000000.0
/* Longest --max-time to advise: nobody waits longer for one measurement. */
#define MAX_TIME_MAX_S 600.0
/* Share of all cores that other processes may use; an idle desktop stays below it. */
#define OTHERS_SHARE 0.1
/* Load average that shows other processes where the system does not report their CPU time. */
#define LOAD_MIN 0.5
/* Frequency change of the cores that exceeds the rounding of drivers. */
#define FREQUENCY_CHANGE 0.05
/* Fewest runs with a confidence interval. */
#define RUNS_WANTED 6

static double wanted_error(const advice_facts *f)
{
    return f->measure->rel_err > 0 ? f->measure->rel_err : KT_REL_ERR_DEFAULT;
}

static bool is_wall(const kt_series *s)
{
    return kt_series_is_wall(s);
}

/* Whether the series has a time of interest; gaps have none. */
static bool is_measured(const kt_series *s)
{
    return kt_series_get_role(s) != KT_ROLE_GAPS &&
           (s->status == KT_SERIES_OK || s->status == KT_SERIES_PARTIAL) && s->summary.median > 0;
}

static bool any_device_time(const kt_report *report)
{
    for (uint32_t i = 0; i < kt_report_series_count(report); i++)
        if (!is_wall(kt_report_series(report, i)) && is_measured(kt_report_series(report, i)))
            return true;
    return false;
}

/* Whether a series' interval matters: device times, or wall times if there are no device times. */
static bool is_judged(const advice_facts *f, const kt_series *s)
{
    return !is_wall(s) || (f->walls_alone && kt_series_get_role(s) != KT_ROLE_WALL_TIMESTAMPED);
}

static bool is_simulated(const kt_series *s)
{
    return s->method == KT_METHOD_SIMULATED;
}

/* Half the 95 % interval over the median; NaN: the series has no interval. */
static double error_of(const kt_series *s)
{
    return (s->summary.ci95_high - s->summary.ci95_low) / 2 / s->summary.median;
}

/* Name of a series: "the wall time of matmul/8 on cpu:0", "copy/8192 heap-heap on cpu:0". */
static const char *name_of(const kt_series *s, char text[160])
{
    /* A copy is named with its direction. */
    bool copy = strcmp(s->workload, "copy") == 0 && s->variant;
    snprintf(text, 160, "%s%.40s%s%.31s on %.60s", is_wall(s) ? "the wall time of " : "", s->name,
             copy ? " " : "", copy ? s->variant : "", s->device);
    return text;
}

/* A share for display: "0.67 %", "150 %". */
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

/* Rounds up to two significant digits. */
static double round_up_digits(double value)
{
    double unit = pow(10, floor(log10(value)) - 1);
    return ceil(value / unit - 1e-9) * unit;
}

/* ---- longer samples ---- */

/* Mean of the samples, which a series below the shortest measurable span keeps without a summary;
 * 0: unknown. Samples of a coarse clock scatter, but their mean is right. */
static double mean_of(const kt_series *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->summary.n; i++)
        sum += s->samples_ns[i];
    return s->summary.n ? sum / (double)s->summary.n : 0;
}

static const kt_timer_limits *timer_limits_of(const advice_facts *f, const kt_series *s)
{
    for (uint32_t i = 0; i < kt_report_device_count(f->report); i++)
        if (strcmp(kt_report_device(f->report, i)->id, s->device) == 0)
            return kt_report_timer_limits(f->report, i);
    return NULL;
}

/* Trials per sample that make the samples of a series long enough; 0: they are, or more trials
 * would not help. */
static double trials_wanted(const advice_facts *f, const kt_series *s)
{
    const workload *w = workload_find(s->workload);
    const kt_timer_limits *limits = timer_limits_of(f, s);
    if (is_wall(s) || !w || w->size_is_trials || w->trials_max || f->measure->cold || !limits)
        return 0;
    bool below = s->status == KT_SERIES_BELOW_MIN_SPAN;
    if (!below && !(is_measured(s) && (s->summary.warnings & KT_WARNING_COARSE_CLOCK)))
        return 0;
    double resolution_ns = fmax(limits->resolution_ns, s->summary.resolution * s->trials);
    double wanted_ns =
        fmax(below ? MIN_SPANS_WANTED * kt_timer_limits_get_min_span(limits, s->clock) : 0,
             resolution_ns / wanted_error(f));
    double each_ns = below ? mean_of(s) : s->summary.median;
    double trials = each_ns > 0 ? round_up(wanted_ns / each_ns) : 0;
    return trials > s->trials && trials <= TRIALS_MAX ? trials : 0;
}

/* Advises the largest number of trials that any series needs. */
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
        snprintf(text, ADVICE_BYTES, "use --trials %.0f: %s is too short for the device's clock",
                 trials, name_of(s, name));
    }
    return most > 0;
}

/* Whether a larger size is possible and makes the work longer. */
static bool can_grow(const kt_series *s)
{
    const workload *w = workload_find(s->workload);
    bool largest = false;
    for (uint32_t i = 0; w && i < s->param_count; i++)
        largest |=
            strcmp(s->params[i].name, w->param) == 0 && (uint64_t)s->params[i].value >= w->size_max;
    return w && !w->size_is_trials && !largest;
}

/* Advises a larger size, for series that more trials cannot help: work that changes its own input,
 * cold caches, or too short work. */
static bool advise_size(const advice_facts *f, char *text)
{
    char name[160];
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        if (is_wall(s) || s->status != KT_SERIES_BELOW_MIN_SPAN || !can_grow(s))
            continue;
        snprintf(text, ADVICE_BYTES,
                 "use a larger --size: %s is shorter than the shortest measurable span",
                 name_of(s, name));
        return true;
    }
    return false;
}

/* ---- the host ---- */

/* Whether a quieter host might improve the measured times. */
static bool suffers(const advice_facts *f)
{
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        if (!is_simulated(s) && is_judged(f, s) && is_measured(s) &&
            (s->stop == KT_STOP_MAX_TIME || s->stop == KT_STOP_MAX_SAMPLES ||
             (s->summary.warnings & (KT_WARNING_DRIFT | KT_WARNING_BIMODAL))) &&
            !(error_of(s) <= wanted_error(f)))
            return true;
    }
    return false;
}

/* A copy by all cores waits for the last core, and a core used by other processes is late whatever
 * the size. More samples do not help, and the samples may well agree. */
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
        "use a quieter machine: other processes used %.1f of %.0f core%s, and copies on all cores "
        "waited for them",
        others, cores, text_plural(cores));
    return true;
}

static bool advise_quiet(const advice_facts *f, char *text)
{
    double others = kt_host_others(f->before, f->after), cores = f->after->cores;
    if (isnan(f->after->busy_ns) && f->before->load >= LOAD_MIN && suffers(f)) {
        snprintf(text, ADVICE_BYTES,
                 "use a quieter machine for narrower intervals: the load average was %.1f before",
                 f->before->load);
        return true;
    }
    if (!(others >= OTHERS_SHARE * cores) || cores == 0 || !suffers(f))
        return false;
    snprintf(
        text, ADVICE_BYTES,
        "use a quieter machine for narrower intervals: other processes used %.1f of %.0f core%s",
        others, cores, text_plural(cores));
    return true;
}

static bool advise_governor(const advice_facts *f, char *text)
{
    const char *governor = f->after->governor;
    if (!governor[0] || strcmp(governor, "performance") == 0 || !suffers(f))
        return false;
    double before = f->before->frequency_hz, after = f->after->frequency_hz;
    char change[64] = "may change the frequency of the cores";
    if (fabs(after - before) > FREQUENCY_CHANGE * before)
        snprintf(change, sizeof change, "took the cores from %.1f to %.1f GHz", before * 1e-9,
                 after * 1e-9);
    snprintf(text, ADVICE_BYTES,
             "run \"cpupower frequency-set -g performance\": the governor \"%s\" %s", governor,
             change);
    return true;
}

/* ---- sample warnings ---- */

static bool advise_drift(const advice_facts *f, char *text)
{
    double worst = 0;
    char name[160], percent[32], share[40];
    for (uint32_t i = 0; i < kt_report_series_count(f->report); i++) {
        const kt_series *s = kt_report_series(f->report, i);
        double drift = s->summary.drift;
        if (is_simulated(s) || !is_judged(f, s) || !is_measured(s) ||
            !(s->summary.warnings & KT_WARNING_DRIFT) || !(fabs(drift) > worst))
            continue;
        worst = fabs(drift);
        if (worst < 1)
            snprintf(share, sizeof share, "%s of", percent_of(worst, percent));
        else
            snprintf(share, sizeof share, "%.2g times", worst);
        snprintf(text, ADVICE_BYTES,
                 "lock the clocks, or raise %s: %s %s by %s its median while sampling",
                 s->stop == KT_STOP_MAX_SAMPLES ? "--samples" : "--max-time", name_of(s, name),
                 drift > 0 ? "rose" : "fell", share);
    }
    return worst > 0;
}

static bool advise_levels(const advice_facts *f, char *text)
{
    double widest = 0;
    char name[160], share[32];
    for (uint32_t i = 0; i < kt_report_series_count(f->report) && f->runs < RUNS_WANTED; i++) {
        const kt_series *s = kt_report_series(f->report, i);
        double apart = s->summary.cluster_high / s->summary.cluster_low - 1;
        if (!is_judged(f, s) || !is_measured(s) || !(s->summary.warnings & KT_WARNING_BIMODAL) ||
            !(apart > widest))
            continue;
        widest = apart;
        snprintf(text, ADVICE_BYTES,
                 "use --runs %d: %s is bimodal, clusters %s apart, which may differ by process",
                 RUNS_WANTED, name_of(s, name), percent_of(apart, share));
    }
    return widest > 0;
}

static bool same_but_for_run(const kt_series *a, const kt_series *b)
{
    const char *variant = a->variant ? a->variant : "", *other = b->variant ? b->variant : "";
    return strcmp(a->name, b->name) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(variant, other) == 0 && strcmp(a->step, b->step) == 0 && a->run != b->run;
}

/* How much slower run `a` was than run `b`, as a share; 0 if their intervals overlap. */
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
                     "use --runs %d: runs of %s differ by %s, more than their intervals allow",
                     RUNS_WANTED, name_of(s, name), percent_of(widest, share));
        }
    }
    return found;
}

/* ---- narrower intervals ---- */

/* Interval width falls with the square root of the number of samples. Returns the factor on samples
 * that reaches the wanted width; 0: reached, or out of reach. */
static double samples_factor(const advice_facts *f, const kt_series *s)
{
    bool ended = s->stop == KT_STOP_MAX_TIME || s->stop == KT_STOP_MAX_SAMPLES;
    unsigned others = KT_WARNING_DRIFT | KT_WARNING_BIMODAL | KT_WARNING_COARSE_CLOCK;
    double ratio = error_of(s) / wanted_error(f);
    if (!ended || !is_judged(f, s) || !is_measured(s) || (s->summary.warnings & others) ||
        !(ratio > 1) || isinf(ratio))
        return 0;
    return ratio * ratio;
}

/* Duration of that many samples: one submission with timestamps and one without per sample, unless
 * one kind suffices, and as long again for the work between them. */
static double sampling_s(const advice_facts *f, const kt_series *s, double samples)
{
    unsigned submissions = f->measure->timing == KT_TIMING_BOTH ? 2 : 1;
    return samples * submissions * 2 * s->summary.mean * s->trials * 1e-9;
}

#define OPTIONS_BYTES 96

/* Writes the options that take `factor` times as many samples. Returns false if these would take
 * too long. */
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
        return false; /* the user asked for several runs, or fixed the number of samples */
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
    snprintf(text, ADVICE_BYTES, "use %s: the interval of %.140s is +-%.16s, wanted %.16s", options,
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
