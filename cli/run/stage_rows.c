/* SPDX-License-Identifier: MIT */
/* stage_rows.c - the report of a run, and its answers. */
#include "cli/output/output.h"
#include "cli/output/text.h"
#include "cli/run/figure.h"
#include "cli/run/stage_run.h"
#include "cli/run/subject.h"
#include "cli/run/t4.h"
#include "cli/session/merge.h"
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 20 /* configurations of a contest in the table */

/* ---- names of a configuration in results ---- */

typedef struct row_names {
    char name[SIGNATURE_NAME_BYTES + 32];
    char variant[RUN_TEXT_BYTES];
    kt_param params[1 + RUN_DEFINES_MAX];
    kt_job_desc desc; /* points to the above */
} row_names;

static void set_names(const run_plan *plan, const configuration *c, row_names *out)
{
    const run_subject *subject = &plan->subjects[c->subject];
    snprintf(out->name, sizeof out->name, "%s/%" PRIu64, subject->name, c->n);
    snprintf(out->variant, sizeof out->variant, "%s", c->text);
    uint32_t count = 0;
    out->params[count++] = (kt_param){"n", (int64_t)c->n};
    for (size_t i = 0; i < plan->define_count[c->subject]; i++) {
        const run_define *define = &plan->defines[c->subject][i];
        const char *text = define->values[c->value_of[i]];
        char *end;
        errno = 0;
        long long value = strtoll(text, &end, 10);
        if (end != text && *end == '\0' && errno == 0)
            out->params[count++] = (kt_param){define->name, value};
    }
    out->desc = (kt_job_desc){.size = sizeof out->desc,
                              .name = out->name,
                              .workload = subject->name,
                              .variant = out->variant[0] ? out->variant : NULL,
                              .params = out->params,
                              .param_count = count};
}

/* ---- contests ---- */

/* What an answer_row needs besides: its number, and texts that live as long. */
typedef struct row_extra {
    size_t number;
    answer_value values[RUN_DEFINES_MAX + 1];
    char local[80];
    row_names names;
} row_extra;

static size_t add_values(const run_plan *plan, const configuration *c, row_extra *extra)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->define_count[c->subject]; i++) {
        const run_define *define = &plan->defines[c->subject][i];
        extra->values[count++] = (answer_value){define->name, define->values[c->value_of[i]]};
    }
    if (!c->local[0])
        return count;
    size_t length = 0;
    for (int i = 0; i < 3 && c->local[i]; i++)
        length += (size_t)snprintf(extra->local + length, sizeof extra->local - length,
                                   "%s%" PRId64, i ? "," : "", c->local[i]);
    extra->values[count++] = (answer_value){"local", extra->local};
    return count;
}

static const char *number_name(size_t number, char text[32])
{
    snprintf(text, 32, "%zu", number);
    return text;
}

/* Adds the series that stages measured of a row to its times. */
static bool add_times(const run_state *r, answer_row *row, size_t number)
{
    char name[32];
    number_name(number, name);
    bool done = true;
    size_t count = row->is_dropped ? r->race_count : r->result_count;
    for (size_t i = 0; i < count && row->outcome == OUTCOME_OK; i++) {
        const kt_report *from = row->is_dropped ? r->races[i] : r->results[i];
        for (uint32_t k = 0; from && k < kt_report_series_count(from); k++)
            if (strcmp(kt_report_series(from, k)->name, name) == 0)
                done = answer_add_series(row, kt_report_series(from, k)) && done;
    }
    return done;
}

static bool add_row(const run_state *r, answer_contest *contest, row_extra *extra, size_t number)
{
    const configuration *c = &r->plan->configurations[number];
    const run_fate *fate = &r->fates[number];
    extra->number = number;
    set_names(r->plan, c, &extra->names);
    answer_row *row = &contest->rows[contest->row_count++];
    *row = (answer_row){.text = extra->names.variant[0] ? extra->names.variant
                                                        : r->plan->subjects[c->subject].name,
                        .values = extra->values,
                        .value_count = add_values(r->plan, c, extra),
                        .outcome = fate->outcome,
                        .reason = fate->reason,
                        .is_dropped = fate->is_dropped,
                        .build_ns = fate->build_ns,
                        .first_use_ns = fate->first_use_ns,
                        .median_ns = NAN,
                        .low_ns = NAN,
                        .high_ns = NAN};
    return add_times(r, row, number);
}

static bool fill_contest(run_state *r, size_t index, answer_contest *contest, row_extra *extras)
{
    const run_plan *plan = r->plan;
    size_t count = 0, first = STAGE_NONE;
    for (size_t i = 0; i < plan->configuration_count; i++)
        if (plan->configurations[i].contest == index) {
            first = first == STAGE_NONE ? i : first;
            count++;
        }
    *contest = (answer_contest){.rows = calloc(count + 1, sizeof(answer_row))};
    if (!contest->rows || count == 0)
        return contest->rows != NULL;
    const configuration *c = &plan->configurations[first];
    contest->device = r->selected.devices[c->device].info.id;
    contest->kernel = plan->subjects[c->subject].name;
    contest->n = c->n;
    bool done = true;
    for (size_t i = first; i < plan->configuration_count && done; i++)
        if (plan->configurations[i].contest == index)
            done = add_row(r, contest, &extras[contest->row_count], i);
    return done && answer_judge(contest);
}

/* ---- the report ---- */

static kt_series_status status_of(launch_outcome outcome)
{
    return stage_is_possible(outcome) ? KT_SERIES_FAILED : KT_SERIES_NOT_POSSIBLE;
}

/* The role of the times of a row of the set of the fastest; KT_ROLE_COPY, which none has: it is not
 * in the set, or has no rival. */
static kt_series_role fastest_role(const answer_contest *contest, const answer_row *row)
{
    if (!row->in_set || contest->row_count < 2)
        return KT_ROLE_COPY;
    return answer_row_is_wall(contest, row) ? KT_ROLE_WALL : KT_ROLE_KERNEL;
}

static bool is_wrong(launch_outcome outcome)
{
    return outcome == OUTCOME_WRONG || outcome == OUTCOME_NAN || outcome == OUTCOME_OUTSIDE;
}

/* Adds the row of a configuration whose output is wrong. */
static kt_status add_wrong(kt_report *to, const char *device, const kt_job_desc *desc,
                           const char *reason)
{
    kt_report *alone = NULL;
    kt_status status = kt_report_create(&alone, NULL);
    if (status == KT_OK)
        status = kt_report_add_failure(alone, device, desc, KT_SERIES_FAILED, reason);
    if (status == KT_OK) {
        kt_series series = *kt_report_series(alone, 0);
        series.wrong = 1;
        status = kt_report_add_series(to, &series);
    }
    kt_report_destroy(&alone);
    return status;
}

/* Adds what one stage measured of a configuration, under its own names. */
static kt_status add_series(kt_report *to, const kt_report *from, const row_extra *extra,
                            kt_series_role fastest, uint32_t run)
{
    char name[32];
    number_name(extra->number, name);
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < kt_report_series_count(from) && status == KT_OK; i++) {
        kt_series series = *kt_report_series(from, i);
        if (strcmp(series.name, name) != 0)
            continue;
        const kt_job_desc *desc = &extra->names.desc;
        series.name = desc->name;
        series.workload = desc->workload;
        series.variant = desc->variant;
        series.params = desc->params;
        series.param_count = desc->param_count;
        series.run = run;
        series.fastest = kt_series_get_role(&series) == fastest;
        status = kt_report_add_series(to, &series);
    }
    return status;
}

/* Which rows a report has, and which reasons of failures. */
typedef struct report_scope {
    size_t most;      /* rows of a contest */
    bool leaves_told; /* without the reasons that standard error has */
} report_scope;

static kt_status report_row(const run_state *r, const answer_contest *contest, size_t index,
                            const row_extra *extra, const report_scope *scope, kt_report *to)
{
    const answer_row *row = &contest->rows[index];
    if (row->outcome != OUTCOME_OK) {
        bool left_out = scope->leaves_told && run_is_told(r, extra->number);
        const char *reason = left_out ? NULL : row->reason;
        return is_wrong(row->outcome)
                   ? add_wrong(to, contest->device, &extra->names.desc, reason)
                   : kt_report_add_failure(to, contest->device, &extra->names.desc,
                                           status_of(row->outcome), reason);
    }
    kt_status status = KT_OK;
    size_t count = row->is_dropped ? r->race_count : r->result_count;
    for (size_t i = 0; i < count && status == KT_OK; i++) {
        const kt_report *from = row->is_dropped ? r->races[i] : r->results[i];
        if (from)
            status = add_series(to, from, extra, fastest_role(contest, row),
                                row->is_dropped ? 0 : (uint32_t)i);
    }
    return status;
}

/* Adds a contest: rows with times, fastest first, then all others. */
static kt_status report_contest(const run_state *r, const answer_contest *contest,
                                const row_extra *extras, const report_scope *scope, kt_report *to)
{
    kt_status status = KT_OK;
    size_t count = 0, most = scope->most;
    for (size_t i = 0; i < contest->measured_count && count < most && status == KT_OK; i++) {
        size_t index = contest->by_median[i];
        status = report_row(r, contest, index, &extras[index], scope, to);
        count++;
    }
    for (size_t i = 0; i < contest->row_count && count < most && status == KT_OK; i++)
        if (isnan(contest->rows[i].median_ns)) {
            status = report_row(r, contest, i, &extras[i], scope, to);
            count++;
        }
    return status;
}

static kt_status report_devices(const run_state *r, kt_report *to)
{
    kt_status status = KT_OK;
    for (size_t i = 0; i < r->selected.count && status == KT_OK; i++) {
        bool used = false;
        for (size_t k = 0; k < r->plan->contest_count; k++)
            used |= strcmp(r->contests[k].device, r->selected.devices[i].info.id) == 0;
        if (used)
            status = kt_report_add_device(to, &r->selected.devices[i].info, NULL);
    }
    for (size_t i = 0; i < r->result_count && status == KT_OK; i++)
        if (r->results[i])
            status = merge_devices(to, r->results[i]);
    for (size_t i = 0; i < r->race_count && status == KT_OK; i++)
        status = merge_devices(to, r->races[i]);
    return status;
}

static kt_report *make_report(const run_state *r, const row_extra *const *extras,
                              const report_scope *scope)
{
    kt_report *report = NULL;
    const kt_report_desc desc = output_describe(r->options, "result");
    kt_status status = kt_report_create(&report, &desc);
    if (status == KT_OK)
        status = report_devices(r, report);
    for (size_t i = 0; i < r->plan->contest_count && status == KT_OK; i++)
        status = report_contest(r, &r->contests[i], extras[i], scope, report);
    if (status != KT_OK)
        kt_report_destroy(&report);
    return report;
}

/* ---- output ---- */

/* A sentence, in lines as wide as the terminal. */
static void print_sentence(const char *text, FILE *to)
{
    size_t first = strcspn(text, " ");
    unsigned width = to == stdout ? terminal_width() : terminal_error_width();
    fprintf(to, "%.*s", (int)first, text);
    terminal_wrap(to, text + first + (text[first] == ' '), (int)first, 1, (int)width);
}

static void print_answers(const run_state *r, FILE *to)
{
    bool is_first = true;
    for (size_t i = 0; i < r->plan->contest_count; i++) {
        char *text = answer_sentence(&r->contests[i], r->plan->contest_count > 1);
        if (text && *text) {
            fprintf(to, "%s", is_first && to == stdout ? "\n" : "");
            print_sentence(text, to);
            is_first = false;
        }
        free(text);
    }
}

/* Prints the trace that a stage left. */
static int print_trace(const run_state *r)
{
    char block[4096];
    size_t count;
    while (r->trace && (count = fread(block, 1, sizeof block, r->trace)) > 0)
        fwrite(block, 1, count, stdout);
    return r->trace ? EXIT_DONE : EXIT_FAILED;
}

/* Says what the table lacks. */
static void print_remarks(const run_state *r, size_t left_out)
{
    size_t dropped = 0, all = 0;
    for (size_t i = 0; i < r->plan->contest_count; i++) {
        all += r->contests[i].row_count;
        for (size_t k = 0; k < r->contests[i].row_count; k++)
            dropped += r->contests[i].rows[k].is_dropped;
    }
    if (left_out)
        printf("%zu more row%s: --csv FILE has all\n", left_out, text_plural(left_out));
    if (dropped)
        printf("%zu of %zu were surely slower after few samples, and were measured no further\n",
               dropped, all);
}

static int write_all(run_state *r, const row_extra *const *extras)
{
    size_t left_out = 0, contests = r->plan->contest_count;
    for (size_t i = 0; i < contests; i++) {
        size_t count = r->contests[i].row_count;
        left_out += count > SHOWN_MAX ? count - SHOWN_MAX : 0;
    }
    bool has_table = output_has_table(r->options);
    /* The table is where the messages are: on a terminal. */
    const report_scope all = {SIZE_MAX, false},
                       shown = {SHOWN_MAX, terminal_width() && terminal_error_width()};
    r->report = make_report(r, extras, &all);
    kt_report *table = has_table ? make_report(r, extras, &shown) : NULL;
    if (!r->report || (has_table && !table))
        return run_out();
    int code = output_write_parts(r->options, r->report, has_table ? table : r->report);
    const char *trace = r->options->files[OUTPUT_TRACE];
    if (trace && strcmp(trace, "-") == 0 && print_trace(r) != EXIT_DONE)
        code = EXIT_FAILED;
    if (has_table)
        print_remarks(r, left_out);
    if (r->options->plot && figure_write(r->options, r->report, r->contests, contests) != EXIT_DONE)
        code = EXIT_FAILED;
    if (r->options->run.t4 && t4_write(r->options->run.t4, r->contests, contests) != EXIT_DONE)
        code = EXIT_FAILED;
    if (!output_is_silent(r->options))
        print_answers(r, has_table ? stdout : stderr);
    kt_report_destroy(&table);
    return code;
}

int run_write(run_state *r)
{
    size_t contests = r->plan->contest_count;
    row_extra **extras = calloc(contests + 1, sizeof *extras);
    r->contests = calloc(contests + 1, sizeof *r->contests);
    bool done = extras && r->contests;
    for (size_t i = 0; i < contests && done; i++) {
        size_t count = 0;
        for (size_t k = 0; k < r->plan->configuration_count; k++)
            count += r->plan->configurations[k].contest == i;
        extras[i] = calloc(count + 1, sizeof **extras);
        done = extras[i] && fill_contest(r, i, &r->contests[i], extras[i]);
    }
    int code = done ? write_all(r, (const row_extra *const *)extras) : run_out();
    for (size_t i = 0; i < contests && r->contests; i++) {
        answer_free(&r->contests[i]);
        free(r->contests[i].rows);
    }
    for (size_t i = 0; i < contests && extras; i++)
        free(extras[i]);
    free(extras);
    free(r->contests);
    r->contests = NULL;
    return code;
}
