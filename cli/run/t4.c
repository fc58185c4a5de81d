/* SPDX-License-Identifier: MIT */
/*
 * t4.c - the results format T4 of the autotuners, version 1.0.0: KernelTuner/kernel_tuner,
 * kernel_tuner/schema/T4/1.0.0/results-schema.json. Its times are in ms, as those of Kernel Tuner.
 */
#include "cli/run/t4.h"

#include "cli/options/options.h"
#include "cli/output/json.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of "invalidity". Limits and arguments: it was never tried, as if by a constraint. */
static const char *const invalidities[OUTCOME_COUNT] = {
    [OUTCOME_OK] = "correct",          [OUTCOME_BUILD] = "compile",
    [OUTCOME_LIMIT] = "constraints",   [OUTCOME_ARGUMENTS] = "constraints",
    [OUTCOME_WRONG] = "correctness",   [OUTCOME_NAN] = "correctness",
    [OUTCOME_OUTSIDE] = "correctness", [OUTCOME_NOTHING] = "correctness",
    [OUTCOME_FAILED] = "runtime",      [OUTCOME_TIMEOUT] = "timeout",
    [OUTCOME_CRASHED] = "runtime",
};

/* A number if the text is one, else a string. */
static json_t *value_of(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (json_is_number(value))
        return value;
    json_decref(value);
    return json_string(text);
}

static void set_ms(json_builder *b, json_t *object, const char *key, double ns)
{
    if (!isnan(ns))
        json_set(b, object, key, json_real(kt_ns_to_ms(ns)));
}

/* What contests differ by belongs to the configuration. */
static json_t *make_configuration(json_builder *b, const answer_contest *contest,
                                  const answer_row *row, bool several)
{
    json_t *out = json_object();
    if (several) {
        json_set(b, out, "device", json_string(contest->device));
        json_set(b, out, "n", json_integer((json_int_t)contest->n));
    }
    for (size_t i = 0; i < row->value_count; i++)
        json_set(b, out, row->values[i].name, value_of(row->values[i].value));
    return out;
}

static json_t *make_times(json_builder *b, const answer_times *times, const answer_row *row)
{
    json_t *out = json_object(), *runtimes = json_array();
    set_ms(b, out, "compilation_time", row->build_ns);
    for (size_t run = 0; run < times->run_count; run++) {
        const kt_series *series = times->runs[run];
        for (size_t i = 0; i < series->summary.n; i++)
            json_add(b, runtimes, json_real(kt_ns_to_ms(series->samples_ns[i])));
    }
    json_set(b, out, "runtimes", runtimes);
    return out;
}

/* "method" is a key of ours: the format has no place for how a time was obtained. */
static void add_measurement(json_builder *b, json_t *to, const char *name, json_t *value,
                            const char *unit, const char *method)
{
    json_t *out = json_object();
    json_set(b, out, "name", json_string(name));
    json_set(b, out, "value", value);
    json_set(b, out, "unit", json_string(unit));
    if (method)
        json_set(b, out, "method", json_string(method));
    json_add(b, to, out);
}

static json_t *make_measurements(json_builder *b, const answer_times *times, const answer_row *row)
{
    json_t *out = json_array();
    if (times->run_count == 0)
        return out;
    bool one = times->run_count == 1;
    const struct {
        const char *name;
        double ns;
    } values[] = {{"time", row->median_ns},
                  {one ? "time_ci95_low" : "time_lowest_run", row->low_ns},
                  {one ? "time_ci95_high" : "time_highest_run", row->high_ns}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!isnan(values[i].ns))
            add_measurement(b, out, values[i].name, json_real(kt_ns_to_ms(values[i].ns)), "ms",
                            kt_method_name(times->runs[0]->method));
    add_measurement(b, out, "in_fastest_set", json_integer(row->in_set), "", NULL);
    return out;
}

static json_t *make_row(json_builder *b, const answer_contest *contest, const answer_row *row,
                        bool several)
{
    const answer_times *times = answer_times_of(contest, row);
    bool lost = row->outcome == OUTCOME_OK && times->run_count == 0;
    json_t *out = json_object(), *objectives = json_array();
    json_add(b, objectives, json_string("time"));
    json_set(b, out, "configuration", make_configuration(b, contest, row, several));
    json_set(b, out, "times", make_times(b, times, row));
    json_set(b, out, "invalidity", json_string(lost ? "runtime" : invalidities[row->outcome]));
    json_set(b, out, "correctness", json_integer(row->outcome == OUTCOME_OK));
    json_set(b, out, "measurements", make_measurements(b, times, row));
    json_set(b, out, "objectives", objectives);
    return out;
}

/* The document as text, to be freed; NULL: memory ran out, or a text is no UTF-8. */
static char *make_document(const answer_contest *contests, size_t count)
{
    json_builder b = {.failed = false};
    json_t *document = json_object(), *results = json_array();
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < contests[i].row_count; k++)
            json_add(&b, results, make_row(&b, &contests[i], &contests[i].rows[k], count > 1));
    json_set(&b, document, "schema_version", json_string("1.0.0"));
    json_set(&b, document, "results", results);
    char *text = b.failed ? NULL : json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    json_decref(document);
    return text;
}

static bool write_text(const char *path, const char *text, size_t bytes)
{
    if (strcmp(path, "-") != 0)
        return kt_path_write(path, text, bytes) == KT_OK;
    return fwrite(text, 1, bytes, stdout) == bytes && fflush(stdout) == 0;
}

int t4_write(const char *path, const answer_contest *contests, size_t count)
{
    char *text = make_document(contests, count);
    if (!text) {
        fprintf(stderr, "kerntime: --t4: out of memory, or a value of -D is no UTF-8\n");
        return EXIT_FAILED;
    }
    size_t length = strlen(text);
    text[length] = '\n'; /* in place of the zero */
    bool written = write_text(path, text, length + 1);
    free(text);
    if (!written)
        fprintf(stderr, "kerntime: --t4: %s\n",
                strcmp(path, "-") == 0 ? "standard output could not be written" : kt_error_text());
    return written ? EXIT_DONE : EXIT_FAILED;
}
