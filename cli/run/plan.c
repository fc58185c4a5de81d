/* SPDX-License-Identifier: MIT */
#include "cli/run/plan.h"

#include "cli/options/suggest.h"
#include "cli/run/combinations.h"
#include "cli/run/subject.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE       (UINT64_C(1) << 20)
#define DEFAULT_SIZE_PLANE UINT64_C(1024) /* of two-dimensional kernels, and of matrices */
#define DEFAULT_SIZE_SPACE UINT64_C(128)  /* of three-dimensional ones */

int plan_refuse(const char *format, const char *first, const char *second)
{
    char text[1024];
    snprintf(text, sizeof text, format, first, second);
    terminal_say("kerntime run", text);
    return EXIT_USAGE;
}

/* ---- names of expressions ---- */

static const char *const size_names[] = {"LX", "LY", "LZ", "GX", "GY", "GZ"};

static bool is_name(const char *name, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(name, other, length) == 0;
}

/* Says that there is no such name, and which was probably meant or which there are. */
static void refuse_name(const run_names *names, const char *name, size_t length, char *reason)
{
    const run_plan *plan = names->plan;
    uint32_t subject = names->configuration->subject;
    suggestion s = suggest_begin(name, length);
    for (size_t i = 0; i < plan->define_count[subject]; i++)
        suggest_consider(&s, plan->defines[subject][i].name);
    for (size_t i = 0; i < 6; i++)
        suggest_consider(&s, size_names[i]);
    size_t used = (size_t)snprintf(reason, EXPRESSION_REASON_BYTES, "there is no name \"%.*s\"; %s",
                                   (int)(length < 40 ? length : 40), name,
                                   s.word ? "did you mean" : "there are n");
    for (size_t i = 0; !s.word && i < plan->define_count[subject]; i++)
        if (used + strlen(plan->defines[subject][i].name) + 3 < EXPRESSION_REASON_BYTES)
            used += (size_t)snprintf(reason + used, EXPRESSION_REASON_BYTES - used, ", %s",
                                     plan->defines[subject][i].name);
    snprintf(reason + used, EXPRESSION_REASON_BYTES - used, s.word ? " \"%.60s\"?" : "%s",
             s.word ? s.word : "");
}

bool run_lookup(const void *given, const char *name, size_t length, int64_t *value,
                char reason[EXPRESSION_REASON_BYTES])
{
    const run_names *names = given;
    const configuration *c = names->configuration;
    const run_plan *plan = names->plan;
    reason[0] = '\0';
    if (is_name(name, length, "n")) {
        *value = (int64_t)c->n;
        return true;
    }
    for (size_t i = 0; i < 6; i++) {
        if (!is_name(name, length, size_names[i]))
            continue;
        *value = i < 3 ? names->local[i] : names->global[i - 3];
        if (*value)
            return true;
        snprintf(reason, EXPRESSION_REASON_BYTES, "%s is not known here; %s gives it",
                 size_names[i], i < 3 ? "--local" : "--global");
        return false;
    }
    for (size_t i = 0; i < plan->define_count[c->subject]; i++) {
        const run_define *define = &plan->defines[c->subject][i];
        if (!is_name(name, length, define->name))
            continue;
        *value = define->numbers[c->value_of[i]];
        if (*value != INT64_MIN)
            return true;
        snprintf(reason, EXPRESSION_REASON_BYTES, "%.60s is \"%.60s\", which is no whole number",
                 define->name, define->values[c->value_of[i]]);
        return false;
    }
    refuse_name(names, name, length, reason);
    return false;
}

/* ---- checks before work ---- */

/* Says of each backend that takes the language why its driver is missing. */
static void tell_missing_drivers(const run_plan *plan, kt_language language)
{
    static const struct {
        const char *backend;
        uint32_t languages;
    } takers[] = {{"cuda", KT_LANGUAGE_CUDA_C | KT_LANGUAGE_PTX},
                  {"hip", KT_LANGUAGE_CUDA_C},
                  {"level_zero", KT_LANGUAGE_SPIRV_KERNEL},
                  {"metal", KT_LANGUAGE_MSL},
                  {"opencl", KT_LANGUAGE_OPENCL_C | KT_LANGUAGE_SPIRV_KERNEL},
                  {"vulkan", KT_LANGUAGE_SPIRV_SHADER},
                  {"webgpu", KT_LANGUAGE_WGSL}};
    kt_context *context = plan->selected->context;
    for (uint32_t i = 0; i < kt_backend_count(context); i++) {
        const kt_backend_info *backend = kt_backend_get(context, i);
        for (size_t k = 0; k < sizeof takers / sizeof takers[0]; k++)
            if (backend->status != KT_OK && strcmp(backend->name, takers[k].backend) == 0 &&
                takers[k].languages & (uint32_t)language)
                terminal_sayf("kerntime", "%s is not here: %s", backend->name, backend->reason);
    }
}

/* Each subject needs a device. */
static int check_devices(const run_plan *plan)
{
    for (size_t s = 0; s < plan->subject_count; s++) {
        bool any = false;
        for (size_t d = 0; d < plan->selected->count; d++)
            any |= plan_takes(plan, d, s);
        if (any)
            continue;
        plan_refuse("%s is %s, which none of the selected devices takes", plan->subjects[s].label,
                    kernel_file_language(&plan->subjects[s].file));
        if (!plan->options->device_count) /* all drivers have been looked for */
            tell_missing_drivers(plan, plan->subjects[s].file.language);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_DONE;
}

static bool is_named(const cli_options *options, const char *id)
{
    for (size_t i = 0; i < options->device_count; i++)
        if (strcmp(options->devices[i], id) == 0)
            return true;
    return false;
}

/* Says of each device that the user named by its number whether it has nothing to do. */
static void tell_idle_devices(const run_plan *plan)
{
    for (size_t d = 0; d < plan->selected->count; d++) {
        const char *id = plan->selected->devices[d].info.id;
        if (plan_count_subjects(plan, d) == 0 && is_named(plan->options, id) &&
            !plan->options->quiet && !plan->options->stage)
            terminal_sayf("kerntime run", "%.60s takes none of these kernels and is left out", id);
    }
}

static int read_tolerance(run_plan *plan)
{
    plan->tolerance_abs = plan->tolerance_rel = NAN;
    const char *text = plan->subjects[0].settings.tolerance;
    if (!text)
        return EXIT_DONE;
    char *end, *second;
    double absolute = strtod(text, &end), relative = NAN;
    bool reads = end > text && absolute >= 0;
    if (reads && *end == ',') {
        second = end + 1;
        relative = strtod(second, &end);
        reads = end > second && relative >= 0 && isfinite(relative);
    }
    if (!reads || *end)
        return plan_refuse("--tolerance %.40s: it takes ABS[,REL], such as 1e-5 or 0,1e-3%s", text,
                           "");
    plan->tolerance_abs = absolute;
    plan->tolerance_rel = relative;
    return EXIT_DONE;
}

/* ---- the plan ---- */

/* A size where none was given. */
static void choose_size(run_subject *subject)
{
    const run_settings *s = &subject->settings;
    const signature *told = &subject->signature;
    bool plane = subject->has_signature && told->group_size[1] > 1;
    unsigned power = told->dimensions;
    if (subject->sizes.count)
        return;
    for (size_t i = 0; i < told->parameter_count; i++)
        if (told->parameters[i].kind == PARAMETER_BUFFER && told->parameters[i].power > power)
            power = told->parameters[i].power;
    plane |= s->global && local_next_component(s->global);
    plane |= s->groups && local_next_component(s->groups);
    for (size_t i = 0; i < s->locals.count; i++)
        plane |= local_next_component(s->locals.texts[i]) != NULL;
    subject->sizes = (parse_sizes){{power > 2             ? DEFAULT_SIZE_SPACE
                                    : plane || power == 2 ? DEFAULT_SIZE_PLANE
                                                          : DEFAULT_SIZE},
                                   1};
}

static int check_geometry(const run_subject *subject)
{
    if (!subject->settings.global || !subject->settings.groups)
        return EXIT_DONE;
    return plan_refuse("--groups %.40s: --global %.40s says the same; leave one out",
                       subject->settings.groups, subject->settings.global);
}

static int read_subject(making *m, size_t index)
{
    run_plan *plan = m->plan;
    m->locals[index] = malloc(sizeof *m->locals[index]);
    if (!m->locals[index])
        return run_out();
    choose_size(&plan->subjects[index]);
    int code = check_geometry(&plan->subjects[index]);
    if (code == EXIT_DONE)
        code = locals_read(&plan->subjects[index].settings, m->locals[index]);
    return code == EXIT_DONE ? defines_read(plan, index) : code;
}

static int make(making *m)
{
    run_plan *plan = m->plan;
    int code = run_plan_subjects(plan->options, plan);
    plan->selected = m->selected;
    if (code == EXIT_DONE)
        code = check_devices(plan);
    if (code == EXIT_DONE)
        tell_idle_devices(plan);
    for (size_t s = 0; s < plan->subject_count + plan->has_reference && code == EXIT_DONE; s++)
        code = read_subject(m, s);
    if (code == EXIT_DONE)
        code = read_tolerance(plan);
    if (code == EXIT_DONE)
        code = combinations_add(m);
    if (code == EXIT_DONE)
        code = plan_try(plan);
    return code == EXIT_DONE ? references_add(m) : code;
}

int run_plan_make(const cli_options *options, const cli_selection *selected, run_plan *out)
{
    memset(out, 0, sizeof *out);
    out->options = options;
    making m = {.plan = out, .selected = selected};
    int code = make(&m);
    for (size_t s = 0; s <= RUN_SUBJECTS_MAX; s++)
        free(m.locals[s]);
    return code;
}

/* Reads --t1, which names the kernel and has its sizes. */
static int add_t1(const cli_options *options, run_plan *out)
{
    const char *file = options->run.t1;
    char reason[T1_REASON_BYTES];
    if (options->operand_count)
        return plan_refuse("--t1 %.40s: it names the kernel; leave out %.40s", file,
                           options->operands[0]);
    if (options->sizes.count)
        return plan_refuse("--t1 %.60s: it has the size; leave out -n%s", file, "");
    if (t1_read(file, &out->t1, reason) != 0)
        return plan_refuse("%s%s", reason, "");
    return subject_add(out, out->t1.operand, options->list, false);
}

int run_plan_subjects(const cli_options *options, run_plan *out)
{
    memset(out, 0, sizeof *out);
    out->options = options;
    int code = EXIT_DONE;
    if (options->run.t1)
        code = add_t1(options, out);
    else if (options->operand_count == 0)
        return plan_refuse("which file? Try \"kerntime run saxpy.cl\"%s%s", "", "");
    for (int i = 0; i < options->operand_count && code == EXIT_DONE; i++)
        code = subject_add(out, options->operands[i], options->list, false);
    if (code == EXIT_DONE && options->run.check)
        code = subject_add(out, options->run.check, false, true);
    return code;
}

void run_plan_free(run_plan *plan)
{
    for (size_t s = 0; s <= RUN_SUBJECTS_MAX; s++) {
        defines_free(plan, s);
        subject_free(&plan->subjects[s]);
    }
    t1_free(&plan->t1);
    free(plan->configurations);
    free(plan->references);
    memset(plan, 0, sizeof *plan);
}
