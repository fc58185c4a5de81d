/* SPDX-License-Identifier: MIT */
/* trial.c - tries what only the launch needs, before work: wrong usage costs no row and no time. */
#include "cli/options/suggest.h"
#include "cli/run/specification.h"
#include "cli/run/subject.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes that only the launch knows are assumed. */
#define TRIAL_LOCAL      64
#define PARAMETERS_SHOWN 8

/* ---- arguments ---- */

static bool is_word_character(char c)
{
    return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", c);
}

/* Whether a name stands anywhere in a text: a macro may make a parameter of it. */
static bool stands_in(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !is_word_character(at[-1])) && !is_word_character(at[length]))
            return true;
    return false;
}

/* Finds the parameter of a name or number. Returns false if there is surely none. */
static bool find_parameter(const run_subject *subject, const char *name, const parameter **out)
{
    const signature *s = &subject->signature;
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    bool is_number = end > name && !*end, has_names = true;
    *out = NULL;
    if (!subject->has_signature)
        return true;
    for (size_t i = 0; i < s->parameter_count; i++) {
        has_names &= s->parameters[i].name[0] != '\0';
        if (is_number ? i == number : strcmp(s->parameters[i].name, name) == 0)
            *out = &s->parameters[i];
    }
    if (*out || (!is_number && !has_names))
        return true;
    /* of a text that a compiler has yet to expand, the driver may know more */
    bool is_exact = subject->file.is_glsl || subject->file.language == KT_LANGUAGE_SPIRV_SHADER ||
                    subject->file.language == KT_LANGUAGE_SPIRV_KERNEL;
    return !is_exact && (is_number || stands_in(subject->file.text, name));
}

static int refuse_parameter(const run_subject *subject, const char *option, const char *text,
                            const char *name)
{
    const signature *s = &subject->signature;
    suggestion near = suggest_begin(name, strlen(name));
    for (size_t i = 0; i < s->parameter_count; i++)
        suggest_consider(&near, s->parameters[i].name);
    fprintf(stderr, "kerntime run: %s %.50s: %s has no parameter \"%.50s\"; ", option, text,
            subject->label, name);
    if (near.word) {
        fprintf(stderr, "did you mean \"%s\"?\n", near.word);
        return EXIT_USAGE;
    }
    fprintf(stderr, "it has");
    for (size_t i = 0; i < s->parameter_count && i < PARAMETERS_SHOWN; i++)
        fprintf(stderr, "%s %s", i ? "," : "", s->parameters[i].name);
    fprintf(stderr, "%s\n",
            s->parameter_count > PARAMETERS_SHOWN ? ", ..."
            : s->parameter_count                  ? ""
                                                  : " none");
    return EXIT_USAGE;
}

static int refuse(const char *option, const char *text, const char *reason)
{
    terminal_sayf("kerntime run", "%s %.60s: %s", option, text, reason);
    return EXIT_USAGE;
}

/* Tries one -a or --expect: its words, its name, and its file. */
static int try_argument(const run_names *names, const char *option, const char *text)
{
    const run_subject *subject = &names->plan->subjects[names->configuration->subject];
    char reason[SPECIFICATION_REASON_BYTES], name[SIGNATURE_NAME_BYTES];
    const char *words = specification_split(text, name, reason);
    const parameter *found;
    specification spec;
    if (!words || specification_read(words, run_lookup, names, &spec, reason) != 0)
        return refuse(option, text, reason);
    if (!find_parameter(subject, name, &found))
        return refuse_parameter(subject, option, text, name);
    const element_type unknown = {.scalar = SCALAR_UNKNOWN};
    if (specification_count(&spec, found ? &found->element : &unknown, 1, reason) < 0)
        return refuse(option, text, reason);
    return EXIT_DONE;
}

static int try_arguments(const run_names *names, const char *option, const run_texts *texts)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < texts->count && code == EXIT_DONE; i++)
        code = try_argument(names, option, texts->texts[i]);
    return code;
}

static int try_number(const char *option, const char *text, const run_names *names)
{
    char reason[EXPRESSION_REASON_BYTES];
    double value;
    if (!text || expression_evaluate_number(text, run_lookup, names, &value, reason) == 0)
        return EXIT_DONE;
    return refuse(option, text, reason);
}

static int try_expressions(const run_plan *plan, const configuration *c)
{
    const run_settings *settings = &plan->subjects[c->subject].settings;
    run_names names = {.plan = plan, .configuration = c};
    for (int i = 0; i < 3; i++) {
        names.local[i] = c->local[i] ? c->local[i] : TRIAL_LOCAL;
        names.global[i] = c->global[i]   ? c->global[i]
                          : c->groups[i] ? c->groups[i] * names.local[i]
                                         : (int64_t)c->n;
    }
    int code = try_number("--flops", settings->flops, &names);
    if (code == EXIT_DONE)
        code = try_number("--bytes", settings->bytes, &names);
    if (code == EXIT_DONE)
        code = try_arguments(&names, "-a", &settings->arguments);
    return code == EXIT_DONE ? try_arguments(&names, "--expect", &settings->expectations) : code;
}

/* ---- geometry ---- */

static void put_sizes(const int64_t sizes[3], char text[70])
{
    int parts = sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1;
    size_t used = 0;
    for (int i = 0; i < parts; i++)
        used += (size_t)snprintf(text + used, 70 - used, "%s%" PRId64, i ? "," : "", sizes[i]);
}

/* Whether --local is another size than the one that the kernel is fixed to. Defines may change
 * that. */
static bool is_fixed_otherwise(const run_plan *plan, const configuration *c, int64_t fixed[3])
{
    const run_subject *subject = &plan->subjects[c->subject];
    const signature *s = &subject->signature;
    bool differs = false;
    if (!subject->has_signature || !c->local[0] || plan->define_count[c->subject])
        return false;
    for (int i = 0; i < 3; i++) {
        fixed[i] = s->group_size[i] ? s->group_size[i] : 1;
        if (s->group_constant[i] >= 0 || !s->group_size[0])
            return false;
        differs |= fixed[i] != c->local[i];
    }
    return differs;
}

static bool divides(const configuration *c)
{
    for (int i = 0; i < 3; i++)
        if (c->global[i] && c->local[i] && c->global[i] % c->local[i])
            return false;
    return true;
}

static int try_geometry(const run_plan *plan)
{
    char local[70], global[70];
    bool any = false;
    for (size_t i = 0; i < plan->configuration_count; i++) {
        const configuration *c = &plan->configurations[i];
        int64_t fixed[3];
        any |= divides(c);
        if (!is_fixed_otherwise(plan, c, fixed))
            continue;
        put_sizes(c->local, local);
        put_sizes(fixed, global);
        terminal_sayf("kerntime run", "--local %s: the group size of %s is fixed at %s", local,
                      plan->subjects[c->subject].label, global);
        return EXIT_USAGE;
    }
    if (any)
        return EXIT_DONE;
    put_sizes(plan->configurations[0].local, local);
    put_sizes(plan->configurations[0].global, global);
    terminal_sayf("kerntime run", "--global %s is no multiple of --local %s", global, local);
    return EXIT_USAGE;
}

int plan_try(const run_plan *plan)
{
    bool tried[RUN_SUBJECTS_MAX] = {false};
    int code = EXIT_DONE;
    for (size_t i = 0; i < plan->configuration_count && code == EXIT_DONE; i++) {
        uint32_t subject = plan->configurations[i].subject;
        if (!tried[subject])
            code = try_expressions(plan, &plan->configurations[i]);
        tried[subject] = true;
    }
    return code == EXIT_DONE ? try_geometry(plan) : code;
}
