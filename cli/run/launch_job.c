/* SPDX-License-Identifier: MIT */
/*
 * launch_job.c - the job of a launch. Values that are members of one uniform buffer, or of the push
 * constants, are packed into one argument.
 */
#include "cli/run/launch_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_block(const parameter *a, const parameter *b)
{
    return a->place == b->place && a->block_bytes && b->block_bytes &&
           (a->place == PLACE_PUSH || (a->set == b->set && a->binding == b->binding));
}

/* Bytes of a value without the gap behind a vector, which may hold the next member. */
static size_t bytes_of(const launch *l, size_t index)
{
    const parameter *p = &l->signature.parameters[index];
    size_t packed = (size_t)p->element.lanes * p->element.scalar_bytes;
    size_t whole = l->arguments[index].value_bytes;
    return p->count <= 1 && packed && packed < whole ? packed : whole;
}

/* Where the block of member `first` begins: push constants need not have all bytes from 0 on. */
static uint32_t find_begin(const signature *s, size_t first)
{
    uint32_t begin = s->parameters[first].offset;
    if (s->parameters[first].place != PLACE_PUSH)
        return 0;
    for (size_t i = first; i < s->parameter_count; i++)
        if (is_same_block(&s->parameters[first], &s->parameters[i]) &&
            s->parameters[i].offset < begin)
            begin = s->parameters[i].offset;
    return begin;
}

/* Writes all members of the block that `first` is in; its bytes are the caller's. */
static int pack_block(const launch *l, size_t first, uint8_t **out, kt_arg *arg,
                      launch_result *result)
{
    const signature *s = &l->signature;
    uint32_t begin = find_begin(s, first), end = s->parameters[first].block_bytes;
    arg->offset = begin;
    arg->value_bytes = end > begin ? end - begin : 0;
    arg->value = *out = calloc(arg->value_bytes ? arg->value_bytes : 1, 1);
    if (!*out)
        return launch_fail(result, OUTCOME_LIMIT, "the host is out of memory");
    for (size_t i = first; i < s->parameter_count; i++) {
        const parameter *p = &s->parameters[i];
        char text[SIGNATURE_NAME_BYTES];
        if (!is_same_block(&s->parameters[first], p) || !l->arguments[i].value)
            continue;
        size_t bytes = bytes_of(l, i);
        if (p->offset + bytes > end)
            return launch_fail(result, OUTCOME_ARGUMENTS,
                               "%s has %zu bytes from byte %u on, and its block has %u",
                               launch_name(l, i, text), bytes, p->offset, end);
        memcpy(*out + (p->offset - begin), l->arguments[i].value, bytes);
    }
    return 0;
}

static kt_arg_place place_of(const parameter *p)
{
    return p->place == PLACE_BINDING ? KT_PLACE_BINDING
           : p->place == PLACE_PUSH  ? KT_PLACE_PUSH
                                     : KT_PLACE_ORDER;
}

/* The kernel gets a buffer without its zones, but if nothing shows it the end, with the one behind:
 * drivers drop what is written beyond the end of a part, so it would not be found. */
static void set_part(const launch *l, const parameter *p, const pool_buffer *buffer, kt_arg *arg)
{
    arg->memory = buffer->memory;
    arg->memory_offset = buffer->zone_bytes;
    if (l->sees_length || p->is_constant) /* constant memory has a limit of its own */
        arg->memory_bytes = buffer->part_bytes;
}

/* Fills in the arguments of the dispatch; `blocks` are freed by the caller. */
static int list_arguments(const launch *l, kt_arg *args, uint32_t *count, uint8_t **blocks,
                          launch_result *result)
{
    const signature *s = &l->signature;
    int code = 0;
    *count = 0;
    for (size_t i = 0; i < s->parameter_count && code == 0; i++) {
        const parameter *p = &s->parameters[i];
        const launch_argument *a = &l->arguments[i];
        kt_arg arg = {.value = a->value,
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
        if (a->buffer)
            set_part(l, p, a->buffer, &arg);
        if (p->kind == PARAMETER_VALUE && p->block_bytes && p->place != PLACE_ORDER)
            code = pack_block(l, i, &blocks[i], &arg, result);
        args[(*count)++] = arg;
    }
    return code;
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
    /* Without reset nobody knows how often it ran on its own output. */
    bool is_known = !l->expected->varies && !(l->subject->settings.no_reset && l->changes_itself);
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
                              .verify = is_known ? launch_verify : NULL,
                              .user = l};
    kt_job_destroy(&l->job);
    kt_status status = kt_job_create(l->pool->device, &desc, &l->job);
    return status == KT_OK ? 0 : launch_fail_status(result, status);
}

int launch_make_job(launch *l, launch_result *result)
{
    kt_arg args[SIGNATURE_PARAMETERS_MAX];
    uint8_t *blocks[SIGNATURE_PARAMETERS_MAX] = {NULL};
    uint32_t count;
    int code = list_arguments(l, args, &count, blocks, result);
    if (code == 0)
        code = create_job(l, args, count, result);
    for (size_t i = 0; i < SIGNATURE_PARAMETERS_MAX; i++)
        free(blocks[i]);
    return code;
}
