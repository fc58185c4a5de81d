/* SPDX-License-Identifier: MIT */
/* launch_arguments.c - the arguments of a configuration: what -a says, else guesses. */
#include "cli/options/suggest.h"
#include "cli/run/guess.h"
#include "cli/run/launch_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Constant memory that OpenCL asks of every device. */
#define CONSTANT_BYTES 65536

/* ---- what -a says ---- */

/* The parameter of a name or number; SIZE_MAX: there is none. */
static size_t find_parameter(const signature *s, const char *name)
{
    char *end;
    for (size_t i = 0; i < s->parameter_count; i++)
        if (s->parameters[i].name[0] && strcmp(s->parameters[i].name, name) == 0)
            return i;
    unsigned long number = strtoul(name, &end, 10);
    return end != name && !*end && number < s->parameter_count ? number : SIZE_MAX;
}

/* Whether another kernel of the plan has the parameter: -a is for all kernels. */
static bool others_have(const launch *l, const char *name)
{
    const run_plan *plan = l->pool->plan;
    for (size_t i = 0; i < plan->subject_count + plan->has_reference; i++)
        if (&plan->subjects[i] != l->subject &&
            (!plan->subjects[i].has_signature ||
             find_parameter(&plan->subjects[i].signature, name) != SIZE_MAX))
            return true;
    return false;
}

static int refuse_name(const launch *l, const char *name, launch_result *result)
{
    const signature *s = &l->signature;
    char all[300] = "";
    size_t length = 0;
    suggestion close = suggest_begin(name, strlen(name));
    for (size_t i = 0; i < s->parameter_count; i++) {
        suggest_consider(&close, s->parameters[i].name);
        if (s->parameters[i].name[0] && length < sizeof all)
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s",
                                       length ? ", " : "", s->parameters[i].name);
    }
    if (close.word)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s has no parameter %s; did you mean %s?",
                           l->subject->label, name, close.word);
    return launch_fail(result, OUTCOME_ARGUMENTS, "%s has no parameter %s; it has %s",
                       l->subject->label, name, length ? all : "none with a name");
}

/* Reads the words of -a; what they leave out is guessed. */
static int read_words(launch *l, launch_result *result)
{
    const run_texts *texts = &l->subject->settings.arguments;
    char name[SIGNATURE_NAME_BYTES], reason[SPECIFICATION_REASON_BYTES];
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        l->arguments[i].is_guessed = true;
        l->arguments[i].expected = SIZE_MAX;
    }
    for (size_t i = 0; i < texts->count; i++) {
        const char *words = specification_split(texts->texts[i], name, reason);
        if (!words)
            return launch_fail(result, OUTCOME_ARGUMENTS, "-a %s: %s", texts->texts[i], reason);
        size_t index = find_parameter(&l->signature, name);
        if (index == SIZE_MAX && others_have(l, name))
            continue;
        if (index == SIZE_MAX)
            return refuse_name(l, name, result);
        if (specification_read(words, run_lookup, &l->names, &l->arguments[index].spec, reason) !=
            0)
            return launch_fail(result, OUTCOME_ARGUMENTS, "-a %s: %s", texts->texts[i], reason);
        l->arguments[index].is_guessed = false;
    }
    return 0;
}

/* ---- local memory and values ---- */

static int64_t group_items(const launch *l)
{
    return (int64_t)l->geometry.local[0] * l->geometry.local[1] * l->geometry.local[2];
}

/* Bytes of local memory: an element for each work-item of a group, or n if the text's indices go up
 * to n and the device has as much. */
static size_t guess_local_bytes(const launch *l, const parameter *p)
{
    uint64_t stride = p->element.stride ? p->element.stride : 4, n = l->configuration->n;
    uint64_t most = l->pool->info->local_memory_bytes;
    if (p->power == 1 && (int64_t)n > group_items(l) && n <= most / stride)
        return (size_t)(n * stride);
    return (size_t)((uint64_t)group_items(l) * stride);
}

static int set_local(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    char text[SIGNATURE_NAME_BYTES];
    const char *name = launch_name(l, index, text);
    if (!a->is_guessed && a->spec.kind != SPECIFICATION_LOCAL)
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s is local memory, which has no content: give -a %s=local:BYTES", name,
                           name);
    a->value_bytes = a->is_guessed ? guess_local_bytes(l, p) : (size_t)a->spec.local_bytes;
    return 0;
}

static bool is_file(const specification *spec)
{
    return spec->kind == SPECIFICATION_BIN || spec->kind == SPECIFICATION_NPY;
}

/* A file for a value of unknown size is the value; another one has to be as long. */
static int measure_value_file(const specification *spec, const char *name, element_type *element,
                              int64_t *count, launch_result *result)
{
    char reason[SPECIFICATION_REASON_BYTES];
    bool is_known = element->stride != 0;
    if (!is_known)
        *element = (element_type){.stride = 1};
    int64_t has = specification_count(spec, element, 1, reason);
    if (has < 0)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s: %s", name, reason);
    if (is_known && has != *count)
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s: %.100s holds %" PRId64 " values of %u bytes, it takes %" PRId64,
                           name, spec->file, has, element->stride, *count);
    *count = has;
    return 0;
}

static int set_value(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    element_type element = p->element;
    char text[SIGNATURE_NAME_BYTES], reason[SPECIFICATION_REASON_BYTES];
    const char *name = launch_name(l, index, text);
    int64_t count = p->count ? p->count : 1;
    if (a->is_guessed)
        guess_content(p, l->configuration->n, &a->spec);
    if (is_file(&a->spec) && measure_value_file(&a->spec, name, &element, &count, result) != 0)
        return -1;
    if (element.stride == 0)
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s has the type %s, of unknown size: give its bytes, -a %s=@FILE.bin",
                           name, p->type[0] ? p->type : "of a structure", name);
    a->value_bytes = (size_t)element.stride * (size_t)count;
    a->value = calloc(a->value_bytes, 1);
    if (!a->value)
        return launch_fail(result, OUTCOME_LIMIT, "the host is out of memory");
    if (specification_fill(&a->spec, &element, index, a->value, count, reason) != 0)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s: %s", name, reason);
    return 0;
}

/* ---- buffers ---- */

/* Number of a buffer among buffers: that of the first kernel's buffer of its name, else its own.
 * So kernels of several languages get the same numbers. */
static uint64_t seed_of(const launch *l, size_t index)
{
    const char *name = l->signature.parameters[index].name;
    const expected_outputs *e = l->expected;
    uint64_t seed = 0;
    for (size_t i = 0; name[0] && i < e->count; i++)
        if (strcmp(e->buffers[i].name, name) == 0)
            return e->buffers[i].seed;
    for (size_t i = 0; i < index; i++)
        seed += l->signature.parameters[i].kind == PARAMETER_BUFFER;
    return seed;
}

/* a * n^power, as far as it can be counted. */
static int64_t times_power(int64_t a, int64_t n, unsigned power)
{
    for (; power > 0; power--)
        a = a <= INT64_MAX / n ? a * n : INT64_MAX;
    return a;
}

/* Elements of a buffer that nobody gave: as many as its indices in the text need, and one for each
 * work-item of the guessed work; in constant memory no more than every device has. */
static int64_t usual_count(const launch *l, const parameter *p)
{
    int64_t n = (int64_t)l->configuration->n;
    int64_t most = CONSTANT_BYTES / (p->element.stride ? p->element.stride : 1);
    const geometry *g = &l->geometry;
    unsigned power = l->signature.dimensions > 1               ? l->signature.dimensions
                     : g->is_global_guessed && g->local[1] > 1 ? 2
                                                               : 1;
    int64_t count = times_power(1, n, power), told = times_power(p->factor, n, p->power);
    count = told > count ? told : count;
    if (g->is_global_guessed && power < 3 && count <= INT64_MAX / g->local[2])
        count *= g->local[2];
    return p->is_constant && count > most && most > 0 ? most : count;
}

static int refuse_size(const launch *l, const char *name, uint64_t bytes, uint64_t most,
                       const char *which, launch_result *result)
{
    char wanted[32], had[32];
    kt_format_bytes(wanted, sizeof wanted, bytes);
    kt_format_bytes(had, sizeof had, most);
    return launch_fail(result, OUTCOME_LIMIT, "%s %s %s, and %s has %s %s", name,
                       strchr(name, ' ') ? "need" : "needs", wanted, l->pool->info->id, which, had);
}

/* Refuses before anything is allocated what the device cannot hold. */
static int check_size(const launch *l, const char *name, uint64_t count, uint32_t stride,
                      launch_result *result)
{
    const kt_device_info *info = l->pool->info;
    uint64_t most = info->max_memory_bytes;
    if (info->max_argument_bytes && (most == 0 || info->max_argument_bytes < most))
        most = info->max_argument_bytes;
    if (count > (SIZE_MAX - 2 * ZONE_BYTES) / stride || count > INT64_MAX / stride)
        return launch_fail(result, OUTCOME_LIMIT, "%s needs more bytes than can be counted", name);
    if (most && count * stride > most)
        return refuse_size(l, name, count * stride, most, "room for a buffer of", result);
    return 0;
}

/* The buffer of another argument; SIZE_MAX: there is none. */
static size_t find_same(const launch *l, size_t index)
{
    size_t other = find_parameter(&l->signature, l->arguments[index].spec.other);
    bool is_buffer = other != SIZE_MAX && other != index &&
                     l->signature.parameters[other].kind == PARAMETER_BUFFER &&
                     l->arguments[other].spec.kind != SPECIFICATION_SAME;
    return is_buffer ? other : SIZE_MAX;
}

static uint32_t stride_of(const element_type *element)
{
    return element->stride ? element->stride : 1;
}

/* Null pointers are values of zeros. */
static int set_null(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    char text[SIGNATURE_NAME_BYTES];
    kt_language language = l->subject->file.language;
    if (l->signature.parameters[index].place != PLACE_ORDER || language == KT_LANGUAGE_MSL)
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s: kernels of this language take no null pointer",
                           launch_name(l, index, text));
    a->value_bytes = sizeof(void *);
    a->value = calloc(a->value_bytes, 1);
    return a->value ? 0 : launch_fail(result, OUTCOME_LIMIT, "the host is out of memory");
}

/* Finds the size of a buffer, and makes nothing. */
static int size_buffer(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    const element_type element = guess_element(p);
    char text[SIGNATURE_NAME_BYTES], reason[SPECIFICATION_REASON_BYTES];
    const char *name = launch_name(l, index, text);
    if (a->is_guessed)
        guess_content(p, l->configuration->n, &a->spec);
    if (a->spec.kind == SPECIFICATION_NULL)
        return set_null(l, index, result);
    if (a->spec.kind == SPECIFICATION_LOCAL)
        return launch_fail(
            result, OUTCOME_ARGUMENTS,
            "%s is memory of the device, not local: give its content, such as random", name);
    if (a->spec.kind == SPECIFICATION_SAME)
        return 0;
    a->count = specification_count(&a->spec, &element, usual_count(l, p), reason);
    if (a->count < 0)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s: %s", name, reason);
    if (a->is_guessed && a->count < p->count) /* its type says so */
        a->count = p->count;
    int64_t in_front = ((int64_t)p->offset + stride_of(&element) - 1) / stride_of(&element);
    if (a->is_guessed && a->count <= INT64_MAX - in_front) /* members in front take room, too */
        a->count += in_front;
    if (check_size(l, name, (uint64_t)a->count, stride_of(&element), result) != 0)
        return -1;
    a->bytes = (uint64_t)a->count * stride_of(&element);
    return 0;
}

static int make_buffer(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const buffer_request r = {.contest = l->configuration->contest,
                              .seed = seed_of(l, index),
                              .element = guess_element(&l->signature.parameters[index]),
                              .spec = a->spec,
                              .count = a->count,
                              .bytes = (size_t)a->bytes,
                              .in_front = l->signature.parameters[index].offset};
    char text[SIGNATURE_NAME_BYTES], reason[LAUNCH_REASON_BYTES];
    launch_outcome outcome = buffer_take(l->pool, &r, &a->buffer, reason);
    if (outcome != OUTCOME_OK)
        return launch_fail(result, outcome, "%s: %.400s", launch_name(l, index, text), reason);
    return 0;
}

static int set_same(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    char text[SIGNATURE_NAME_BYTES];
    size_t other = find_same(l, index);
    if (other == SIZE_MAX || !l->arguments[other].buffer)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s=same:%s: there is no buffer %s",
                           launch_name(l, index, text), a->spec.other, a->spec.other);
    a->buffer = l->arguments[other].buffer;
    a->buffer->references++;
    return 0;
}

/* All buffers together must fit, too: into the device, and their copies into the host. */
static int check_sum(const launch *l, launch_result *result)
{
    uint64_t sum = 0, largest = 0;
    const kt_device_info *info = l->pool->info;
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        const launch_argument *a = &l->arguments[i];
        sum = a->bytes > UINT64_MAX / 4 - sum ? UINT64_MAX / 4 : sum + a->bytes;
        largest = a->bytes > largest ? a->bytes : largest;
    }
    if (info->memory_bytes && sum > info->memory_bytes)
        return refuse_size(l, "its buffers", sum, info->memory_bytes, "a memory of", result);
    /* The host has their content, what is expected, and what is read back. */
    uint64_t copies = 2 * sum + largest + (info->type == KT_DEVICE_CPU ? sum : 0);
    uint64_t host = kt_host_memory_bytes();
    char copied[32], had[32];
    if (host == 0 || copies <= host)
        return 0;
    kt_format_bytes(copied, sizeof copied, copies);
    kt_format_bytes(had, sizeof had, host);
    return launch_fail(result, OUTCOME_LIMIT,
                       "its buffers and their copies for checking need %s, and the host has %s",
                       copied, had);
}

static int set_argument(launch *l, size_t index, launch_result *result)
{
    const parameter *p = &l->signature.parameters[index];
    char text[SIGNATURE_NAME_BYTES];
    switch (p->kind) {
    case PARAMETER_BUFFER: return size_buffer(l, index, result);
    case PARAMETER_LOCAL: return set_local(l, index, result);
    case PARAMETER_VALUE: return set_value(l, index, result);
    default:
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s is of type %s: kerntime run takes buffers, values and local memory",
                           launch_name(l, index, text), p->type[0] ? p->type : "image or sampler");
    }
}

/* ---- what was guessed ---- */

static void note_buffer(launch *l, size_t index, const char *name)
{
    const launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    char content[80], count[32], usual[32];
    count_text((uint64_t)a->count, count);
    guess_text(p, &a->spec, content, sizeof content);
    if (a->is_guessed)
        launch_note(l, "%s: %s%s%s elements, %s (guess)", name, p->type, p->type[0] ? ", " : "",
                    count, content);
    else if (a->spec.count == 0 && a->spec.kind < SPECIFICATION_NPY)
        launch_note(l, "%s: %s elements (guess)", name, count);
    else if (is_file(&a->spec) && a->spec.count == 0 && a->count < usual_count(l, p))
        launch_note(l, "%s: the file has %s elements, fewer than the %s of a guess", name, count,
                    count_text((uint64_t)usual_count(l, p), usual));
    if (a->bytes && !comparison_has_numbers(&p->element))
        launch_note(l, "%s: its element type is unknown, so its bytes are compared", name);
    if (a->buffer && a->buffer->zone_bytes == 0)
        launch_note(l, "%s: as large as the device allows, so writes outside of it are not found",
                    name);
}

/* Describes arguments in their order: guesses, and what of -a was completed. */
static void note_arguments(launch *l)
{
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        const launch_argument *a = &l->arguments[i];
        const parameter *p = &l->signature.parameters[i];
        char text[SIGNATURE_NAME_BYTES], content[80];
        const char *name = launch_name(l, i, text);
        guess_text(p, &a->spec, content, sizeof content);
        if (p->kind == PARAMETER_BUFFER)
            note_buffer(l, i, name);
        else if (a->is_guessed && p->kind == PARAMETER_LOCAL)
            launch_note(l, "%s: %zu bytes of local memory, %s (guess)", name, a->value_bytes,
                        a->value_bytes > (size_t)group_items(l) * stride_of(&p->element)
                            ? "n elements"
                            : "one element a work-item");
        else if (a->is_guessed)
            launch_note(l, "%s: %s%s%s (guess)", name, p->type, p->type[0] ? " = " : "", content);
    }
}

static bool is_buffer(const launch *l, size_t index, bool is_same)
{
    const launch_argument *a = &l->arguments[index];
    return l->signature.parameters[index].kind == PARAMETER_BUFFER &&
           a->spec.kind != SPECIFICATION_NULL && (a->spec.kind == SPECIFICATION_SAME) == is_same;
}

int launch_bind(launch *l, launch_result *result)
{
    size_t count = l->signature.parameter_count;
    l->arguments = calloc(count ? count : 1, sizeof *l->arguments);
    if (!l->arguments)
        return launch_fail(result, OUTCOME_LIMIT, "the host is out of memory");
    int code = read_words(l, result);
    for (size_t i = 0; i < count && code == 0; i++)
        code = set_argument(l, i, result);
    if (code == 0)
        code = check_sum(l, result);
    for (size_t i = 0; i < count && code == 0; i++)
        if (is_buffer(l, i, false))
            code = make_buffer(l, i, result);
    for (size_t i = 0; i < count && code == 0; i++)
        if (is_buffer(l, i, true))
            code = set_same(l, i, result);
    if (code == 0)
        note_arguments(l);
    return code;
}
