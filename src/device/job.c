/* SPDX-License-Identifier: MIT */
#include "device/device.h"
#include "support/alloc.h"
#include "support/keep.h"
#include "support/options.h"

#include <stdio.h>
#include <string.h>

/* Copies `bytes` bytes into the job's list. NULL for NULL; also NULL on failure, which sets
 * `status`. */
static void *keep_copy(kt_job *job, const void *data, size_t bytes, kt_status *status)
{
    if (!data || *status != KT_OK)
        return NULL;
    void *copy = kt_alloc(1, bytes);
    if (copy)
        memcpy(copy, data, bytes);
    copy = kt_keep(&job->copies, &job->copy_count, copy);
    if (!copy)
        *status = KT_NO_MEMORY;
    return copy;
}

static const char *keep_text(kt_job *job, const char *text, kt_status *status)
{
    return keep_copy(job, text, text ? strlen(text) + 1 : 0, status);
}

/* Product of three counts, in which 0 counts as 1. Saturates instead of overflowing. */
static uint64_t volume(const uint32_t counts[3])
{
    uint64_t product = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t count = counts[i] ? counts[i] : 1;
        product = product > UINT64_MAX / count ? UINT64_MAX : product * count;
    }
    return product;
}

/* Saturates instead of overflowing. */
static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool inside(const kt_memory *memory, size_t offset, size_t bytes)
{
    return offset <= memory->bytes && bytes <= memory->bytes - offset;
}

/* Bytes of its memory that an argument gives to the kernel. */
static size_t part_bytes(const kt_arg *arg)
{
    return arg->memory_bytes ? arg->memory_bytes : arg->memory->bytes - arg->memory_offset;
}

/* Checks the part of the memory. It may be limited to less than the largest memory. */
static kt_status check_memory(const kt_device *device, const kt_arg *arg, uint32_t number,
                              const char *name)
{
    char most[32], given[32];
    uint64_t most_bytes = device->info.max_argument_bytes;
    if (arg->memory_offset % KT_ARG_ALIGNMENT)
        return kt_fail(KT_INVALID, "step %s: argument %u begins at byte %zu, no multiple of %d",
                       name, number, arg->memory_offset, KT_ARG_ALIGNMENT);
    if (arg->memory_offset >= arg->memory->bytes ||
        !inside(arg->memory, arg->memory_offset, arg->memory_bytes))
        return kt_fail(KT_INVALID,
                       "step %s: argument %u has %zu bytes from byte %zu on, of a memory of %zu",
                       name, number, arg->memory_bytes, arg->memory_offset, arg->memory->bytes);
    uint64_t bytes = part_bytes(arg);
    if (most_bytes == 0 || bytes <= most_bytes)
        return KT_OK;
    kt_format_bytes(most, sizeof most, most_bytes);
    kt_format_bytes(given, sizeof given, bytes);
    if (strcmp(most, given) == 0)
        snprintf(given, sizeof given, "%llu bytes more", (unsigned long long)(bytes - most_bytes));
    return kt_fail(KT_LIMIT, "kernels of %s take memories of at most %s, step %s gives one of %s",
                   device->info.id, most, name, given);
}

/* Checks source and destination memory of a copy or map step. */
static kt_status check_ends(const kt_device *device, const kt_step *step, const char *name)
{
    if (!step->src || !step->dst || step->src->device != device || step->dst->device != device)
        return kt_fail(KT_INVALID, "step %s: a copy needs two memories of %s", name,
                       device->info.id);
    if (step->copy_bytes == 0 || !inside(step->src, step->src_offset_bytes, step->copy_bytes) ||
        !inside(step->dst, step->dst_offset_bytes, step->copy_bytes))
        return kt_fail(KT_INVALID, "step %s: %zu bytes do not lie within both memories", name,
                       step->copy_bytes);
    return KT_OK;
}

static bool is_argument(const kt_step *step, const kt_memory *memory)
{
    for (uint32_t i = 0; i < step->arg_count; i++)
        if (step->args[i].memory == memory)
            return true;
    return false;
}

/* Checks an argument against the language of its kernel. `first` is the first of its step. */
static kt_status check_place(const kt_program *program, const kt_arg *arg, const kt_arg *first,
                             uint32_t number, const char *name)
{
    const kt_backend *backend = program->device->backend;
    bool has_place = arg->place != KT_PLACE_ORDER;
    if (!arg->memory && arg->value_bytes == 0)
        return kt_fail(KT_INVALID, "step %s: argument %u is empty", name, number);
    if ((unsigned)arg->place > KT_PLACE_PUSH || (arg->memory && arg->place == KT_PLACE_PUSH))
        return kt_fail(KT_INVALID, "step %s: argument %u is at no known place", name, number);
    if (has_place != (first->place != KT_PLACE_ORDER))
        return kt_fail(KT_INVALID, "step %s: some arguments have a set and binding, some do not",
                       name);
    if (has_place && !(backend->languages_with_places & (uint32_t)program->language))
        return kt_fail(KT_UNSUPPORTED,
                       "step %s: argument %u has a set and binding, but arguments of this language "
                       "have an order",
                       name, number);
    if (!arg->memory && !arg->value &&
        (has_place || !(backend->languages_with_local & (uint32_t)program->language)))
        return kt_fail(KT_UNSUPPORTED,
                       "step %s: argument %u is local memory, which kernels of this language take "
                       "no size of",
                       name, number);
    return KT_OK;
}

static kt_status check_dispatch(const kt_device *device, const kt_step *step, const char *name)
{
    if (!step->program)
        return kt_fail(KT_INVALID, "step %s dispatches no program", name);
    if (step->program->device != device)
        return kt_fail(KT_INVALID, "step %s: its program belongs to another device", name);
    if (step->arg_count && !step->args)
        return kt_fail(KT_INVALID, "step %s says %u arguments and gives none", name,
                       step->arg_count);
    for (uint32_t i = 0; i < step->arg_count; i++) {
        const kt_arg *arg = &step->args[i];
        if (arg->memory && arg->memory->device != device)
            return kt_fail(KT_INVALID, "step %s: argument %u belongs to another device", name, i);
        kt_status status = check_place(step->program, arg, step->args, i, name);
        if (status == KT_OK && arg->memory)
            status = check_memory(device, arg, i, name);
        if (status != KT_OK)
            return status;
    }
    if (step->src && step->dst) {
        kt_status status = check_ends(device, step, name);
        if (status != KT_OK)
            return status;
        if (!is_argument(step, step->src) || !is_argument(step, step->dst))
            return kt_fail(KT_INVALID, "step %s copies between what its kernel is not given", name);
    }
    if (volume(step->groups) > INT64_MAX)
        return kt_fail(KT_LIMIT, "step %s wants more groups than can be counted", name);
    uint64_t items = volume(step->group_size);
    if (device->info.max_group_size && items > device->info.max_group_size)
        return kt_fail(KT_LIMIT, "%s takes groups of at most %u work-items, step %s wants %llu",
                       device->info.id, device->info.max_group_size, name,
                       (unsigned long long)items);
    return KT_OK;
}

static kt_status check_copy(const kt_device *device, const kt_step *step, const char *name)
{
    kt_status status = check_ends(device, step, name);
    if (status == KT_OK && !(device->info.copies[step->src->kind] & 1u << step->dst->kind))
        return kt_fail(KT_UNSUPPORTED, "%s does not copy from %s to %s memory", device->info.id,
                       kt_memory_kind_name(step->src->kind), kt_memory_kind_name(step->dst->kind));
    return status;
}

static kt_status check_map(const kt_device *device, const kt_step *step, const char *name)
{
    kt_status status = check_ends(device, step, name);
    if (status != KT_OK)
        return status;
    const kt_memory *mapped = step->src->kind == KT_MEMORY_HOST ? step->dst : step->src;
    const kt_memory *seen = mapped == step->dst ? step->src : step->dst;
    if (seen->kind != KT_MEMORY_HOST || mapped->kind == KT_MEMORY_HOST)
        return kt_fail(KT_INVALID, "step %s: a map needs one memory of kind host", name);
    if (seen == step->src ? step->src_offset_bytes : step->dst_offset_bytes)
        return kt_fail(KT_INVALID, "step %s: what is mapped begins where the host's memory does",
                       name);
    if (!(device->info.maps & 1u << mapped->kind))
        return kt_fail(KT_UNSUPPORTED, "%s does not map %s memory", device->info.id,
                       kt_memory_kind_name(mapped->kind));
    return KT_OK;
}

static kt_status check_step(const kt_device *device, const kt_step *step, const char *name)
{
    switch (step->kind) {
    case KT_STEP_DISPATCH: return check_dispatch(device, step, name);
    case KT_STEP_COPY: return check_copy(device, step, name);
    case KT_STEP_MAP: return check_map(device, step, name);
    default: return KT_OK;
    }
}

/* Whether the name is reserved for a row about the whole job. */
static bool is_reserved(const char *name)
{
    const kt_series named = {.step = name};
    return kt_series_get_role(&named) >= KT_ROLE_TOTAL;
}

static kt_status check(const kt_device *device, const kt_job_desc *desc)
{
    if (!desc->name || !*desc->name)
        return kt_fail(KT_INVALID, "a job without a name");
    if (!desc->steps || desc->step_count == 0)
        return kt_fail(KT_INVALID, "job %s has no steps", desc->name);
    if (desc->param_count && !desc->params)
        return kt_fail(KT_INVALID, "job %s says %u parameters and gives none", desc->name,
                       desc->param_count);
    for (uint32_t i = 0; i < desc->step_count; i++) {
        const kt_step *step = &desc->steps[i];
        if ((unsigned)step->kind > KT_STEP_MAP)
            return kt_fail(KT_INVALID, "step %u of job %s is of no known kind", i, desc->name);
        const char *name = step->name ? step->name : desc->name;
        if (is_reserved(name))
            return kt_fail(KT_INVALID, "a step may not be named \"%s\": results use it", name);
        kt_status status = check_step(device, step, name);
        if (status != KT_OK)
            return status;
    }
    return KT_OK;
}

static void copy_params(kt_job *job, kt_status *status)
{
    kt_job_desc *desc = &job->desc;
    kt_param *params = keep_copy(job, desc->params, desc->param_count * sizeof *params, status);
    for (uint32_t i = 0; params && i < desc->param_count; i++)
        params[i].name = keep_text(job, params[i].name, status);
    desc->params = params;
}

/* The backend's view of a step: private memory in place of handles, and no zero counts. */
static void translate_step(kt_job *job, const kt_step *from, kt_backend_step *to, kt_status *status)
{
    *to = (kt_backend_step){.kind = from->kind};
    if (from->kind == KT_STEP_DISPATCH)
        to->program = from->program->state;
    if (from->kind == KT_STEP_COPY || from->kind == KT_STEP_MAP) {
        to->src = from->src->state;
        to->dst = from->dst->state;
        to->src_offset_bytes = from->src_offset_bytes;
        to->dst_offset_bytes = from->dst_offset_bytes;
        to->copy_bytes = from->copy_bytes;
    }
    for (int i = 0; i < 3; i++) {
        to->groups[i] = from->groups[i] ? from->groups[i] : 1;
        to->group_size[i] = from->group_size[i] ? from->group_size[i] : 1;
    }
    if (from->kind != KT_STEP_DISPATCH || from->arg_count == 0)
        return;
    kt_backend_arg *args =
        kt_keep(&job->copies, &job->copy_count, kt_alloc(from->arg_count, sizeof *args));
    if (!args) {
        *status = KT_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < from->arg_count; i++) {
        const kt_arg *arg = &from->args[i];
        args[i].memory = arg->memory ? arg->memory->state : NULL;
        args[i].value = arg->memory ? NULL : keep_copy(job, arg->value, arg->value_bytes, status);
        args[i].value_bytes = arg->memory ? 0 : arg->value_bytes;
        args[i].place = arg->place;
        args[i].set = arg->set;
        args[i].binding = arg->binding;
        args[i].offset = arg->offset;
        if (arg->memory && part_bytes(arg) < arg->memory->bytes) {
            args[i].memory_offset = arg->memory_offset;
            args[i].memory_bytes = part_bytes(arg);
        }
        if (!arg->memory && !arg->value)
            to->local_bytes = add(to->local_bytes, arg->value_bytes);
    }
    to->args = args;
    to->arg_count = from->arg_count;
}

static kt_status copy_desc(kt_job *job, const kt_job_desc *from)
{
    kt_status status = KT_OK;
    kt_job_desc *desc = &job->desc;
    *desc = *from;
    desc->name = keep_text(job, from->name, &status);
    desc->workload = from->workload ? keep_text(job, from->workload, &status) : desc->name;
    desc->variant = keep_text(job, from->variant, &status);
    copy_params(job, &status);
    kt_step *steps = keep_copy(job, from->steps, from->step_count * sizeof *steps, &status);
    desc->steps = steps;
    kt_backend_step *backend_steps =
        kt_keep(&job->copies, &job->copy_count, kt_alloc(from->step_count, sizeof *backend_steps));
    if (status != KT_OK || !backend_steps)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < from->step_count; i++) {
        translate_step(job, &steps[i], &backend_steps[i], &status);
        if (steps[i].kind == KT_STEP_MAP) /* a second map would need an unmap before it */
            desc->trials_max = 1;
        steps[i].args = NULL; /* the caller owns these arguments; the backend's step has copies */
        steps[i].name = steps[i].name ? keep_text(job, steps[i].name, &status) : desc->name;
    }
    job->backend_job =
        (kt_backend_job){.steps = backend_steps,
                         .step_count = from->step_count,
                         .repeatable = from->step_count == 1 && from->trials_max != 1};
    return status;
}

kt_status kt_job_create(kt_device *device, const kt_job_desc *desc, kt_job **out)
{
    KT_NEED(device);
    KT_NEED(desc);
    KT_NEED(out);
    kt_job_desc complete;
    kt_status status = kt_take_options(&complete, sizeof complete, desc, "kt_job_desc");
    if (status == KT_OK)
        status = kt_device_check(device);
    if (status == KT_OK)
        status = check(device, &complete);
    if (status != KT_OK)
        return status;
    kt_job *job = kt_alloc(1, sizeof *job);
    if (!job)
        return KT_NO_MEMORY;
    job->device = device;
    status = copy_desc(job, &complete);
    if (status != KT_OK)
        goto fail;
    job->state = kt_alloc(1, device->backend->job_size);
    if (!job->state) {
        status = KT_NO_MEMORY;
        goto fail;
    }
    status = device->backend->job_init(job->state, device->state, &job->backend_job);
    if (status != KT_OK)
        goto fail;
    *out = job;
    return KT_OK;
fail:
    kt_job_destroy(&job);
    return status;
}

void kt_job_destroy(kt_job **job)
{
    if (!job || !*job)
        return;
    if ((*job)->device->hung) {
        kt_abandon(*job);
        *job = NULL;
        return;
    }
    if ((*job)->state && (*job)->device->backend->job_fini)
        (*job)->device->backend->job_fini((*job)->state);
    kt_free((*job)->state);
    kt_free_kept(&(*job)->copies, &(*job)->copy_count);
    kt_free(*job);
    *job = NULL;
}
