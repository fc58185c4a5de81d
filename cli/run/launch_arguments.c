/*
 * launch_arguments.c - the arguments of a configuration: what -a says, else guesses.
 *
 * Buffers of languages whose arguments have an order have a guard zone behind them. A shader may
 * ask how long an array is, and take the zone for elements: where it does, there is none.
 */
#include "cli/options/suggest.h"
#include "cli/run/guess.h"
#include "cli/run/launch_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const launch *l, size_t index, char text[SIGNATURE_NAME_BYTES])
{
    const parameter *p = &l->signature.parameters[index];
    if (p->name[0])
        return p->name;
    snprintf(text, SIGNATURE_NAME_BYTES, "argument %zu", index);
    return text;
}

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
    for (size_t i = 0; i < l->signature.parameter_count; i++)
        l->arguments[i].is_guessed = true;
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

static int set_local(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    char text[SIGNATURE_NAME_BYTES];
    const char *name = name_of(l, index, text);
    if (!a->is_guessed && a->spec.kind != SPECIFICATION_LOCAL)
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s is local memory, which has no content: give -a %s=local:BYTES", name,
                           name);
    int64_t items = group_items(l);
    uint32_t stride = p->element.stride ? p->element.stride : 4;
    a->value_bytes = a->is_guessed ? (size_t)items * stride : (size_t)a->spec.local_bytes;
    if (a->is_guessed)
        launch_note(l, "%s: %zu bytes of local memory, one element a work-item (guess)", name,
                    a->value_bytes);
    return 0;
}

static int set_value(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    element_type element = p->element;
    char text[SIGNATURE_NAME_BYTES], reason[SPECIFICATION_REASON_BYTES], content[80];
    const char *name = name_of(l, index, text);
    int64_t count = p->count ? p->count : 1;
    if (a->is_guessed)
        guess_content(p, l->configuration->n, &a->spec);
    bool is_file = a->spec.kind == SPECIFICATION_BIN || a->spec.kind == SPECIFICATION_NPY;
    if (element.stride == 0 && is_file) {
        element = (element_type){.stride = 1};
        count = specification_count(&a->spec, &element, 1, reason);
        if (count < 0)
            return launch_fail(result, OUTCOME_ARGUMENTS, "%s: %s", name, reason);
    }
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
    guess_text(p, &a->spec, content, sizeof content);
    if (a->is_guessed)
        launch_note(l, "%s: %s%s%s (guess)", name, p->type, p->type[0] ? " = " : "", content);
    return 0;
}

/* ---- buffers ---- */

/* Number of a buffer among buffers: that of the reference's buffer of its name, else its own. So
 * kernels of several languages get the same numbers. */
static uint64_t seed_of(const launch *l, size_t index)
{
    const char *name = l->signature.parameters[index].name;
    const expected_outputs *e = l->expected;
    uint64_t seed = 0;
    for (size_t i = 0; name[0] && i < e->count; i++)
        if (strcmp(e->buffers[i].name, name) == 0)
            return i;
    for (size_t i = 0; i < index; i++)
        seed += l->signature.parameters[i].kind == PARAMETER_BUFFER;
    return seed;
}

/* Elements of a buffer that nobody gave: n, for each row of work-items that the kernel has because
 * its group size is fixed to several. */
static int64_t usual_count(const launch *l)
{
    int64_t rows = l->geometry.global[1] * l->geometry.global[2];
    return (int64_t)l->configuration->n * (l->geometry.is_global_guessed ? rows : 1);
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

/* Null pointers are values of zeros. */
static int set_null(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    char text[SIGNATURE_NAME_BYTES];
    kt_language language = l->subject->file.language;
    if (l->signature.parameters[index].place != PLACE_ORDER || language == KT_LANGUAGE_MSL)
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s: kernels of this language take no null pointer",
                           name_of(l, index, text));
    a->value_bytes = sizeof(void *);
    a->value = calloc(a->value_bytes, 1);
    return a->value ? 0 : launch_fail(result, OUTCOME_LIMIT, "the host is out of memory");
}

static int set_buffer(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    const parameter *p = &l->signature.parameters[index];
    char text[SIGNATURE_NAME_BYTES], reason[LAUNCH_REASON_BYTES], content[80];
    const char *name = name_of(l, index, text);
    if (a->is_guessed)
        guess_content(p, l->configuration->n, &a->spec);
    if (a->spec.kind == SPECIFICATION_NULL)
        return set_null(l, index, result);
    if (a->spec.kind == SPECIFICATION_LOCAL)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s is memory of the device, not local: %s",
                           name, "give its content, such as random");
    if (a->spec.kind == SPECIFICATION_SAME)
        return 0; /* once all others are made */
    buffer_request r = {.contest = l->configuration->contest,
                        .seed = seed_of(l, index),
                        .element = guess_element(p),
                        .spec = a->spec,
                        .has_zone = !l->sees_length};
    r.count = specification_count(&a->spec, &r.element, usual_count(l), reason);
    if (r.count < 0)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s: %s", name, reason);
    if (check_size(l, name, (uint64_t)r.count, r.element.stride ? r.element.stride : 1, result) !=
        0)
        return -1;
    r.bytes = (size_t)r.count * (r.element.stride ? r.element.stride : 1);
    a->count = r.count;
    launch_outcome outcome = buffer_take(l->pool, &r, &a->buffer, reason);
    if (outcome != OUTCOME_OK)
        return launch_fail(result, outcome, "%s: %s", name, reason);
    guess_text(p, &a->spec, content, sizeof content);
    if (a->is_guessed)
        launch_note(l, "%s: %s%s%" PRId64 " elements, %s (guess)", name, p->type,
                    p->type[0] ? ", " : "", r.count, content);
    else if (a->spec.count == 0 && a->spec.kind < SPECIFICATION_NPY)
        launch_note(l, "%s: %" PRId64 " elements (guess)", name, r.count);
    if (!comparison_has_numbers(&p->element))
        launch_note(l, "%s: its element type is unknown, so its bytes are compared", name);
    return 0;
}

static int set_same(launch *l, size_t index, launch_result *result)
{
    launch_argument *a = &l->arguments[index];
    char text[SIGNATURE_NAME_BYTES];
    size_t other = find_same(l, index);
    if (other == SIZE_MAX || !l->arguments[other].buffer)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s=same:%s: there is no buffer %s",
                           name_of(l, index, text), a->spec.other, a->spec.other);
    a->buffer = l->arguments[other].buffer;
    a->buffer->references++;
    a->count = l->arguments[other].count;
    return 0;
}

/* All buffers together must fit, too. */
static int check_sum(const launch *l, launch_result *result)
{
    uint64_t sum = 0, local = l->declared_local_bytes;
    const kt_device_info *info = l->pool->info;
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        const launch_argument *a = &l->arguments[i];
        if (a->buffer && a->spec.kind != SPECIFICATION_SAME)
            sum += a->buffer->request.bytes;
        if (l->signature.parameters[i].kind == PARAMETER_LOCAL)
            local += a->value_bytes;
    }
    if (info->memory_bytes && sum > info->memory_bytes)
        return refuse_size(l, "its buffers", sum, info->memory_bytes, "a memory of", result);
    if (info->local_memory_bytes && local > info->local_memory_bytes)
        return refuse_size(l, "its groups", local, info->local_memory_bytes, "local memory of",
                           result);
    return 0;
}

static int set_argument(launch *l, size_t index, launch_result *result)
{
    const parameter *p = &l->signature.parameters[index];
    char text[SIGNATURE_NAME_BYTES];
    switch (p->kind) {
    case PARAMETER_BUFFER: return set_buffer(l, index, result);
    case PARAMETER_LOCAL: return set_local(l, index, result);
    case PARAMETER_VALUE: return set_value(l, index, result);
    default:
        return launch_fail(result, OUTCOME_ARGUMENTS,
                           "%s is of type %s: kerntime run takes buffers, values and local memory",
                           name_of(l, index, text), p->type[0] ? p->type : "image or sampler");
    }
}

int launch_bind(launch *l, launch_result *result)
{
    int code = read_words(l, result);
    for (size_t i = 0; i < l->signature.parameter_count && code == 0; i++)
        code = set_argument(l, i, result);
    for (size_t i = 0; i < l->signature.parameter_count && code == 0; i++)
        if (l->signature.parameters[i].kind == PARAMETER_BUFFER &&
            l->arguments[i].spec.kind == SPECIFICATION_SAME)
            code = set_same(l, i, result);
    return code == 0 ? check_sum(l, result) : code;
}

/* ---- arguments of the job ---- */

static bool is_same_block(const parameter *a, const parameter *b)
{
    return a->place == b->place && a->block_bytes && b->block_bytes &&
           (a->place == PLACE_PUSH || (a->set == b->set && a->binding == b->binding));
}

/* Writes all members of the block that `first` is in. Returns its bytes, the caller's. */
static uint8_t *pack_block(const launch *l, size_t first, uint32_t *begin, size_t *bytes)
{
    const parameter *head = &l->signature.parameters[first];
    *begin = head->place == PLACE_PUSH ? head->offset : 0;
    for (size_t i = first; i < l->signature.parameter_count; i++)
        if (is_same_block(head, &l->signature.parameters[i]) && head->place == PLACE_PUSH &&
            l->signature.parameters[i].offset < *begin)
            *begin = l->signature.parameters[i].offset;
    *bytes = head->block_bytes > *begin ? head->block_bytes - *begin : 0;
    uint8_t *block = *bytes ? calloc(*bytes, 1) : NULL;
    for (size_t i = first; block && i < l->signature.parameter_count; i++) {
        const parameter *p = &l->signature.parameters[i];
        const launch_argument *a = &l->arguments[i];
        if (is_same_block(head, p) && a->value && p->offset >= *begin &&
            p->offset - *begin + a->value_bytes <= *bytes)
            memcpy(block + (p->offset - *begin), a->value, a->value_bytes);
    }
    return block;
}

static kt_arg_place place_of(const parameter *p)
{
    return p->place == PLACE_BINDING ? KT_PLACE_BINDING
           : p->place == PLACE_PUSH  ? KT_PLACE_PUSH
                                     : KT_PLACE_ORDER;
}

/* Fills in the arguments of the dispatch; `blocks` are freed by the caller. */
static uint32_t list_arguments(const launch *l, kt_arg *args, uint8_t **blocks)
{
    const signature *s = &l->signature;
    uint32_t count = 0;
    for (size_t i = 0; i < s->parameter_count; i++) {
        const parameter *p = &s->parameters[i];
        const launch_argument *a = &l->arguments[i];
        kt_arg arg = {.memory = a->buffer ? a->buffer->memory : NULL,
                      .value = a->value,
                      .value_bytes = a->value_bytes,
                      .place = place_of(p),
                      .set = p->set,
                      .binding = p->binding,
                      .offset = p->offset};
        bool is_packed = false;
        for (size_t before = 0; before < i; before++)
            is_packed |= p->kind == PARAMETER_VALUE && is_same_block(&s->parameters[before], p);
        if (is_packed)
            continue;
        if (p->kind == PARAMETER_VALUE && p->block_bytes && p->place != PLACE_ORDER) {
            blocks[i] = pack_block(l, i, &arg.offset, &arg.value_bytes);
            arg.value = blocks[i];
        }
        args[count++] = arg;
    }
    return count;
}

static int create_job(launch *l, const kt_arg *args, uint32_t arg_count, launch_result *result)
{
    const configuration *c = l->configuration;
    const run_subject *s = l->subject;
    char name[SIGNATURE_NAME_BYTES + 32], variant[SIGNATURE_NAME_BYTES + RUN_TEXT_BYTES + 2];
    snprintf(name, sizeof name, "%s/%" PRIu64, s->name, c->n);
    snprintf(variant, sizeof variant, "%s%s%s", l->pool->is_shared ? s->label : "",
             l->pool->is_shared && c->text[0] ? " " : "", c->text);
    const kt_param param = {.name = "n", .value = (int64_t)c->n};
    /* Results use some names for rows of their own: such a kernel is called as its job. */
    const kt_series as_row = {.step = s->name};
    kt_step step = {.kind = KT_STEP_DISPATCH,
                    .program = l->program,
                    .args = args,
                    .arg_count = arg_count,
                    .bytes = l->bytes,
                    .flops = l->flops};
    if (kt_series_get_role(&as_row) < KT_ROLE_TOTAL)
        step.name = s->name;
    memcpy(step.groups, l->geometry.groups, sizeof step.groups);
    memcpy(step.group_size, l->geometry.local, sizeof step.group_size);
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = name,
                              .workload = s->name,
                              .variant = variant[0] ? variant : NULL,
                              .params = &param,
                              .param_count = 1,
                              .steps = &step,
                              .step_count = 1,
                              .trials_max = l->trials_max,
                              .reset = launch_reset,
                              .verify = launch_verify,
                              .user = l};
    kt_job_destroy(&l->job);
    kt_status status = kt_job_create(l->pool->device, &desc, &l->job);
    return status == KT_OK ? 0 : launch_fail_status(result, status);
}

int launch_make_job(launch *l, launch_result *result)
{
    kt_arg args[SIGNATURE_PARAMETERS_MAX];
    uint8_t *blocks[SIGNATURE_PARAMETERS_MAX] = {NULL};
    uint32_t count = list_arguments(l, args, blocks);
    int code = create_job(l, args, count, result);
    for (size_t i = 0; i < SIGNATURE_PARAMETERS_MAX; i++)
        free(blocks[i]);
    return code;
}
