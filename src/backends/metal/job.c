/* SPDX-License-Identifier: MIT */
/*
 * job.c - encodes, submits and reads jobs. Each step has its own encoder. With samples, all steps
 * share one command buffer; with command-buffer times, each step has its own. A command buffer can
 * be committed once, so each submission is encoded anew, as programs do.
 *
 * A job begins with the method that the trial chose (trial.h): samples at pass boundaries, samples
 * between commands, or command-buffer times. After repeated bad samples it switches to
 * command-buffer times for good. A fence orders the steps.
 */
#include "backends/kernel.h"
#include "backends/metal/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

#define BUFFERS_MAX 31   /* most buffers of a kernel, by Metal's feature set tables */
#define VALUE_MAX   4096 /* most bytes of a value argument that an encoder copies itself */
#define BAD_MAX     3    /* consecutive bad submissions before samples are given up */
/* A job with more command buffers than this gets its own queue, so that the shared queue has room
 * for many jobs. */
#define SHARED_MAX 32

/* ---- creating a job ---- */

/* Lengths of threadgroup memory are multiples of 16 bytes. */
static size_t whole_units(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static kt_status check_dispatch(const metal_device *d, const kt_backend_step *desc)
{
    const metal_program *program = desc->program;
    size_t threads = (size_t)desc->group_size[0] * desc->group_size[1] * desc->group_size[2];
    if (threads > program->max_threads)
        return kt_fail(KT_LIMIT, "kernel %s takes groups of at most %zu work-items, not %zu",
                       program->entry, program->max_threads, threads);
    if (desc->arg_count > BUFFERS_MAX)
        return kt_fail(KT_LIMIT, "kernels of %s take at most %d arguments, not %u", d->info->id,
                       BUFFERS_MAX, desc->arg_count);
    uint64_t declared = program->local_bytes;
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (arg->value && arg->value_bytes > VALUE_MAX)
            return kt_fail(KT_LIMIT, "argument %u: values are of at most %d bytes, not %zu", i,
                           VALUE_MAX, arg->value_bytes);
        if (!arg->memory && !arg->value)
            declared += whole_units(arg->value_bytes) - arg->value_bytes;
    }
    return kt_check_local(desc, program->entry, declared, d->info->local_memory_bytes);
}

static kt_status check_copy(const kt_backend_step *desc)
{
    if ((desc->src_offset_bytes | desc->dst_offset_bytes | desc->copy_bytes) % METAL_WORD)
        return kt_fail(KT_UNSUPPORTED,
                       "Metal copies whole words of %d bytes: both offsets and the size must be "
                       "multiples of it",
                       METAL_WORD);
    return kt_check_overlap("Metal", desc);
}

static kt_status check_step(metal_job *j, const kt_backend_step *desc)
{
    if (desc->kind == KT_STEP_DISPATCH)
        return check_dispatch(j->device, desc);
    if (desc->kind != KT_STEP_COPY)
        return KT_OK;
    j->has_copies = true;
    return check_copy(desc);
}

/* Returns the number of samples in range `index`, which begins at step `index` * METAL_STEPS. */
static uint32_t samples_of(const metal_job *job, uint32_t index)
{
    uint32_t left = job->step_count - index * METAL_STEPS;
    return 2 * (left < METAL_STEPS ? left : METAL_STEPS);
}

/* Reserves samples for the next timestamped submission. On failure the job switches to
 * command-buffer times. */
static void prepare_samples(metal_job *j)
{
    if (j->strategy != METAL_BY_COMMANDS &&
        kt_metal_samples_prepare(&j->device->samples, samples_of(j, 0)) != KT_OK)
        j->strategy = METAL_BY_COMMANDS;
}

static void choose_strategy(metal_job *j)
{
    const metal_sampling *sampling = &j->device->sampling;
    j->strategy = sampling->strategy;
    /* A job may use half of the sample buffers; the rest serves other jobs. */
    bool is_long = j->range_count > METAL_SAMPLE_BUFFERS_MAX / 2;
    bool is_blind = j->has_copies && !sampling->of_copies;
    if (is_long || is_blind)
        j->strategy = METAL_BY_COMMANDS;
    prepare_samples(j);
}

/* With one command buffer per step, all of them exist before the first commit, so the queue must
 * have room for all. */
static kt_status prepare_queue(metal_job *j)
{
    bool is_apart = j->strategy == METAL_BY_COMMANDS && j->device->sampling.has_times;
    if (!is_apart || j->own_queue || j->step_count <= SHARED_MAX)
        return KT_OK;
    j->own_queue = metal_new_queue(j->device->api, j->device->device, (size_t)j->step_count + 1);
    if (j->own_queue)
        j->queue = j->own_queue;
    return j->own_queue ? KT_OK : kt_metal_fail_nil("newCommandQueueWithMaxCommandBufferCount:");
}

/* Metal orders passes only through shared buffers. Without a fence, independent steps would run
 * concurrently and their timestamps would overlap. */
static kt_status create_fence(metal_job *j)
{
    if (j->step_count <= 1)
        return KT_OK;
    j->fence = metal_new_fence(j->device->api, j->device->device);
    return j->fence ? KT_OK : kt_metal_fail_nil("newFence");
}

static kt_status init(metal_job *j)
{
    kt_status status = KT_OK;
    j->range_count = (j->step_count + METAL_STEPS - 1) / METAL_STEPS;
    j->ranges = kt_alloc(j->range_count, sizeof *j->ranges);
    j->commands = kt_alloc(j->step_count, sizeof *j->commands);
    j->values = kt_alloc(METAL_SAMPLES, sizeof *j->values);
    if (!j->ranges || !j->commands || !j->values)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < j->step_count && status == KT_OK; i++)
        status = check_step(j, &j->steps[i]);
    if (status == KT_OK)
        status = create_fence(j);
    if (status != KT_OK)
        return status;
    choose_strategy(j);
    return prepare_queue(j);
}

kt_status kt_metal_job_init(void *job, void *device, const kt_backend_job *desc)
{
    metal_job *j = job;
    kt_status status;
    j->device = device;
    j->queue = j->device->work.queue;
    j->steps = desc->steps;
    j->step_count = desc->step_count;
    METAL_WITHIN_POOL(j->device->api, status, init(j));
    return status;
}

/* Frees the command buffers and ranges of the latest submission. */
static void release_submission(metal_job *j)
{
    for (uint32_t i = 0; i < j->commands_count; i++)
        metal_release(j->device->api, j->commands[i]);
    j->commands_count = 0;
    for (uint32_t i = 0; j->ranges && i < j->range_count; i++)
        kt_metal_samples_give_back(&j->device->samples, &j->ranges[i]);
}

void kt_metal_job_fini(void *job)
{
    metal_job *j = job;
    const metal_api *api = j->device->api;
    void *pool = metal_pool_push(api);
    release_submission(j);
    metal_release(api, j->fence);
    metal_release(api, j->own_queue);
    metal_pool_pop(api, pool);
    kt_free(j->ranges);
    kt_free(j->commands);
    kt_free(j->values);
}

/* ---- running ---- */

static void encode_dispatch(const metal_job *j, const kt_backend_step *desc, objc_id encoder)
{
    const metal_api *api = j->device->api;
    const metal_size groups = {desc->groups[0], desc->groups[1], desc->groups[2]};
    const metal_size size = {desc->group_size[0], desc->group_size[1], desc->group_size[2]};
    size_t buffers = 0, locals = 0;
    metal_set_pipeline(api, encoder, ((const metal_program *)desc->program)->pipeline);
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        const metal_memory *memory = arg->memory;
        if (memory)
            metal_set_buffer(api, encoder, memory->buffer, arg->memory_offset, buffers++);
        else if (arg->value)
            metal_set_bytes(api, encoder, arg->value, arg->value_bytes, buffers++);
        else
            metal_set_threadgroup_memory(api, encoder, whole_units(arg->value_bytes), locals++);
    }
    for (uint32_t t = 0; t < j->trials; t++)
        metal_dispatch(api, encoder, groups, size);
}

static void encode_copies(const metal_job *j, const kt_backend_step *desc, objc_id encoder)
{
    const metal_memory *src = desc->src, *dst = desc->dst;
    for (uint32_t t = 0; t < j->trials; t++)
        metal_copy_buffer(j->device->api, encoder, src->buffer, desc->src_offset_bytes, dst->buffer,
                          desc->dst_offset_bytes, desc->copy_bytes);
}

/* The first step needs no fence: a submission starts after the previous one has ended. */
static kt_status encode_step(const metal_job *j, uint32_t index, objc_id commands)
{
    const kt_backend_step *desc = &j->steps[index];
    const metal_range *range = &j->ranges[index / METAL_STEPS];
    const metal_timestamps timestamps = {.strategy =
                                             j->timestamped ? j->timestamped_by : METAL_BY_COMMANDS,
                                         .buffer = range->buffer,
                                         .first = range->first + 2 * (size_t)(index % METAL_STEPS),
                                         .fence = j->fence,
                                         .waits = index > 0};
    objc_id encoder = NULL;
    kt_status status = kt_metal_pass_begin(j->device->api, commands, desc->kind == KT_STEP_COPY,
                                           &timestamps, &encoder);
    if (status != KT_OK)
        return status;
    if (desc->kind == KT_STEP_DISPATCH)
        encode_dispatch(j, desc, encoder);
    else if (desc->kind == KT_STEP_COPY)
        encode_copies(j, desc, encoder);
    else
        kt_metal_encode_empty(&j->device->work, encoder);
    kt_metal_pass_end(j->device->api, encoder, &timestamps);
    return KT_OK;
}

/* Takes the submission's samples. prepare_samples() reserved them, unless the job has several
 * ranges or a job on another thread took them. */
static void take_samples(metal_job *j)
{
    j->timestamped_by = j->strategy;
    if (!j->timestamped || j->timestamped_by == METAL_BY_COMMANDS)
        return;
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < j->range_count && status == KT_OK; i++)
        status = kt_metal_samples_take(&j->device->samples, samples_of(j, i), &j->ranges[i]);
    if (status != KT_OK)
        j->timestamped_by = j->strategy = METAL_BY_COMMANDS;
}

/* Adds a command buffer, which retains the sample buffers that it writes to. */
static kt_status add_commands(metal_job *j)
{
    const metal_api *api = j->device->api;
    objc_id commands = NULL;
    kt_status status = kt_metal_commands_create(api, j->queue, &commands);
    if (status != KT_OK)
        return status;
    j->commands[j->commands_count++] = commands;
    bool by_samples = j->timestamped && j->timestamped_by != METAL_BY_COMMANDS;
    for (uint32_t i = 0; by_samples && i < j->range_count; i++)
        kt_metal_keep(&api->objc, commands, j->ranges[i].buffer);
    return KT_OK;
}

/* Commits the command buffers only after every call that can fail has succeeded. */
static kt_status submit(metal_job *j)
{
    const metal_api *api = j->device->api;
    kt_status status = KT_OK;
    release_submission(j);
    take_samples(j);
    if (j->timestamped) /* the strategy may have changed since the job was created */
        status = prepare_queue(j);
    bool apart =
        j->timestamped && j->timestamped_by == METAL_BY_COMMANDS && j->device->sampling.has_times;
    for (uint32_t i = 0; i < j->step_count && status == KT_OK; i++) {
        if (i == 0 || apart)
            status = add_commands(j);
        if (status == KT_OK)
            status = encode_step(j, i, j->commands[j->commands_count - 1]);
    }
    if (status != KT_OK)
        release_submission(j);
    for (uint32_t i = 0; i < j->commands_count; i++)
        metal_commit(api, j->commands[i]);
    return status;
}

kt_status kt_metal_job_submit(void *job, bool timestamped, uint32_t trials)
{
    metal_job *j = job;
    kt_status status;
    j->timestamped = timestamped;
    j->trials = trials;
    METAL_WITHIN_POOL(j->device->api, status, submit(j));
    return status;
}

/* Waits for all command buffers even after one failed, and returns the first failure. */
static kt_status wait_for_all(const metal_job *j, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < j->commands_count; i++) {
        int64_t left_ns = timeout_ns - (kt_host_now_ns() - begin_ns);
        kt_status waited = kt_metal_wait(j->device->api, j->commands[i], left_ns);
        if (waited == KT_TIMEOUT)
            return kt_fail_timeout(timeout_ns);
        status = status == KT_OK ? waited : status;
    }
    return status;
}

/* A command buffer may fail for its samples alone: two blit passes in a row that both sample did so
 * on an M2 with macOS 26, as out of memory. Such a submission runs once more without. */
static kt_status wait_or_run_again(metal_job *j, int64_t timeout_ns)
{
    kt_status status = wait_for_all(j, timeout_ns);
    bool sampled = j->timestamped && j->timestamped_by != METAL_BY_COMMANDS;
    if (!sampled || (status != KT_DRIVER_ERROR && status != KT_NO_MEMORY))
        return status;
    j->strategy = METAL_BY_COMMANDS;
    status = submit(j);
    return status == KT_OK ? wait_for_all(j, timeout_ns) : status;
}

kt_status kt_metal_job_wait(void *job, int64_t timeout_ns)
{
    metal_job *j = job;
    kt_status status;
    METAL_WITHIN_POOL(j->device->api, status, wait_or_run_again(j, timeout_ns));
    return status;
}

/* ---- timestamps ---- */

/* Gives up samples after BAD_MAX consecutive submissions with mostly bad samples. */
static void judge(metal_job *j, uint32_t good)
{
    bool is_bad = j->step_count - good > good;
    j->bad_in_row = is_bad ? j->bad_in_row + 1 : 0;
    if (j->bad_in_row >= BAD_MAX && j->device->sampling.has_times)
        j->strategy = METAL_BY_COMMANDS;
}

static void read_samples(metal_job *j, kt_timestamp *timestamps)
{
    uint32_t good = 0;
    for (uint32_t r = 0; r < j->range_count; r++) {
        uint32_t count = samples_of(j, r) / 2;
        kt_timestamp *out = timestamps + (size_t)r * METAL_STEPS;
        bool resolved =
            kt_metal_samples_resolve(&j->device->samples, &j->ranges[r], j->values) == KT_OK;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t start = j->values[2 * i], end = j->values[2 * i + 1];
            out[i] = (kt_timestamp){.state = resolved ? metal_timestamp_state(start, end)
                                                      : KT_TIMESTAMP_ERROR,
                                    .clock = METAL_GPU_CLOCK,
                                    .start_ticks = start,
                                    .end_ticks = end};
            good += out[i].state == KT_TIMESTAMP_OK && end >= start;
        }
    }
    judge(j, good);
}

static void read_commands(const metal_job *j, kt_timestamp *timestamps)
{
    bool has_times = j->device->sampling.has_times;
    for (uint32_t i = 0; i < j->step_count; i++) {
        uint64_t start_ns = 0, end_ns = 0;
        timestamps[i] =
            (kt_timestamp){.state = KT_TIMESTAMP_LOST, .clock = kt_metal_commands_index(j->device)};
        if (!has_times)
            continue;
        kt_metal_commands_times(j->device->api, j->commands[i], &start_ns, &end_ns);
        timestamps[i].state = metal_timestamp_state(start_ns, end_ns);
        if (end_ns < start_ns && end_ns > 0) /* the command-buffer clock does not wrap */
            timestamps[i].state = KT_TIMESTAMP_NEGATIVE;
        timestamps[i].start_ticks = start_ns;
        timestamps[i].end_ticks = end_ns;
    }
}

kt_status kt_metal_job_read(void *job, kt_timestamp *timestamps)
{
    metal_job *j = job;
    const metal_api *api = j->device->api;
    void *pool = metal_pool_push(api);
    if (j->timestamped_by == METAL_BY_COMMANDS)
        read_commands(j, timestamps);
    else
        read_samples(j, timestamps);
    release_submission(j);
    prepare_samples(j);
    metal_pool_pop(api, pool);
    return KT_OK;
}
