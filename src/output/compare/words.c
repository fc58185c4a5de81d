/* SPDX-License-Identifier: MIT */
/* words.c - words and numbers shared by the table of a comparison, its notes and its JSON. */
#include "output/compare/notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const kt_series *kt_compare_series(const kt_series_change *row)
{
    return row->baseline_series ? row->baseline_series : row->contender_series;
}

int kt_compare_device_length(const kt_series_change *row)
{
    const char *id = kt_compare_series(row)->device;
    const char *other = row->contender_series ? row->contender_series->device : id;
    int length = 0, part = 0;
    for (; id[length] && id[length] == other[length]; length++)
        part = id[length] == ':' ? length : part;
    bool ends = !id[length] || id[length] == ':',
         other_ends = !other[length] || other[length] == ':';
    return ends && other_ends ? length : part;
}

const char *kt_compare_step(const kt_compare_notes *to, uint32_t index)
{
    const kt_series *series = kt_compare_series(&to->document->changes[index]);
    bool reported = kt_series_is_wall(series) || to->jobs->rows[index].several;
    return reported ? series->step : NULL;
}

static int decimals_of(double min_effect)
{
    int decimals = 1;
    for (double shown = 0.005; decimals < 6 && min_effect < 0.999 * shown; shown /= 10)
        decimals++;
    return decimals;
}

/* A change in percent, without " %". A change rounded to 0 has no sign. */
static char *percent_text(double change, double min_effect, char *text, size_t bytes)
{
    double percent = 100 * change;
    int decimals = fabs(percent) >= 99.95 ? 0 : decimals_of(min_effect);
    snprintf(text, bytes, "%+.*f", decimals, percent);
    if (strtod(text, NULL) == 0)
        snprintf(text, bytes, "%.*f", decimals, 0.0);
    return text;
}

/* Changes from FACTOR_FROM on and up to FACTOR_BELOW are shown as factors, easier to read. */
#define FACTOR_FROM  10
#define FACTOR_BELOW (-0.9) /* "-100 %" of a time could leave a tenth or a millionth of it */

static bool is_factor(double change)
{
    return change >= FACTOR_FROM || change <= FACTOR_BELOW;
}

char *kt_change_text(double change, double min_effect, char *text, size_t bytes)
{
    char percent[24];
    if (!isfinite(change))
        snprintf(text, bytes, "-");
    else if (is_factor(change))
        snprintf(text, bytes, change < 9999 && change > 0 ? "%.1fx" : "%.2gx", 1 + change);
    else
        snprintf(text, bytes, "%s %%", percent_text(change, min_effect, percent, sizeof percent));
    return text;
}

/* Ends of an interval beyond a factor of CAP say no more than that factor. */
#define CAP 10

static bool is_above_cap(double low, double high)
{
    return 1 + high > CAP && 1 + low < CAP && 1 + high >= CAP * (1 + low);
}

static bool is_below_cap(double low, double high)
{
    return is_above_cap(1 / (1 + high) - 1, 1 / (1 + low) - 1);
}

bool kt_is_capped(double low, double high)
{
    return is_above_cap(low, high) || is_below_cap(low, high);
}

char *kt_change_interval_text(double low, double high, double min_effect, char *text, size_t bytes)
{
    char from[32], to[32];
    if (!isfinite(low) || !isfinite(high))
        snprintf(text, bytes, "-");
    else if (is_above_cap(low, high) && is_below_cap(low, high))
        snprintf(text, bytes, "more than %dx either way", CAP);
    else if (is_above_cap(low, high))
        snprintf(text, bytes, "%s .. > %dx", kt_change_text(low, min_effect, from, sizeof from),
                 CAP);
    else if (is_below_cap(low, high))
        snprintf(text, bytes, "< %.1fx .. %s", 1.0 / CAP,
                 kt_change_text(high, min_effect, to, sizeof to));
    else if (is_factor(low) || is_factor(high))
        snprintf(text, bytes, "%s .. %s", kt_change_text(low, min_effect, from, sizeof from),
                 kt_change_text(high, min_effect, to, sizeof to));
    else
        snprintf(text, bytes, "%s .. %s %%", percent_text(low, min_effect, from, sizeof from),
                 percent_text(high, min_effect, to, sizeof to));
    return text;
}

/* "1 %" for an option's share, with no more digits than it has. */
char *kt_option_text(double share, char *text, size_t bytes)
{
    snprintf(text, bytes, "%.3g %%", 100 * share);
    return text;
}

/* ---- verdicts and the reasons for doubt ---- */

const char *kt_verdict_text(kt_verdict verdict)
{
    return verdict == KT_VERDICT_LIKELY_SLOWER   ? "likely slower"
           : verdict == KT_VERDICT_LIKELY_FASTER ? "likely faster"
                                                 : kt_verdict_name(verdict);
}

kt_color kt_verdict_color(kt_verdict verdict)
{
    switch (verdict) {
    case KT_VERDICT_SLOWER:
    case KT_VERDICT_LIKELY_SLOWER: return KT_COLOR_BAD;
    case KT_VERDICT_FASTER:
    case KT_VERDICT_LIKELY_FASTER: return KT_COLOR_GOOD;
    default: return KT_COLOR_HEAD;
    }
}

bool kt_is_likely(const kt_change *change)
{
    return change->verdict == KT_VERDICT_LIKELY_SLOWER ||
           change->verdict == KT_VERDICT_LIKELY_FASTER;
}

/* Fewest runs a side to advise. */
#define LIKELY_RUNS  3
#define RUNS_ADVISED 5

char *kt_runs_text(const kt_compare_document *document, uint32_t runs, char *text, size_t bytes)
{
    snprintf(text, bytes, document->of_program ? "%u runs each" : "--runs %u", runs);
    return text;
}

char *kt_likely_text(const kt_compare_document *document, const kt_change *change, char *text,
                     size_t bytes)
{
    double factor = exp(fabs(log1p(change->shift)));
    uint32_t needed = change->runs_needed;
    bool known = needed && needed <= KT_RUNS_USUAL;
    uint32_t runs = !known ? RUNS_ADVISED : needed < LIKELY_RUNS ? LIKELY_RUNS : needed;
    static const char *const verbs[2][2] = {{"measures it", "decides"}, {"measure it", "decide"}};
    char how[32];
    snprintf(text, bytes, "%.*fx (one run a side; %s %s)", factor < 100 ? 1 : 0, factor,
             kt_runs_text(document, runs, how, sizeof how), verbs[document->of_program][known]);
    return text;
}

static bool is_surely_apart(const kt_change *change)
{
    return change->shift_low > 0 || change->shift_high < 0;
}

static bool is_near(const kt_change *change, double bound)
{
    return change->shift_high <= bound && 1 / (1 + change->shift_low) - 1 <= bound;
}

kt_compare_doubt kt_find_doubt(const kt_compare_document *document, const kt_change *change)
{
    const kt_compare_options *options = &document->options;
    bool large = fabs(log1p(change->shift)) >= log1p(options->min_effect);
    if (kt_is_likely(change))
        return KT_DOUBT_LIKELY;
    if (change->verdict != KT_VERDICT_INCONCLUSIVE || !kt_has_interval(change))
        return KT_DOUBT_NONE;
    /* No sample overlaps, so only their number is against it. */
    bool apart = change->p_longer <= 0 || change->p_longer >= 1;
    if (is_surely_apart(change) && apart && change->rank_p > options->alpha)
        return KT_DOUBT_SAMPLES;
    if (is_surely_apart(change))
        return large && change->q <= options->alpha   ? KT_DOUBT_RANKS
               : large && change->p <= options->alpha ? KT_DOUBT_CHANCE
                                                      : KT_DOUBT_SMALL;
    bool single = change->baseline_runs < 2 || change->contender_runs < 2;
    return single && is_near(change, 2 * options->min_effect) ? KT_DOUBT_SINGLE : KT_DOUBT_NOISE;
}

const char *kt_doubt_name(kt_compare_doubt doubt)
{
    static const char *const names[KT_DOUBT_COUNT] = {
        [KT_DOUBT_NOISE] = "noise",     [KT_DOUBT_SMALL] = "small",
        [KT_DOUBT_CHANCE] = "chance",   [KT_DOUBT_RANKS] = "ranks",
        [KT_DOUBT_SINGLE] = "one run",  [KT_DOUBT_LIKELY] = "one run",
        [KT_DOUBT_SAMPLES] = "samples",
    };
    return names[doubt];
}

char *kt_doubt_text(const kt_compare_document *document, kt_compare_doubt doubt, char *text,
                    size_t bytes)
{
    char effect[32];
    kt_option_text(document->options.min_effect, effect, sizeof effect);
    if (doubt == KT_DOUBT_NOISE)
        snprintf(text, bytes, "the times vary too much to tell the same from changed");
    else if (doubt == KT_DOUBT_SMALL)
        snprintf(text, bytes, "changed, but perhaps by less than %s", effect);
    else if (doubt == KT_DOUBT_CHANCE)
        snprintf(text, bytes, "looks changed, but of %zu rows one may look so by chance",
                 document->common.rows);
    else if (doubt == KT_DOUBT_RANKS)
        snprintf(text, bytes, "the mean looks changed, but the times of the runs overlap");
    else if (doubt == KT_DOUBT_SAMPLES)
        snprintf(text, bytes, "looks changed, which so few samples of one run cannot show");
    else
        snprintf(text, bytes, "looks the same, which a single run cannot show");
    return text;
}

/* ---- common-mode shift ---- */

/* Common-mode shifts below this share of the minimum effect do not show in the column CHANGE. */
#define COMMON_SAID_FROM 0.05

bool kt_is_taken_off(const kt_compare_document *document)
{
    return fabs(document->common.shift) >= COMMON_SAID_FROM * document->options.min_effect;
}
