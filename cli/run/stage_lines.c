/* SPDX-License-Identifier: MIT */
/* stage_lines.c - lines, lists and names between the processes of a run. */
#include "cli/run/stage_parts.h"

#include "cli/output/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const stage_words[] = {
    [STAGE_CHECK] = "check", [STAGE_RACE] = "race", [STAGE_MEASURE] = "measure", NULL};

bool stage_is_possible(launch_outcome outcome)
{
    return outcome != OUTCOME_LIMIT && outcome != OUTCOME_ARGUMENTS;
}

size_t stage_number_count(const run_plan *plan)
{
    return plan->configuration_count + (plan->has_reference ? plan->contest_count : 0);
}

const configuration *stage_configuration(const run_plan *plan, size_t number)
{
    return number < plan->configuration_count
               ? &plan->configurations[number]
               : &plan->references[number - plan->configuration_count];
}

void stage_path(const char *folder, const char *name, char path[FOLDER_BYTES + 32])
{
    snprintf(path, FOLDER_BYTES + 32, "%s/%.30s", folder, name);
}

/* ---- the list ---- */

#define LIST "list"

/* A line for each: "17" a configuration, "r2" a contest. */
int stage_list_write(const char *folder, const run_plan *plan, const bool *chosen,
                     const bool *has_reference)
{
    char path[FOLDER_BYTES + 32];
    stage_path(folder, LIST, path);
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    for (size_t i = 0; i < stage_number_count(plan); i++)
        if (chosen[i])
            fprintf(file, "%zu\n", i);
    for (size_t i = 0; i < plan->contest_count; i++)
        if (has_reference[i])
            fprintf(file, "r%zu\n", i);
    bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed ? 0 : -1;
}

int stage_list_read(const char *folder, const run_plan *plan, bool *chosen, bool *has_reference)
{
    char path[FOLDER_BYTES + 32], line[32];
    stage_path(folder, LIST, path);
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        bool contest = line[0] == 'r';
        unsigned long long number = strtoull(line + contest, NULL, 10);
        if (number < (contest ? plan->contest_count : stage_number_count(plan)))
            (contest ? has_reference : chosen)[number] = true;
    }
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? -1 : 0;
}

/* ---- lines ---- */

static const char *const line_words[] = {
    [LINE_BEGIN] = "begin",     [LINE_END] = "end",   [LINE_NOTE] = "note",
    [LINE_WARNING] = "warning", [LINE_LOOK] = "look", [LINE_DROPPED] = "dropped",
};
#define LINE_KINDS (sizeof line_words / sizeof line_words[0])

void stage_line_write(FILE *lines, const stage_line *line)
{
    json_t *object = json_object();
    json_object_set_new(object, line_words[line->kind], json_integer((json_int_t)line->number));
    if (line->kind == LINE_LOOK)
        json_object_set_new(object, "left", json_integer((json_int_t)line->left));
    if (line->kind == LINE_NOTE || line->kind == LINE_WARNING)
        json_object_set_new(object, "text", json_text(line->note));
    if (line->kind == LINE_END) {
        const launch_result *result = &line->result;
        json_object_set_new(object, "outcome", json_string(outcome_words[result->outcome]));
        json_object_set_new(object, "reason", json_text(result->reason));
        json_object_set_new(object, "log", json_text(result->log));
        json_object_set_new(object, "build_ns", json_number(result->build_ns));
        json_object_set_new(object, "first_use_ns", json_number(result->first_use_ns));
    }
    if (json_dumpf(object, lines, JSON_COMPACT) == 0)
        putc('\n', lines);
    fflush(lines);
    json_decref(object);
}

static double read_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A copy of a text, or NULL. */
static char *read_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    size_t bytes = text ? strlen(text) + 1 : 0;
    char *copy = text ? malloc(bytes) : NULL;
    return copy ? memcpy(copy, text, bytes) : NULL;
}

static launch_result read_result(const json_t *object)
{
    launch_result result = {.outcome = OUTCOME_FAILED};
    const char *word = json_string_value(json_object_get(object, "outcome"));
    for (int i = 0; word && i < OUTCOME_COUNT; i++)
        if (strcmp(word, outcome_words[i]) == 0)
            result.outcome = (launch_outcome)i;
    const char *reason = json_string_value(json_object_get(object, "reason"));
    snprintf(result.reason, sizeof result.reason, "%s", reason ? reason : "");
    result.log = read_text(object, "log");
    result.build_ns = read_number(object, "build_ns");
    result.first_use_ns = read_number(object, "first_use_ns");
    return result;
}

bool stage_line_read(const char *text, stage_line *out)
{
    *out = (stage_line){.number = STAGE_NONE};
    json_t *object = json_loads(text, 0, NULL);
    for (size_t i = 0; i < LINE_KINDS && out->number == STAGE_NONE; i++) {
        const json_t *number = json_object_get(object, line_words[i]);
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            continue;
        out->kind = (stage_line_kind)i;
        out->number = (size_t)json_integer_value(number);
    }
    bool found = out->number != STAGE_NONE;
    if (found && out->kind == LINE_LOOK)
        out->left = (size_t)json_integer_value(json_object_get(object, "left"));
    if (found && (out->kind == LINE_NOTE || out->kind == LINE_WARNING))
        out->note = read_text(object, "text");
    if (found && out->kind == LINE_END)
        out->result = read_result(object);
    json_decref(object);
    return found;
}

void stage_line_free(stage_line *line)
{
    free(line->result.log);
    free(line->note);
    *line = (stage_line){.number = STAGE_NONE};
}
