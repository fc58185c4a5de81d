/* SPDX-License-Identifier: MIT */
#include "cli/run/answer.h"

#include "cli/run/race.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 3 /* configurations that are named as not told apart */

/* ---- series ---- */

static bool add_run(answer_times *to, const kt_series *series)
{
    const kt_series **runs = realloc(to->runs, (to->run_count + 1) * sizeof *runs);
    if (!runs)
        return false;
    to->runs = runs;
    runs[to->run_count++] = series;
    return true;
}

bool answer_add_series(answer_row *row, const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    if (!series->samples_ns || series->summary.n == 0 || isnan(series->summary.median))
        return true;
    if (role == KT_ROLE_KERNEL)
        return add_run(&row->device, series);
    return role != KT_ROLE_WALL || add_run(&row->wall, series);
}

/* ---- judging ---- */

static bool has_passed(const answer_row *row)
{
    return row->outcome == OUTCOME_OK && !row->is_dropped;
}

/* Device times are compared only if all have them in all runs. */
static bool compares_wall(const answer_contest *contest)
{
    for (size_t i = 0; i < contest->row_count; i++) {
        const answer_row *row = &contest->rows[i];
        if (has_passed(row) && row->device.run_count < row->wall.run_count)
            return true;
    }
    return false;
}

/* Sets the median and interval of a row. Returns false if memory runs out. */
static bool set_times(answer_row *row, const answer_times *times)
{
    row->median_ns = row->low_ns = row->high_ns = NAN;
    row->in_set = false;
    if (times->run_count == 1) {
        const kt_summary *summary = &times->runs[0]->summary;
        row->median_ns = summary->median;
        row->low_ns = summary->ci95_low;
        row->high_ns = summary->ci95_high;
    } else if (times->run_count > 1) {
        size_t count = times->run_count;
        double *medians = malloc(2 * count * sizeof *medians);
        if (!medians)
            return false;
        for (size_t i = 0; i < count; i++)
            medians[i] = times->runs[i]->summary.median;
        kt_summary of_runs;
        kt_summarize(medians, count, 0, medians + count, &of_runs);
        row->median_ns = of_runs.median;
        row->low_ns = of_runs.min;
        row->high_ns = of_runs.max;
        free(medians);
    }
    return true;
}

typedef struct place {
    const answer_row *row;
    size_t index;
} place;

/* Dropped ones last; equal ones in their order. */
static int compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->row->is_dropped != b->row->is_dropped)
        return a->row->is_dropped - b->row->is_dropped;
    if (a->row->median_ns != b->row->median_ns)
        return a->row->median_ns > b->row->median_ns ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Sorts rows that were measured. Returns false if memory runs out. */
static bool sort_rows(answer_contest *contest)
{
    place *places = malloc((contest->row_count + 1) * sizeof *places);
    free(contest->by_median);
    contest->by_median = malloc((contest->row_count + 1) * sizeof *contest->by_median);
    bool done = places && contest->by_median;
    contest->measured_count = 0;
    for (size_t i = 0; i < contest->row_count && done; i++) {
        const answer_row *row = &contest->rows[i];
        if (row->outcome == OUTCOME_OK && !isnan(row->median_ns))
            places[contest->measured_count++] = (place){row, i};
    }
    if (done)
        qsort(places, contest->measured_count, sizeof *places, compare_places);
    for (size_t i = 0; i < contest->measured_count; i++)
        contest->by_median[i] = places[i].index;
    free(places);
    return done;
}

/* Configurations that are compared, in the order of rows. */
typedef struct candidates {
    size_t *rows; /* the row of each */
    const double **times_ns;
    const kt_summary **summaries; /* of the first run */
    double *medians_ns;           /* `runs` of each */
    bool *in_set;
    size_t count, runs; /* runs: that each has */
} candidates;

static void free_candidates(candidates *of)
{
    free(of->rows);
    free(of->times_ns);
    free(of->summaries);
    free(of->medians_ns);
    free(of->in_set);
}

static bool find_candidates(const answer_contest *contest, candidates *out)
{
    size_t room = contest->row_count;
    out->rows = malloc((room + 1) * sizeof *out->rows);
    for (size_t i = 0; i < room && out->rows; i++) {
        const answer_row *row = &contest->rows[i];
        if (!has_passed(row) || isnan(row->median_ns))
            continue;
        size_t runs = answer_times_of(contest, row)->run_count;
        if (out->count == 0 || runs < out->runs)
            out->runs = runs;
        out->rows[out->count++] = i;
    }
    room = out->count + 1;
    out->times_ns = malloc(room * sizeof *out->times_ns);
    out->summaries = malloc(room * sizeof *out->summaries);
    out->medians_ns = malloc(room * (out->runs + 1) * sizeof *out->medians_ns);
    out->in_set = malloc(room * sizeof *out->in_set);
    return out->rows && out->times_ns && out->summaries && out->medians_ns && out->in_set;
}

/* Of one run the samples count, of several runs their medians. Returns the fastest candidate. */
static size_t find_set(const answer_contest *contest, candidates *of)
{
    for (size_t i = 0; i < of->count; i++) {
        const answer_times *times = answer_times_of(contest, &contest->rows[of->rows[i]]);
        double *medians_ns = of->medians_ns + i * of->runs;
        for (size_t run = 0; run < of->runs; run++)
            medians_ns[run] = times->runs[run]->summary.median;
        of->times_ns[i] = of->runs > 1 ? medians_ns : times->runs[0]->samples_ns;
        of->summaries[i] = &times->runs[0]->summary;
    }
    return of->runs > 1 ? race_fastest_of_runs(of->times_ns, of->runs, of->count, of->in_set)
                        : race_fastest(of->times_ns, of->summaries, of->count, of->in_set);
}

static bool judge_rows(answer_contest *contest)
{
    candidates c = {.count = 0};
    bool done = find_candidates(contest, &c);
    size_t fastest = done && c.count > 0 ? find_set(contest, &c) : SIZE_MAX;
    for (size_t i = 0; i < c.count && fastest != SIZE_MAX; i++) {
        contest->rows[c.rows[i]].in_set = c.in_set[i];
        contest->set_count += c.in_set[i];
    }
    if (fastest != SIZE_MAX)
        contest->fastest = c.rows[fastest];
    done = done && (c.count == 0 || fastest != SIZE_MAX);
    free_candidates(&c);
    return done;
}

bool answer_judge(answer_contest *contest)
{
    contest->is_wall = compares_wall(contest);
    contest->fastest = SIZE_MAX;
    contest->set_count = 0;
    for (size_t i = 0; i < contest->row_count; i++) {
        answer_row *row = &contest->rows[i];
        if (!set_times(row, answer_times_of(contest, row)))
            return false;
    }
    return sort_rows(contest) && judge_rows(contest);
}

void answer_free(answer_contest *contest)
{
    for (size_t i = 0; i < contest->row_count; i++) {
        answer_row *row = &contest->rows[i];
        free(row->device.runs);
        free(row->wall.runs);
        row->device = row->wall = (answer_times){.run_count = 0};
    }
    free(contest->by_median);
    contest->by_median = NULL;
    contest->measured_count = 0;
}

/* ---- the sentence ---- */

/* A text that grows; NULL after memory ran out. */
typedef struct text {
    char *bytes;
    size_t length;
} text;

static void put(text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *to, const char *format, ...)
{
    va_list arguments;
    char piece[512];
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || !to->bytes)
        return;
    size_t more = strlen(piece); /* what did not fit is cut */
    char *grown = realloc(to->bytes, to->length + more + 1);
    if (!grown) {
        free(to->bytes);
        to->bytes = NULL;
        return;
    }
    memcpy(grown + to->length, piece, more + 1);
    to->bytes = grown;
    to->length += more;
}

static const char *name_of(const answer_row *row)
{
    return row->text && *row->text ? row->text : "without a name";
}

/* "1.02 ms ± 0.3 %": of the interval the farther end, as in the table. */
static void put_time(text *to, const answer_contest *contest, const answer_row *row)
{
    size_t runs = answer_times_of(contest, row)->run_count;
    char median[32], low[32], high[32];
    double half = fmax(row->high_ns - row->median_ns, row->median_ns - row->low_ns);
    double percent = 100 * half / row->median_ns;
    put(to, "%s", kt_format_ns(median, sizeof median, row->median_ns));
    if (runs > 1)
        put(to, " (%s .. %s in %zu runs)", kt_format_ns(low, sizeof low, row->low_ns),
            kt_format_ns(high, sizeof high, row->high_ns), runs);
    else if (half == 0)
        put(to, " ± 0 %%");
    else if (percent >= 9.95)
        put(to, " ± %.0f %%", percent);
    else if (percent > 0)
        put(to, percent >= 0.095 ? " ± %.1f %%" : " ± %.1g %%", percent);
}

/* Others of the set, and how many it has. */
static void put_set(text *to, const answer_contest *contest)
{
    size_t others = contest->set_count - 1, named = 0;
    const char *wall = contest->is_wall ? "wall" : "";
    if (others == 0) {
        put(to, " (%s%s1 of %zu)", wall, *wall ? ", " : "", contest->row_count);
        return;
    }
    put(to, "%s. Not told apart: ", *wall ? " (wall)" : "");
    for (size_t i = 0; i < contest->measured_count && named < NAMED_MAX; i++) {
        const answer_row *row = &contest->rows[contest->by_median[i]];
        if (row->in_set && contest->by_median[i] != contest->fastest)
            put(to, "%s%s", named++ ? ", " : "", name_of(row));
    }
    if (others > named)
        put(to, " and %zu more", others - named);
    put(to, " (%zu of %zu)", contest->set_count, contest->row_count);
}

/* Reasons for which configurations have no place in the answer, and words for one and for more. */
static const struct {
    launch_outcome outcome;
    const char *in_reason; /* words of the reason; NULL: any */
    const char *one, *more;
} failures[] = {
    {OUTCOME_WRONG, NULL, "wrong", "wrong"},
    {OUTCOME_NAN, NULL, "with NaN", "with NaN"},
    {OUTCOME_OUTSIDE, NULL, "writes outside of its buffers", "write outside of their buffers"},
    {OUTCOME_NOTHING, NULL, "writes nothing", "write nothing"},
    {OUTCOME_BUILD, NULL, "does not build", "do not build"},
    {OUTCOME_LIMIT, "local memory", "exceeds the local memory", "exceed the local memory"},
    {OUTCOME_LIMIT, "a group of ", "exceeds the group size", "exceed the group size"},
    {OUTCOME_LIMIT, NULL, "exceeds a limit of the device", "exceed a limit of the device"},
    {OUTCOME_ARGUMENTS, NULL, "cannot be launched", "cannot be launched"},
    {OUTCOME_FAILED, NULL, "failed", "failed"},
    {OUTCOME_TIMEOUT, NULL, "timed out", "timed out"},
    {OUTCOME_CRASHED, NULL, "crashed", "crashed"},
    {OUTCOME_OK, NULL, "not measured", "not measured"},
};

#define FAILURES (sizeof failures / sizeof failures[0])

/* Index into `failures` of a row; FAILURES: it has a time. */
static size_t failure_of(const answer_row *row)
{
    if (row->outcome == OUTCOME_OK && (row->is_dropped || !isnan(row->median_ns)))
        return FAILURES;
    size_t i = 0;
    while (failures[i].outcome != row->outcome ||
           (failures[i].in_reason && !(row->reason && strstr(row->reason, failures[i].in_reason))))
        i++;
    return i;
}

/* "3 wrong, 1 crashed"; nothing if all have times. */
static void put_failures(text *to, const char *before, const answer_contest *contest)
{
    size_t counts[FAILURES + 1] = {0};
    for (size_t i = 0; i < contest->row_count; i++)
        counts[failure_of(&contest->rows[i])]++;
    for (size_t i = 0; i < FAILURES; i++) {
        if (counts[i] == 0)
            continue;
        put(to, "%s%zu %s", before, counts[i], counts[i] == 1 ? failures[i].one : failures[i].more);
        before = ", ";
    }
}

static bool has_right_results(const answer_contest *contest)
{
    for (size_t i = 0; i < contest->row_count; i++)
        if (contest->rows[i].outcome == OUTCOME_OK)
            return true;
    return false;
}

char *answer_sentence(const answer_contest *contest, bool is_named)
{
    text t = {.bytes = calloc(1, 1)};
    if (contest->row_count < 2)
        return t.bytes;
    if (is_named)
        put(&t, "%s, n=%" PRIu64 ": ", contest->device, contest->n);
    if (contest->fastest == SIZE_MAX) {
        put(&t, "no configuration %s",
            has_right_results(contest) ? "could be timed" : "gave right results");
        put_failures(&t, ": ", contest);
    } else {
        const answer_row *row = &contest->rows[contest->fastest];
        put(&t, "%s: %s, ", contest->measured_count > 1 ? "fastest" : "measured", name_of(row));
        put_time(&t, contest, row);
        put_set(&t, contest);
        put_failures(&t, ". ", contest);
    }
    put(&t, ".");
    return t.bytes;
}
