#include "cli/run/plan.h"

#include "cli/options/suggest.h"
#include "cli/run/comparing.h"
#include "cli/run/subject.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE       (UINT64_C(1) << 20)
#define DEFAULT_SIZE_PLANE UINT64_C(1024) /* of two-dimensional kernels, and of matrices */
#define DEFAULT_SIZE_SPACE UINT64_C(128)  /* of three-dimensional ones */
/* Combinations that --if is asked about. */
#define LOOKED_AT_MAX UINT64_C(1000000)
/* How long a configuration takes: a build, checks, and samples. */
#define CONFIGURATION_S 0.5
#define LOCALS_MAX      1024 /* alternatives of --local */

static int refuse(const char *format, const char *first, const char *second)
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

/* ---- the alternatives of --local ---- */

/* One alternative of --local. */
typedef struct local_choice {
    const char *text;  /* "TILE,TILE/WPT" */
    int64_t number[3]; /* by component: of a range, its value; 0: the text says it */
} local_choice;

typedef struct local_choices {
    local_choice all[LOCALS_MAX];
    size_t count; /* 0: --local was not given */
} local_choices;

/* Where the component behind the next top-level comma begins, or NULL. */
static const char *next_component(const char *text)
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
    const char *end = next_component(text);
    size_t length = end ? (size_t)(end - text) - 1 : strlen(text);
    char copy[80], reason[EXPRESSION_REASON_BYTES];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 79 ? length : 79), text);
    char *dots = strstr(copy, "..");
    if (!dots)
        return 0;
    *dots = '\0';
    if (expression_evaluate(copy, NULL, NULL, first, reason) != 0 ||
        expression_evaluate(dots + 2, NULL, NULL, last, reason) != 0) {
        refuse("--local %.60s: a range takes numbers: %s", option, reason);
        return -1;
    }
    if (*first >= 1 && *last >= *first)
        return 1;
    refuse("--local %.60s: \"%.40s\" is no range: it takes 1 <= A <= B in A..B", option, copy);
    return -1;
}

/* Adds all combinations of the ranges from component `at` on. */
static int add_choices(local_choices *out, local_choice *choice, const char *component, int at)
{
    if (!component || at == 3) {
        if (out->count == LOCALS_MAX)
            return refuse("--local %.60s: there are more than %s alternatives", choice->text,
                          "1024");
        out->all[out->count++] = *choice;
        return EXIT_DONE;
    }
    int64_t first = 0, last = 0;
    int kind = read_range(choice->text, component, &first, &last);
    if (kind < 0)
        return EXIT_USAGE;
    const char *next = next_component(component);
    int code = EXIT_DONE;
    for (int64_t value = first; code == EXIT_DONE && value <= last; value *= 2) {
        choice->number[at] = kind ? value : 0;
        code = add_choices(out, choice, next, at + 1);
        if (!kind || value > INT64_MAX / 2)
            break;
    }
    return code;
}

static int read_locals(const run_settings *settings, local_choices *out)
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
    for (int i = 0; at; i++, at = next_component(at)) {
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

/* What makes a configuration differ from others of its contest. A text that is too long ends in its
 * number. */
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

/* The work of run_plan_make(). */
typedef struct making {
    run_plan *plan;
    const cli_selection *selected;
    local_choices *locals[RUN_SUBJECTS_MAX + 1]; /* by subject */
    size_t room;                                 /* for configurations */
    uint64_t left;                               /* configurations that --if leaves */
} making;

static bool takes(const run_plan *plan, size_t device, size_t subject)
{
    return (plan->selected->devices[device].info.languages &
            (uint32_t)plan->subjects[subject].file.language) != 0;
}

/* Subjects that a device takes. */
static size_t count_subjects(const run_plan *plan, size_t device)
{
    size_t count = 0;
    for (size_t s = 0; s < plan->subject_count; s++)
        count += takes(plan, device, s);
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
            devices += takes(plan, d, s);
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
        if (!takes(plan, device, s) || !has_size(&plan->subjects[s].sizes, n))
            continue;
        int code = add_combinations(m, c, count_subjects(plan, device) > 1);
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
        if (c->n == first->n && takes(plan, c->device, plan->subject_count))
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

static int add_references(making *m)
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
            any |= takes(plan, d, s);
        if (any)
            continue;
        refuse("%s is %s, which none of the selected devices takes", plan->subjects[s].label,
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
        if (count_subjects(plan, d) == 0 && is_named(plan->options, id) && !plan->options->quiet &&
            !plan->options->stage)
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
        return refuse("--tolerance %.40s: it takes ABS[,REL], such as 1e-5 or 0,1e-3%s", text, "");
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
    plane |= s->global && next_component(s->global);
    plane |= s->groups && next_component(s->groups);
    for (size_t i = 0; i < s->locals.count; i++)
        plane |= next_component(s->locals.texts[i]) != NULL;
    subject->sizes = (parse_sizes){{power > 2             ? DEFAULT_SIZE_SPACE
                                    : plane || power == 2 ? DEFAULT_SIZE_PLANE
                                                          : DEFAULT_SIZE},
                                   1};
}

static int check_geometry(const run_subject *subject)
{
    if (!subject->settings.global || !subject->settings.groups)
        return EXIT_DONE;
    return refuse("--groups %.40s: --global %.40s says the same; leave one out",
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
        code = read_locals(&plan->subjects[index].settings, m->locals[index]);
    return code == EXIT_DONE ? defines_read(plan, index) : code;
}

static int add_all(making *m)
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
        return refuse("%s combinations; --if looks at up to %s: shorten the lists",
                      many_text(count, many), count_text(LOOKED_AT_MAX, most));
    if (!join_sizes(plan, &sizes))
        return refuse("the files have more than %s sizes%s", "256", "");
    int code = EXIT_DONE;
    for (size_t d = 0; d < plan->selected->count; d++)
        for (size_t i = 0; i < sizes.count && code == EXIT_DONE; i++)
            code = add_contest(m, d, sizes.values[i]);
    if (code == EXIT_DONE && m->left > RUN_CONFIGURATIONS_MAX)
        return refuse_count(m->left, true);
    if (code == EXIT_DONE && plan->configuration_count == 0)
        return refuse("--if %s: it leaves no configuration%s",
                      plan->subjects[0].settings.conditions.texts[0], "");
    return code;
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
        code = add_all(m);
    if (code == EXIT_DONE)
        code = plan_try(plan);
    return code == EXIT_DONE ? add_references(m) : code;
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
        return refuse("--t1 %.40s: it names the kernel; leave out %.40s", file,
                      options->operands[0]);
    if (options->sizes.count)
        return refuse("--t1 %.60s: it has the size; leave out -n%s", file, "");
    if (t1_read(file, &out->t1, reason) != 0)
        return refuse("%s%s", reason, "");
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
        return refuse("which file? Try \"kerntime run saxpy.cl\"%s%s", "", "");
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
