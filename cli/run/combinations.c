/* SPDX-License-Identifier: MIT */
/* combinations.c - all combinations of subjects, devices, sizes, -D and --local that --if leaves. */
#include "cli/run/combinations.h"

#include "cli/run/comparing.h"
#include "cli/run/subject.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Combinations that --if is asked about. */
#define LOOKED_AT_MAX UINT64_C(1000000)
/* How long a configuration takes: a build, checks, and samples. */
#define CONFIGURATION_S 0.5

/* ---- the alternatives of --local ---- */

const char *local_next_component(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += *text == '(';
        depth -= *text == ')';
        if (*text == ',' && depth <= 0)
            return text + 1;
    }
    return NULL;
}

/* Reads a component "64..1024". Returns 1 if it is a range, 0 if not, -1 after a message. */
static int read_range(const char *option, const char *text, int64_t *first, int64_t *last)
{
    const char *end = local_next_component(text);
    size_t length = end ? (size_t)(end - text) - 1 : strlen(text);
    char copy[80], reason[EXPRESSION_REASON_BYTES];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 79 ? length : 79), text);
    char *dots = strstr(copy, "..");
    if (!dots)
        return 0;
    *dots = '\0';
    if (expression_evaluate(copy, NULL, NULL, first, reason) != 0 ||
        expression_evaluate(dots + 2, NULL, NULL, last, reason) != 0) {
        plan_refuse("--local %.60s: a range takes numbers: %s", option, reason);
        return -1;
    }
    if (*first >= 1 && *last >= *first)
        return 1;
    plan_refuse("--local %.60s: \"%.40s\" is no range: it takes 1 <= A <= B in A..B", option, copy);
    return -1;
}

/* Adds all combinations of the ranges from component `at` on. */
static int add_choices(local_choices *out, local_choice *choice, const char *component, int at)
{
    if (!component || at == 3) {
        if (out->count == LOCALS_MAX)
            return plan_refuse("--local %.60s: there are more than %s alternatives", choice->text,
                               "1024");
        out->all[out->count++] = *choice;
        return EXIT_DONE;
    }
    int64_t first = 0, last = 0;
    int kind = read_range(choice->text, component, &first, &last);
    if (kind < 0)
        return EXIT_USAGE;
    const char *next = local_next_component(component);
    int code = EXIT_DONE;
    for (int64_t value = first; code == EXIT_DONE && value <= last; value *= 2) {
        choice->number[at] = kind ? value : 0;
        code = add_choices(out, choice, next, at + 1);
        if (!kind || value > INT64_MAX / 2)
            break;
    }
    return code;
}

int locals_read(const run_settings *settings, local_choices *out)
{
    out->count = 0;
    for (size_t i = 0; i < settings->locals.count; i++) {
        local_choice choice = {.text = settings->locals.texts[i]};
        int code = add_choices(out, &choice, choice.text, 0);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

/* ---- geometry ---- */

/* A configuration in the words of its -D, for messages. */
static const char *describe(const run_plan *plan, const configuration *c, char text[100])
{
    size_t used = (size_t)snprintf(text, 100, "n=%" PRIu64, c->n);
    for (size_t i = 0; i < plan->define_count[c->subject] && used < 100; i++)
        used +=
            (size_t)snprintf(text + used, 100 - used, " %s=%s", plan->defines[c->subject][i].name,
                             plan->defines[c->subject][i].values[c->value_of[i]]);
    return text;
}

#define MESSAGE_BYTES 400

/* Reads up to three sizes, "n/WPT,n"; where `numbers` has one, that counts. Returns an exit code,
 * with a message. */
static int read_sizes(const run_names *names, const char *option, const char *text,
                      const int64_t *numbers, int64_t out[3], char message[MESSAGE_BYTES])
{
    char reason[EXPRESSION_REASON_BYTES], described[100];
    int64_t sizes[3] = {1, 1, 1};
    const char *at = text, *end;
    for (int i = 0; at; i++, at = local_next_component(at)) {
        if (i == 3) {
            snprintf(message, MESSAGE_BYTES, "--%s %.60s: there are at most three sizes: X,Y,Z",
                     option, text);
            return EXIT_USAGE;
        }
        if (numbers && numbers[i]) {
            sizes[i] = numbers[i];
        } else if (expression_evaluate_part(at, run_lookup, names, &sizes[i], &end, reason) != 0) {
            snprintf(message, MESSAGE_BYTES, "--%s %.60s: %s", option, text, reason);
            return EXIT_USAGE;
        }
        if (sizes[i] < 1 || sizes[i] > UINT32_MAX) {
            snprintf(message, MESSAGE_BYTES,
                     "--%s %.40s: %" PRId64 " (%s) is no size from 1 to 2^32-1%s", option, text,
                     sizes[i], describe(names->plan, names->configuration, described),
                     sizes[i] < 1 ? "; --if can leave it out" : "");
            return EXIT_USAGE;
        }
    }
    memcpy(out, sizes, sizeof sizes);
    return EXIT_DONE;
}

/* Sets --global and --groups of a configuration, as far as they are given. */
static int set_geometry(const run_settings *settings, const run_names *names, configuration *c,
                        char message[MESSAGE_BYTES])
{
    int code = EXIT_DONE;
    if (settings->global)
        code = read_sizes(names, "global", settings->global, NULL, c->global, message);
    if (settings->groups && code == EXIT_DONE)
        code = read_sizes(names, "groups", settings->groups, NULL, c->groups, message);
    return code;
}

/* ---- conditions ---- */

/* Sets `fulfils` if all of --if could be evaluated, or one of them is false. Returns an exit code,
 * with a message. */
static int fulfil(const run_settings *settings, const run_names *names, bool *fulfils,
                  char message[MESSAGE_BYTES])
{
    char reason[EXPRESSION_REASON_BYTES], described[100];
    *fulfils = true;
    for (size_t i = 0; i < settings->conditions.count && *fulfils; i++) {
        const char *text = settings->conditions.texts[i];
        int64_t value;
        if (expression_evaluate(text, run_lookup, names, &value, reason) != 0) {
            snprintf(message, MESSAGE_BYTES, "--if %.60s: %s (%s)", text, reason,
                     describe(names->plan, names->configuration, described));
            return EXIT_USAGE;
        }
        *fulfils = value != 0;
    }
    return EXIT_DONE;
}

/* ---- texts ---- */

typedef struct text_buffer {
    char *text;
    size_t used;
} text_buffer;

__attribute__((format(printf, 2, 3))) static void put(text_buffer *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = to->used < RUN_TEXT_BYTES ? RUN_TEXT_BYTES - to->used : 0;
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    int length = vsnprintf(room ? to->text + to->used : NULL, room, format, arguments);
    va_end(arguments);
    to->used += (size_t)length;
}

static void put_local(text_buffer *to, const int64_t local[3])
{
    put(to, "%slocal=%" PRId64, to->used ? " " : "", local[0]);
    if (local[1] > 1 || local[2] > 1)
        put(to, "x%" PRId64, local[1]);
    if (local[2] > 1)
        put(to, "x%" PRId64, local[2]);
}

/* Writes the values in which a configuration may differ from others. A text that is too long ends in
 * its number. */
static void write_text(const run_plan *plan, configuration *c, bool with_label, bool with_local,
                       size_t number)
{
    text_buffer to = {c->text, 0};
    c->text[0] = '\0';
    if (with_label)
        put(&to, "%s", plan->subjects[c->subject].label);
    for (size_t i = 0; i < plan->define_count[c->subject]; i++) {
        const run_define *define = &plan->defines[c->subject][i];
        if (define->value_count > 1)
            put(&to, "%s%s=%s", to.used ? " " : "", define->name, define->values[c->value_of[i]]);
    }
    if (with_local)
        put_local(&to, c->local);
    if (to.used >= RUN_TEXT_BYTES)
        snprintf(c->text + RUN_TEXT_BYTES - 16, 16, "... #%zu", number);
}

/* ---- combinations ---- */

bool plan_takes(const run_plan *plan, size_t device, size_t subject)
{
    return (plan->selected->devices[device].info.languages &
            (uint32_t)plan->subjects[subject].file.language) != 0;
}

size_t plan_count_subjects(const run_plan *plan, size_t device)
{
    size_t count = 0;
    for (size_t s = 0; s < plan->subject_count; s++)
        count += plan_takes(plan, device, s);
    return count;
}

static size_t count_locals(const making *m, size_t subject)
{
    return m->locals[subject] ? m->locals[subject]->count : 0;
}

/* Combinations of a subject for one n on one device; UINT64_MAX if they are beyond counting. */
static uint64_t count_combinations(const making *m, size_t subject)
{
    const run_plan *plan = m->plan;
    uint64_t count = count_locals(m, subject) ? count_locals(m, subject) : 1;
    for (size_t i = 0; i < plan->define_count[subject]; i++)
        if (__builtin_mul_overflow(count, plan->defines[subject][i].value_count, &count))
            return UINT64_MAX;
    return count;
}

static uint64_t count_all(const making *m)
{
    const run_plan *plan = m->plan;
    uint64_t all = 0;
    for (size_t s = 0; s < plan->subject_count; s++) {
        uint64_t count = count_combinations(m, s), devices = 0;
        for (size_t d = 0; d < plan->selected->count; d++)
            devices += plan_takes(plan, d, s);
        if (__builtin_mul_overflow(count, devices * plan->subjects[s].sizes.count, &count) ||
            __builtin_add_overflow(all, count, &all))
            return UINT64_MAX;
    }
    return all;
}

static const char *many_text(uint64_t count, char text[32])
{
    return count == UINT64_MAX ? "more than 2^64" : count_text(count, text);
}

/* More configurations than are measured; `are_left`: by --if. */
static int refuse_count(uint64_t count, bool are_left)
{
    char many[32], most[32], time[32];
    double seconds = (double)count * CONFIGURATION_S;
    if (seconds < 2 * 86400)
        snprintf(time, sizeof time, "%.0f hours", seconds / 3600);
    else if (seconds < 2 * 365.0 * 86400)
        snprintf(time, sizeof time, "%.0f days", seconds / 86400);
    else
        snprintf(time, sizeof time, "%.2g years", seconds / (365.0 * 86400));
    terminal_sayf("kerntime run", "%s%s configurations (about %s); at most %s run: %s",
                  are_left ? "--if leaves " : "", many_text(count, many), time,
                  count_text(RUN_CONFIGURATIONS_MAX, most),
                  are_left ? "shorten the lists" : "shorten lists or add --if");
    return EXIT_USAGE;
}

static int keep(making *m, const configuration *c)
{
    run_plan *plan = m->plan;
    if (m->left++ >= RUN_CONFIGURATIONS_MAX) /* too many, and all are counted */
        return EXIT_DONE;
    if (plan->configuration_count == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        configuration *longer = realloc(plan->configurations, room * sizeof *longer);
        if (!longer)
            return run_out();
        plan->configurations = longer;
        m->room = room;
    }
    plan->configurations[plan->configuration_count++] = *c;
    return EXIT_DONE;
}

/* Sets the geometry of a configuration with one alternative of --local (NULL: not given). Sets
 * `fulfils`: a combination that --if drops need have no valid geometry. */
static int set_up(const run_settings *settings, const local_choice *choice, run_names *names,
                  configuration *c, bool *fulfils)
{
    char message[MESSAGE_BYTES], if_message[MESSAGE_BYTES];
    int code = EXIT_DONE;
    memset(c->local, 0, sizeof c->local);
    if (choice)
        code = read_sizes(names, "local", choice->text, choice->number, c->local, message);
    memcpy(names->local, c->local, sizeof names->local);
    int if_code = fulfil(settings, names, fulfils, if_message);
    if (if_code == EXIT_DONE && !*fulfils)
        return EXIT_DONE;
    if (code == EXIT_DONE && if_code == EXIT_DONE)
        code = set_geometry(settings, names, c, message);
    if (code != EXIT_DONE || if_code != EXIT_DONE)
        terminal_say("kerntime run", code != EXIT_DONE ? message : if_message);
    return code != EXIT_DONE ? code : if_code;
}

/* Adds one combination of values with each --local. */
static int add_combination(making *m, configuration *c, bool several)
{
    run_plan *plan = m->plan;
    const local_choices *locals = m->locals[c->subject];
    run_names names = {.plan = plan, .configuration = c};
    int code = EXIT_DONE;
    for (size_t i = 0; i < (locals->count ? locals->count : 1) && code == EXIT_DONE; i++) {
        bool fulfils = true;
        code = set_up(&plan->subjects[c->subject].settings, locals->count ? &locals->all[i] : NULL,
                      &names, c, &fulfils);
        if (code != EXIT_DONE || !fulfils) {
            plan->dropped += code == EXIT_DONE;
            continue;
        }
        write_text(plan, c, several, locals->count > 1, plan->configuration_count);
        code = keep(m, c);
    }
    return code;
}

/* Adds all combinations of a subject; the last -D changes first. */
static int add_combinations(making *m, configuration c, bool several)
{
    const run_plan *plan = m->plan;
    for (;;) {
        int code = add_combination(m, &c, several);
        if (code != EXIT_DONE)
            return code;
        size_t i = plan->define_count[c.subject];
        while (i > 0 && ++c.value_of[i - 1] == plan->defines[c.subject][i - 1].value_count)
            c.value_of[--i] = 0;
        if (i == 0)
            return EXIT_DONE;
    }
}

static bool has_size(const parse_sizes *sizes, uint64_t size)
{
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->values[i] == size)
            return true;
    return false;
}

/* The first contest of this n. */
static uint32_t first_contest(const run_plan *plan, uint64_t n)
{
    for (size_t i = 0; i < plan->configuration_count; i++)
        if (plan->configurations[i].n == n)
            return plan->configurations[i].contest;
    return (uint32_t)plan->contest_count;
}

/* Adds the contest of one device and n, if it has configurations. */
static int add_contest(making *m, size_t device, uint64_t n)
{
    run_plan *plan = m->plan;
    size_t before = plan->configuration_count;
    for (size_t s = 0; s < plan->subject_count; s++) {
        configuration c = {.subject = (uint32_t)s,
                           .device = (uint32_t)device,
                           .contest = (uint32_t)plan->contest_count,
                           .expected = first_contest(plan, n),
                           .n = n};
        if (!plan_takes(plan, device, s) || !has_size(&plan->subjects[s].sizes, n))
            continue;
        int code = add_combinations(m, c, plan_count_subjects(plan, device) > 1);
        if (code != EXIT_DONE)
            return code;
    }
    plan->contest_count += plan->configuration_count > before;
    return EXIT_DONE;
}

/* The sizes of all subjects, each once. Returns false if they are too many. */
static bool join_sizes(const run_plan *plan, parse_sizes *out)
{
    out->count = 0;
    for (size_t s = 0; s < plan->subject_count; s++) {
        const parse_sizes *sizes = &plan->subjects[s].sizes;
        for (size_t i = 0; i < sizes->count; i++) {
            if (has_size(out, sizes->values[i]))
                continue;
            if (out->count == PARSE_SIZES_MAX)
                return false;
            out->values[out->count++] = sizes->values[i];
        }
    }
    return true;
}

int combinations_add(making *m)
{
    run_plan *plan = m->plan;
    parse_sizes sizes;
    uint64_t count = count_all(m);
    bool has_conditions = false;
    char many[32], most[32];
    for (size_t s = 0; s < plan->subject_count; s++)
        has_conditions |= plan->subjects[s].settings.conditions.count > 0;
    if (count > RUN_CONFIGURATIONS_MAX && !has_conditions)
        return refuse_count(count, false);
    if (count > LOOKED_AT_MAX)
        return plan_refuse("%s combinations; --if looks at up to %s: shorten the lists",
                           many_text(count, many), count_text(LOOKED_AT_MAX, most));
    if (!join_sizes(plan, &sizes))
        return plan_refuse("the files have more than %s sizes%s", "256", "");
    int code = EXIT_DONE;
    for (size_t d = 0; d < plan->selected->count; d++)
        for (size_t i = 0; i < sizes.count && code == EXIT_DONE; i++)
            code = add_contest(m, d, sizes.values[i]);
    if (code == EXIT_DONE && m->left > RUN_CONFIGURATIONS_MAX)
        return refuse_count(m->left, true);
    if (code == EXIT_DONE && plan->configuration_count == 0)
        return plan_refuse("--if %s: it leaves no configuration%s",
                           plan->subjects[0].settings.conditions.texts[0], "");
    return code;
}

/* ---- the reference of --check ---- */

/* The reference of a contest: the first value of each -D and the first --local. */
static int add_reference(making *m, const configuration *first, configuration *out)
{
    const run_plan *plan = m->plan;
    size_t subject = plan->subject_count;
    const local_choices *locals = m->locals[subject];
    const run_subject *reference = &plan->subjects[subject];
    *out = (configuration){.subject = (uint32_t)subject,
                           .device = first->device,
                           .contest = first->contest,
                           .expected = first->expected,
                           .n = first->n};
    snprintf(out->text, sizeof out->text, "%s", reference->label);
    run_settings settings = reference->settings;
    settings.conditions.count = 0; /* which are of what is measured */
    run_names names = {.plan = plan, .configuration = out};
    bool fulfils;
    return set_up(&settings, locals->count ? &locals->all[0] : NULL, &names, out, &fulfils);
}

/* Makes the reference on the first device that takes its language, for all contests of this n. */
static int choose_reference(making *m, const configuration *first)
{
    run_plan *plan = m->plan;
    const configuration *on = NULL;
    for (size_t i = 0; i < plan->configuration_count && !on; i++) {
        const configuration *c = &plan->configurations[i];
        if (c->n == first->n && plan_takes(plan, c->device, plan->subject_count))
            on = c;
    }
    if (!on) {
        const run_subject *reference = &plan->subjects[plan->subject_count];
        terminal_sayf("kerntime run", "--check %s: %s does not take %s", reference->label,
                      plan->selected->devices[first->device].info.id,
                      kernel_file_language(&reference->file));
        return EXIT_USAGE;
    }
    uint64_t n = first->n;
    uint32_t expected = on->contest;
    for (size_t i = 0; i < plan->configuration_count; i++)
        if (plan->configurations[i].n == n)
            plan->configurations[i].expected = expected;
    return add_reference(m, on, &plan->references[expected]);
}

int references_add(making *m)
{
    run_plan *plan = m->plan;
    int code = EXIT_DONE;
    if (!plan->has_reference)
        return code;
    plan->references = calloc(plan->contest_count, sizeof *plan->references);
    if (!plan->references)
        return run_out();
    for (size_t i = 0; i < plan->configuration_count && code == EXIT_DONE; i++) {
        const configuration *c = &plan->configurations[i];
        if (c->contest == c->expected && !plan->references[c->contest].n)
            code = choose_reference(m, c);
    }
    return code;
}
