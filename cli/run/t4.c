/*
 * t4.c - the results format T4 of the autotuners, version 1.0.0: KernelTuner/kernel_tuner,
 * kernel_tuner/schema/T4/1.0.0/results-schema.json. Its times are in ms, as those of Kernel Tuner.
 */
#include "cli/run/t4.h"

#include "cli/options/options.h"

#include <jansson.h>
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

/* A document in the making: each step fails once one has. */
typedef struct t4_file {
    bool failed;
} t4_file;

static void set(t4_file *file, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        file->failed = true;
}

static void append(t4_file *file, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        file->failed = true;
}

/* A number if the text is one, else a string. */
static json_t *value_of(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (json_is_number(value))
        return value;
    json_decref(value);
    return json_string(text);
}

static void set_ms(t4_file *file, json_t *object, const char *key, double ns)
{
    if (!isnan(ns))
        set(file, object, key, json_real(kt_ns_to_ms(ns)));
}

/* What contests differ by belongs to the configuration. */
static json_t *make_configuration(t4_file *file, const answer_contest *contest,
                                  const answer_row *row, bool several)
{
    json_t *out = json_object();
    if (several) {
        set(file, out, "device", json_string(contest->device));
        set(file, out, "n", json_integer((json_int_t)contest->n));
    }
    for (size_t i = 0; i < row->value_count; i++)
        set(file, out, row->values[i].name, value_of(row->values[i].value));
    return out;
}

static json_t *make_times(t4_file *file, const answer_times *times, const answer_row *row)
{
    json_t *out = json_object(), *runtimes = json_array();
    set_ms(file, out, "compilation_time", row->build_ns);
    for (size_t run = 0; run < times->run_count; run++) {
        const kt_series *series = times->runs[run];
        for (size_t i = 0; i < series->summary.n; i++)
            append(file, runtimes, json_real(kt_ns_to_ms(series->samples_ns[i])));
    }
    set(file, out, "runtimes", runtimes);
    return out;
}

/* "method" is a key of ours: the format has no place for how a time was obtained. */
static void add_measurement(t4_file *file, json_t *to, const char *name, json_t *value,
                            const char *unit, const char *method)
{
    json_t *out = json_object();
    set(file, out, "name", json_string(name));
    set(file, out, "value", value);
    set(file, out, "unit", json_string(unit));
    if (method)
        set(file, out, "method", json_string(method));
    append(file, to, out);
}

static json_t *make_measurements(t4_file *file, const answer_times *times, const answer_row *row)
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
            add_measurement(file, out, values[i].name, json_real(kt_ns_to_ms(values[i].ns)), "ms",
                            kt_method_name(times->runs[0]->method));
    add_measurement(file, out, "in_fastest_set", json_integer(row->in_set), "", NULL);
    return out;
}

static json_t *make_row(t4_file *file, const answer_contest *contest, const answer_row *row,
                        bool several)
{
    const answer_times *times = answer_times_of(contest, row);
    bool lost = row->outcome == OUTCOME_OK && times->run_count == 0;
    json_t *out = json_object(), *objectives = json_array();
    append(file, objectives, json_string("time"));
    set(file, out, "configuration", make_configuration(file, contest, row, several));
    set(file, out, "times", make_times(file, times, row));
    set(file, out, "invalidity", json_string(lost ? "runtime" : invalidities[row->outcome]));
    set(file, out, "correctness", json_integer(row->outcome == OUTCOME_OK));
    set(file, out, "measurements", make_measurements(file, times, row));
    set(file, out, "objectives", objectives);
    return out;
}

/* The document as text, to be freed; NULL: memory ran out, or a text is no UTF-8. */
static char *make_document(const answer_contest *contests, size_t count)
{
    t4_file file = {.failed = false};
    json_t *document = json_object(), *results = json_array();
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < contests[i].row_count; k++)
            append(&file, results, make_row(&file, &contests[i], &contests[i].rows[k], count > 1));
    set(&file, document, "schema_version", json_string("1.0.0"));
    set(&file, document, "results", results);
    char *text =
        file.failed ? NULL : json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
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
