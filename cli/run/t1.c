/* SPDX-License-Identifier: MIT */
#include "cli/run/t1.h"

#include "cli/result_file/read_json.h"
#include "cli/run/expression.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)4 << 20)
#define TEXT_BYTES     4096 /* of a translated expression, or a list of values */
#define DIMENSIONS     3

/* The members of each object. What is known and not in use is left out: how to search, and what the
 * command line says. */
static const char *const document_keys[] = {
    "ConfigurationSpace", "KernelSpecification", "Search", "Budget", "General", "$schema", NULL};
static const char *const space_keys[] = {"TuningParameters", "Conditions", NULL};
static const char *const parameter_keys[] = {"Name", "Type", "Values", "Default", NULL};
static const char *const condition_keys[] = {"Parameters", "Expression", NULL};
static const char *const kernel_keys[] = {
    "Device",          "Language",           "CompilerOptions", "Profiling",
    "KernelName",      "KernelFile",         "GlobalSizeType",  "SharedMemory",
    "SimulationInput", "GlobalSize",         "LocalSize",       "Arguments",
    "BenchmarkName",   "ReferenceArguments", "ProblemSize",     "GridDivX",
    "GridDivY",        "GridDivZ",           "Stream",          NULL};
static const char *const size_keys[] = {"X", "Y", "Z", NULL};
static const char *const argument_keys[] = {"Name",       "Type",       "Size",       "TypeSize",
                                            "FillType",   "FillValue",  "DataSource", "RandomSeed",
                                            "AccessType", "MemoryType", "Output",     NULL};
static const char *const reference_keys[] = {
    "Name",       "TargetName", "FillType",         "FillValue",
    "DataSource", "RandomSeed", "ValidationMethod", "ValidationThreshold",
    NULL};

/* A parameter's values, as far as max() and min() of it in an expression need them. */
typedef struct known_parameter {
    const char *name;
    double least, most;
} known_parameter;

typedef struct reading {
    json_reader *r;
    t1_problem *out;
    const char *path;
    known_parameter parameters[RUN_OPTIONS_MAX];
    size_t parameter_count;
    int64_t problem[DIMENSIONS]; /* ProblemSize, where it is a number; else 0 */
    size_t problem_count;        /* its components; 0: none */
} reading;

/* ---- texts ---- */

/* A text that lives as long as the problem; NULL after an error. */
__attribute__((format(printf, 2, 3))) static const char *keep(reading *t, const char *format, ...)
{
    if (t->r->failed)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = malloc((size_t)length + 1);
    char **longer = realloc(t->out->texts, (t->out->text_count + 1) * sizeof *longer);
    if (longer)
        t->out->texts = longer;
    if (!text || !longer) {
        free(text);
        read_run_out(t->r);
        return NULL;
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return t->out->texts[t->out->text_count++] = text;
}

static void add(reading *t, run_texts *to, const char *text)
{
    if (!text)
        return;
    if (to->count == RUN_OPTIONS_MAX)
        read_refuse(t->r, "a list has more than %d items", RUN_OPTIONS_MAX);
    else
        to->texts[to->count++] = text;
}

static json_t *member(const reading *t, const char *key)
{
    return t->r->failed ? NULL : json_object_get(t->r->levels[t->r->depth - 1].object, key);
}

/* Refuses members that are not in the list. */
static void check_keys(reading *t, const char *const *known)
{
    if (t->r->failed)
        return;
    json_t *object = t->r->levels[t->r->depth - 1].object;
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        const char *const *k = known;
        while (*k && strcmp(*k, key) != 0)
            k++;
        if (!*k)
            read_refuse(t->r, "\"%.40s\" is not known", key);
    }
}

static bool is_word(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* ---- expressions ---- */

/* Text that grows in an array. */
typedef struct buffer {
    char text[TEXT_BYTES];
    size_t used;
} buffer;

__attribute__((format(printf, 3, 4))) static void put(reading *t, buffer *to, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    int length = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, arguments);
    va_end(arguments);
    if ((size_t)length >= sizeof to->text - to->used)
        read_refuse(t->r, "a text is longer than %d bytes", TEXT_BYTES - 1);
    else
        to->used += (size_t)length;
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalpha((unsigned char)text[length]) || text[length] == '_' ||
           (length && isdigit((unsigned char)text[length])))
        length++;
    return length;
}

/* Replaces "ProblemSize[1]" by its number. Returns the characters taken, or 0. */
static size_t put_problem(reading *t, const char *at, buffer *out)
{
    static const char word[] = "ProblemSize[";
    size_t length = sizeof word - 1;
    if (strncmp(at, word, length) != 0)
        return 0;
    size_t dimension = (size_t)(at[length] - '0');
    if (at[length] < '0' || dimension >= t->problem_count || at[length + 1] != ']' ||
        !t->problem[dimension])
        read_refuse(t->r, "\"%.40s\" is no number of ProblemSize", at);
    else
        put(t, out, "%" PRId64, t->problem[dimension]);
    return length + 2;
}

/* Replaces "max(NAME)" by the largest value of a parameter, likewise "min". Returns the characters
 * taken, or 0. */
static size_t put_extreme(reading *t, const char *at, buffer *out)
{
    bool is_max = strncmp(at, "max(", 4) == 0;
    if (!is_max && strncmp(at, "min(", 4) != 0)
        return 0;
    size_t length = name_length(at + 4);
    for (size_t i = 0; i < t->parameter_count && length && at[4 + length] == ')'; i++) {
        const known_parameter *p = &t->parameters[i];
        if (strlen(p->name) != length || memcmp(p->name, at + 4, length) != 0)
            continue;
        put(t, out, "%.0f", is_max ? p->most : p->least);
        return 4 + length + 1;
    }
    return 0;
}

/* Writes an expression of the file as one of the command line. */
static void translate(reading *t, const char *text, buffer *out)
{
    while (*text && !t->r->failed) {
        size_t taken = put_problem(t, text, out);
        if (!taken)
            taken = put_extreme(t, text, out);
        if (!taken && ((*text == '/' && text[1] != '/') || *text == '^')) {
            read_refuse(t->r,
                        *text == '/' ? "\"%.40s\": / makes fractions; // is whole division"
                                     : "\"%.40s\": ^ is exclusive or, which is not read",
                        text);
            return;
        }
        if (!taken) {
            taken = name_length(text);
            bool is_true = taken == 4 && memcmp(text, "True", 4) == 0;
            bool is_false = taken == 5 && memcmp(text, "False", 5) == 0;
            taken = taken ? taken : text[0] == '/' ? 2 : 1;
            if (is_true || is_false)
                put(t, out, "%d", is_true);
            else
                put(t, out, "%.*s", (int)taken, text);
        }
        text += taken;
    }
}

/* Translates the member `key`, or item `index` of a list: a text, or a whole number. */
static void put_expression(reading *t, const char *key, size_t index, buffer *out)
{
    json_t *value = member(t, key);
    if (value && index != READ_ALONE)
        value = json_array_get(value, index);
    if (json_is_integer(value))
        put(t, out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        translate(t, read_text(t->r, key, index) ? json_string_value(value) : "", out);
}

/* ---- parameters ---- */

static void note_number(known_parameter *p, double value)
{
    p->least = fmin(p->least, value);
    p->most = fmax(p->most, value);
}

/* A text that becomes one item of a list of -D. */
static void put_item(reading *t, buffer *out, const char *name, const char *item, size_t length)
{
    if (length == 0 || memchr(item, ',', length))
        read_refuse(t->r, "\"%.40s\" has a value that is empty or has a comma", name);
    put(t, out, "%s%.*s", out->used ? "," : "", (int)length, item);
}

/* Reads "[16, 32, 'a', True]": nothing but numbers, texts and truth. */
static bool read_literals(reading *t, const char *text, known_parameter *p, buffer *out)
{
    const char *at = text + strspn(text, " ");
    if (*at++ != '[')
        return false;
    for (;;) {
        at += strspn(at, " \t\n");
        if (*at == ']' && out->used)
            break;
        char *end;
        double number = strtod(at, &end);
        size_t length = (size_t)(end - at);
        if (*at == '\'' || *at == '"') {
            const char *close = strchr(at + 1, *at);
            if (!close)
                return false;
            put_item(t, out, p->name, at + 1, (size_t)(close - at) - 1);
            length = (size_t)(close - at) + 1;
        } else if (length && isfinite(number) && strspn(at, "+-.0123456789eE") >= length) {
            put_item(t, out, p->name, at, length);
            note_number(p, number);
        } else if (strncmp(at, "True", 4) == 0 || strncmp(at, "False", 5) == 0) {
            put_item(t, out, p->name, *at == 'T' ? "1" : "0", 1);
            length = *at == 'T' ? 4 : 5;
        } else {
            return false;
        }
        at += length;
        at += strspn(at, " \t\n");
        if (*at == ',')
            at++;
        else if (*at != ']')
            return false;
    }
    return at[1 + strspn(at + 1, " \t\n")] == '\0';
}

static void read_values(reading *t, json_t *values, known_parameter *p, buffer *out)
{
    for (size_t i = 0; i < json_array_size(values); i++) {
        const json_t *value = json_array_get(values, i);
        char number[40];
        if (json_is_string(value)) {
            put_item(t, out, p->name, json_string_value(value), json_string_length(value));
            continue;
        }
        if (json_is_integer(value))
            snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        else if (json_is_boolean(value))
            snprintf(number, sizeof number, "%d", json_is_true(value));
        else if (json_is_real(value))
            snprintf(number, sizeof number, "%.17g", json_real_value(value));
        else
            read_refuse(t->r, "\"%.40s\" has a value that is neither number nor text", p->name);
        if (json_is_number(value))
            note_number(p, json_number_value(value));
        if (!t->r->failed)
            put_item(t, out, p->name, number, strlen(number));
    }
}

static void read_parameter(reading *t, size_t index)
{
    (void)index;
    check_keys(t, parameter_keys);
    const char *name = read_text(t->r, "Name", READ_ALONE);
    json_t *values = member(t, "Values");
    if (t->r->failed || t->parameter_count == RUN_OPTIONS_MAX)
        return;
    known_parameter *p = &t->parameters[t->parameter_count];
    *p = (known_parameter){name, (double)INFINITY, -(double)INFINITY};
    buffer list = {.used = 0};
    if (name_length(name) != strlen(name))
        read_refuse(t->r, "\"%.40s\" is no name", name);
    else if (json_is_array(values))
        read_values(t, values, p, &list);
    else if (!read_literals(t,
                            read_text(t->r, "Values", READ_ALONE) ? json_string_value(values) : "",
                            p, &list))
        read_refuse(t->r, "list the values of \"%.40s\" instead of %.40s", name,
                    json_is_string(values) ? json_string_value(values) : "");
    if (!t->r->failed && !list.used)
        read_refuse(t->r, "\"%.40s\" has no values", name);
    t->parameter_count += isfinite(p->least);
    add(t, &t->out->settings.defines, keep(t, "%s=%s", name, list.text));
}

static void read_condition(reading *t, size_t index)
{
    (void)index;
    buffer text = {.used = 0};
    check_keys(t, condition_keys);
    put_expression(t, "Expression", READ_ALONE, &text);
    add(t, &t->out->settings.conditions, keep(t, "%s", text.text));
}

/* Reads each object of a list, if the list is there. */
static void read_each(reading *t, const char *key, void (*read_one)(reading *t, size_t index))
{
    size_t count = member(t, key) ? read_list(t->r, key, RUN_OPTIONS_MAX) : 0;
    for (size_t i = 0; i < count && !t->r->failed; i++) {
        read_enter(t->r, key, i);
        read_one(t, i);
        read_leave(t->r);
    }
}

static void read_space(reading *t)
{
    read_enter(t->r, "ConfigurationSpace", READ_ALONE);
    check_keys(t, space_keys);
    read_list(t->r, "TuningParameters", RUN_OPTIONS_MAX);
    read_each(t, "TuningParameters", read_parameter);
    read_each(t, "Conditions", read_condition);
    read_leave(t->r);
}

/* ---- sizes ---- */

static void read_problem_size(reading *t, json_t *problem)
{
    t->problem_count = json_is_array(problem) ? json_array_size(problem) : 1;
    if (t->problem_count < 1 || t->problem_count > DIMENSIONS) {
        read_refuse(t->r, "\"ProblemSize\" has %zu parts, not 1 to 3", t->problem_count);
        return;
    }
    for (size_t i = 0; i < t->problem_count; i++) {
        const json_t *part = json_is_array(problem) ? json_array_get(problem, i) : problem;
        if (json_is_integer(part) && json_integer_value(part) >= 1)
            t->problem[i] = json_integer_value(part);
        else if (!json_is_string(part))
            read_refuse(t->r, "\"ProblemSize\" is no size of 1 or more");
    }
    if (t->problem[0])
        t->out->sizes = (parse_sizes){{(uint64_t)t->problem[0]}, 1};
}

/* Reads ProblemSize, which expressions refer to. */
static void read_problem(reading *t)
{
    read_enter(t->r, "KernelSpecification", READ_ALONE);
    json_t *problem = member(t, "ProblemSize");
    if (problem && !json_is_null(problem))
        read_problem_size(t, problem);
    read_leave(t->r);
}

/* Writes X,Y,Z of an object of sizes. */
static void put_sizes(reading *t, const char *key, buffer *out)
{
    read_enter(t->r, key, READ_ALONE);
    check_keys(t, size_keys);
    for (int i = 0; i < DIMENSIONS; i++) {
        if (i && !member(t, size_keys[i]))
            break;
        put(t, out, "%s", i ? "," : "");
        put_expression(t, size_keys[i], READ_ALONE, out);
    }
    read_leave(t->r);
}

/* Characters up to the next comma outside of parentheses. */
static size_t component_length(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && (text[length] != ',' || depth > 0); length++)
        depth += (text[length] == '(') - (text[length] == ')');
    return length;
}

/* Writes what the problem's size is divided by in a dimension: the product of GridDivX, or the
 * size of a group. */
static void put_divisor(reading *t, int dimension, const char *local, buffer *out)
{
    static const char *const keys[] = {"GridDivX", "GridDivY", "GridDivZ"};
    const char *key = keys[dimension];
    json_t *list = member(t, key);
    size_t count =
        json_is_array(list) ? read_list(t->r, key, RUN_OPTIONS_MAX) : list && !json_is_null(list);
    if (count) {
        for (size_t i = 0; i < count; i++) {
            put(t, out, "%s(", i ? "*" : "");
            put_expression(t, key, json_is_array(list) ? i : READ_ALONE, out);
            put(t, out, ")");
        }
        return;
    }
    for (int i = 0; i < dimension && local; i++)
        local += component_length(local) + (local[component_length(local)] == ',');
    int length = local ? (int)component_length(local) : 0;
    put(t, out, "%.*s", length ? length : 1, length ? local : "1");
}

/* Kernel Tuner counts groups: the problem's size over GridDiv, rounded up. */
static void read_groups(reading *t, const char *local)
{
    buffer groups = {.used = 0};
    json_t *problem = member(t, "ProblemSize");
    for (int i = 0; i < (int)t->problem_count; i++) {
        put(t, &groups, "%sceil((", i ? "," : "");
        put_expression(t, "ProblemSize", json_is_array(problem) ? (size_t)i : READ_ALONE, &groups);
        put(t, &groups, ")/(");
        put_divisor(t, i, local, &groups);
        put(t, &groups, "))");
    }
    t->out->settings.groups = keep(t, "%s", groups.text);
}

static void read_geometry(reading *t)
{
    buffer local = {.used = 0}, global = {.used = 0};
    put_sizes(t, "LocalSize", &local);
    put_sizes(t, "GlobalSize", &global);
    const char *kept = keep(t, "%s", local.text);
    add(t, &t->out->settings.locals, kept);
    if (t->problem_count) {
        read_groups(t, kept);
        return;
    }
    const char *type =
        read_text(t->r, member(t, "GlobalSizeType") ? "GlobalSizeType" : "Language", READ_ALONE);
    if (is_word(type, "OpenCL"))
        t->out->settings.global = keep(t, "%s", global.text);
    else if (is_word(type, "CUDA") || is_word(type, "Vulkan"))
        t->out->settings.groups = keep(t, "%s", global.text);
    else
        read_refuse(t->r, "\"GlobalSizeType\" is \"%.40s\", which is not known", type ? type : "");
}

/* ---- arguments ---- */

/* A path in the file is relative to it. */
static const char *keep_path(reading *t, const char *name)
{
    const char *slash = strrchr(t->path, '/');
    int folder = slash && name && *name != '/' ? (int)(slash - t->path) + 1 : 0;
    return name ? keep(t, "%.*s%s", folder, t->path, name) : NULL;
}

/* Bytes of a number of a type, and how many numbers it has. */
static int64_t type_bytes(reading *t)
{
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"bool", 1},   {"int8", 1},  {"uint8", 1},  {"int16", 2},
                 {"uint16", 2}, {"int32", 4}, {"uint32", 4}, {"int64", 8},
                 {"uint64", 8}, {"half", 2},  {"float", 4},  {"double", 8}};
    const char *type = read_text(t->r, "Type", READ_ALONE);
    if (is_word(type, "custom"))
        return read_whole(t->r, "TypeSize", 1, 1 << 20);
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0)
            return types[i].bytes;
        for (int lanes = 2; i >= 9 && lanes <= 16; lanes *= 2) { /* "half2" to "double16" */
            char name[16];
            snprintf(name, sizeof name, "%s%d", types[i].name, lanes);
            if (strcmp(type, name) == 0)
                return (int64_t)types[i].bytes * lanes;
        }
    }
    if (type)
        read_refuse(t->r, "\"Type\" is \"%.40s\", which is not known", type);
    return 1;
}

/* Writes what an argument is filled with; `scalar`: as a value. */
static void put_fill(reading *t, bool scalar, buffer *out)
{
    const char *type = member(t, "FillType") ? read_text(t->r, "FillType", READ_ALONE) : "Constant";
    if (is_word(type, "Constant")) {
        double value = read_number(t->r, "FillValue", READ_ALONE, -(double)INFINITY);
        put(t, out, "%s%.17g", scalar ? "" : "fill:", value);
    } else if (is_word(type, "Random")) {
        put(t, out, "random");
    } else if (is_word(type, "BinaryRaw")) {
        const char *path = keep_path(t, read_text(t->r, "DataSource", READ_ALONE));
        put(t, out, "@%s", path ? path : "");
    } else if (type) {
        read_refuse(t->r, "\"FillType\" is \"%.40s\": Constant, Random and BinaryRaw are read",
                    type);
    }
}

static void read_argument(reading *t, size_t index)
{
    buffer text = {.used = 0}, size = {.used = 0};
    check_keys(t, argument_keys);
    const char *memory = read_text(t->r, "MemoryType", READ_ALONE);
    int64_t bytes = type_bytes(t);
    if (member(t, "Size"))
        put_expression(t, "Size", READ_ALONE, &size);
    if (is_word(memory, "Scalar")) {
        put_fill(t, true, &text);
    } else if (is_word(memory, "Vector")) {
        put_fill(t, false, &text);
        if (size.used)
            put(t, &text, " x %s", size.text);
    } else if (is_word(memory, "Local")) {
        put(t, &text, "local:%" PRId64 "*(%s)", bytes, size.used ? size.text : "1");
    } else if (memory) {
        read_refuse(t->r, "\"MemoryType\" is \"%.40s\": Vector, Scalar and Local are read", memory);
    }
    add(t, &t->out->settings.arguments, keep(t, "%zu=%s", index, text.text));
}

/* The number of the argument that a reference is compared with. */
static size_t find_argument(reading *t, const char *name)
{
    const json_t *arguments = json_object_get(t->r->levels[1].object, "Arguments");
    for (size_t i = 0; name && i < json_array_size(arguments); i++)
        if (is_word(json_string_value(json_object_get(json_array_get(arguments, i), "Name")), name))
            return i;
    if (name)
        read_refuse(t->r, "\"TargetName\" is \"%.40s\", which is no argument", name);
    return 0;
}

static void read_reference(reading *t, size_t index)
{
    (void)index;
    check_keys(t, reference_keys);
    size_t target = find_argument(t, read_text(t->r, "TargetName", READ_ALONE));
    const char *type = read_text(t->r, "FillType", READ_ALONE);
    if (type && !is_word(type, "BinaryRaw"))
        read_refuse(t->r, "\"FillType\" of a reference is \"%.40s\": BinaryRaw is read", type);
    const char *path = keep_path(t, read_text(t->r, "DataSource", READ_ALONE));
    add(t, &t->out->settings.expectations, keep(t, "%zu=@%s", target, path ? path : ""));
    if (!member(t, "ValidationThreshold"))
        return;
    double most = read_number(t->r, "ValidationThreshold", READ_ALONE, 0);
    const char *method = member(t, "ValidationMethod")
                             ? read_text(t->r, "ValidationMethod", READ_ALONE)
                             : "SideBySideComparison";
    const char *tolerance =
        keep(t, is_word(method, "SideBySideRelativeComparison") ? "0,%.17g" : "%.17g", most);
    const char *before = t->out->settings.tolerance;
    if (before && tolerance && strcmp(before, tolerance) != 0)
        read_refuse(t->r, "\"ValidationThreshold\" differs from that of another reference");
    t->out->settings.tolerance = tolerance;
}

/* ---- the kernel ---- */

/* Options of compilers become -D, or have to be without influence: compilers at run time have a
 * standard and an optimisation of their own. */
static void read_compiler_option(reading *t, size_t index)
{
    const char *text = read_text(t->r, "CompilerOptions", index);
    if (!text || strncmp(text, "-std=", 5) == 0 || strncmp(text, "-O", 2) == 0)
        return;
    if (strncmp(text, "-D", 2) == 0 && !strchr(text, ','))
        add(t, &t->out->settings.defines, keep(t, "%s", text + 2 + strspn(text + 2, " ")));
    else
        read_refuse(t->r, "\"CompilerOptions\" has \"%.40s\"; -D, -std and -O are read", text);
}

static void read_kernel(reading *t)
{
    read_enter(t->r, "KernelSpecification", READ_ALONE);
    check_keys(t, kernel_keys);
    const char *language = read_text(t->r, "Language", READ_ALONE);
    if (language && !is_word(language, "OpenCL") && !is_word(language, "CUDA") &&
        !is_word(language, "HIP") && !is_word(language, "Vulkan"))
        read_refuse(t->r, "\"Language\" is \"%.40s\"; OpenCL, CUDA, HIP and Vulkan are read",
                    language);
    const char *file = keep_path(t, read_text(t->r, "KernelFile", READ_ALONE));
    const char *name = read_text(t->r, "KernelName", READ_ALONE);
    t->out->operand = keep(t, "%s:%s", file ? file : "", name ? name : "");
    if (member(t, "SharedMemory") && read_whole(t->r, "SharedMemory", 0, INT64_MAX))
        read_refuse(t->r, "\"SharedMemory\" is not 0, which is not supported");
    size_t options =
        member(t, "CompilerOptions") ? read_list(t->r, "CompilerOptions", RUN_OPTIONS_MAX) : 0;
    for (size_t i = 0; i < options; i++)
        read_compiler_option(t, i);
    read_geometry(t);
    read_each(t, "Arguments", read_argument);
    read_each(t, "ReferenceArguments", read_reference);
    read_leave(t->r);
}

/* ---- files ---- */

/* Leaves out the first part of "ConfigurationSpace.TuningParameters[0]: ...". */
static const char *shorten(const char *sentence)
{
    size_t length = name_length(sentence);
    return length && sentence[length] == '.' ? sentence + length + 1 : sentence;
}

int t1_read_text(const char *path, const char *text, size_t bytes, t1_problem *out,
                 char reason[T1_REASON_BYTES])
{
    json_error_t error;
    *out = (t1_problem){.sizes = {{1}, 1}};
    json_t *document = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!document) {
        snprintf(reason, T1_REASON_BYTES, "it is no JSON: line %d, column %d: %.160s", error.line,
                 error.column, error.text);
        read_make_printable(reason);
        return -1;
    }
    char place[READ_REASON_BYTES];
    json_reader reader = read_begin(document, place);
    reading *t = calloc(1, sizeof *t);
    if (t) {
        *t = (reading){.r = &reader, .out = out, .path = path};
        if (!json_is_object(document))
            read_refuse(&reader, "it is no object");
        check_keys(t, document_keys);
        read_problem(t);
        read_space(t);
        read_kernel(t);
    } else {
        read_run_out(&reader);
    }
    free(t);
    json_decref(document);
    if (reader.failed)
        snprintf(reason, T1_REASON_BYTES, "%s", shorten(place));
    return reader.failed ? -1 : 0;
}

int t1_read(const char *path, t1_problem *out, char reason[T1_REASON_BYTES])
{
    *out = (t1_problem){.operand = NULL};
    errno = 0;
    FILE *file = fopen(path, "rb");
    char *text = malloc(FILE_BYTES_MAX);
    size_t bytes = file && text ? fread(text, 1, FILE_BYTES_MAX, file) : 0;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char sentence[T1_REASON_BYTES] = "out of memory";
    int code = -1;
    if (!file || ferror(file))
        snprintf(reason, T1_REASON_BYTES, "%.200s cannot be read: %s", path, strerror(errno));
    else if (bytes == FILE_BYTES_MAX)
        snprintf(sentence, sizeof sentence, "it has %d MiB or more, too many for a T1 file",
                 (int)(FILE_BYTES_MAX >> 20));
    else if (text)
        code = t1_read_text(path, text, bytes, out, sentence);
    if (code != 0 && file && !ferror(file))
        snprintf(reason, T1_REASON_BYTES, "%.60s: %.320s", name, sentence);
    if (file)
        fclose(file);
    free(text);
    return code;
}

void t1_free(t1_problem *problem)
{
    for (size_t i = 0; i < problem->text_count; i++)
        free(problem->texts[i]);
    free(problem->texts);
    *problem = (t1_problem){.operand = NULL};
}
