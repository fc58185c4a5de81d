/*
 * A job's steps, each in an encoder of its own. Where samples time them, all are in one command
 * buffer; where the times of command buffers do, each step has one. Command buffers are for one
 * submission, so what is submitted is encoded anew each time, as every program does.
 *
 * A job begins with the method that the trial found (trial.h): samples at the boundaries of a pass,
 * samples between commands, or the times of command buffers. Once samples fail it uses the times of
 * command buffers for good. A fence orders its steps.
 */
#include "backends/metal/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

#define BUFFERS_MAX 31   /* of a kernel, by Metal's feature set tables */
#define VALUE_MAX   4096 /* bytes, of what an encoder copies itself */
#define BAD_MAX     3    /* so many bad submissions, one after another, are no accident */
/* a job with more command buffers than that has a queue of its own, so that those of many jobs have
 * room */
#define SHARED_MAX 32

/* ---- making a job ---- */

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
    for (uint32_t i = 0; i < desc->arg_count; i++)
        if (!desc->args[i].memory && desc->args[i].value_bytes > VALUE_MAX)
            return kt_fail(KT_LIMIT, "argument %u: values are of at most %d bytes, not %zu", i,
                           VALUE_MAX, desc->args[i].value_bytes);
    return KT_OK;
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

/* Samples of the steps that one range is for: those of `index` * METAL_STEPS and so on. */
static uint32_t samples_of(const metal_job *job, uint32_t index)
{
    uint32_t left = job->step_count - index * METAL_STEPS;
    return 2 * (left < METAL_STEPS ? left : METAL_STEPS);
}

/* Room for the next stamped submission; without it the job is stamped by command buffers from then
 * on. */
static void prepare_samples(metal_job *j)
{
    if (j->strategy != METAL_BY_COMMANDS &&
        metal_samples_prepare(&j->device->samples, samples_of(j, 0)) != KT_OK)
        j->strategy = METAL_BY_COMMANDS;
}

static void choose_strategy(metal_job *j)
{
    const metal_sampling *sampling = &j->device->sampling;
    j->strategy = sampling->strategy;
    /* Half of the buffers are left for others. */
    bool is_long = j->range_count > METAL_SAMPLE_BUFFERS_MAX / 2;
    bool is_blind = j->has_copies && !sampling->of_copies;
    if (is_long || is_blind)
        j->strategy = METAL_BY_COMMANDS;
    prepare_samples(j);
}

/* Where each step has a command buffer, all are there before the first is committed, and the queue
 * must have room for them. */
static kt_status prepare_queue(metal_job *j)
{
    bool is_apart = j->strategy == METAL_BY_COMMANDS && j->device->sampling.has_times;
    if (!is_apart || j->own_queue || j->step_count <= SHARED_MAX)
        return KT_OK;
    j->own_queue = metal_new_queue(j->device->api, j->device->device, (size_t)j->step_count + 1);
    if (j->own_queue)
        j->queue = j->own_queue;
    return j->own_queue ? KT_OK : metal_fail_nil("newCommandQueueWithMaxCommandBufferCount:");
}

/* Metal orders passes by the buffers that they share alone, so steps without one would run side by
 * side, and so would their stamps. */
static kt_status create_fence(metal_job *j)
{
    if (j->step_count <= 1)
        return KT_OK;
    j->fence = metal_new_fence(j->device->api, j->device->device);
    return j->fence ? KT_OK : metal_fail_nil("newFence");
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

kt_status metal_job_init(void *job, void *device, const kt_backend_job *desc)
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

/* What the latest submission held. */
static void release_submission(metal_job *j)
{
    for (uint32_t i = 0; i < j->commands_count; i++)
        metal_release(j->device->api, j->commands[i]);
    j->commands_count = 0;
    for (uint32_t i = 0; j->ranges && i < j->range_count; i++)
        metal_samples_give_back(&j->device->samples, &j->ranges[i]);
}

void metal_job_fini(void *job)
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
    metal_set_pipeline(api, encoder, ((const metal_program *)desc->program)->pipeline);
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (arg->memory)
            metal_set_buffer(api, encoder, ((const metal_memory *)arg->memory)->buffer, 0, i);
        else
            metal_set_bytes(api, encoder, arg->value, arg->value_bytes, i);
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

/* The first step has nothing to wait for, as a submission begins when the one before it has
 * ended. */
static kt_status encode_step(const metal_job *j, uint32_t index, objc_id commands)
{
    const kt_backend_step *desc = &j->steps[index];
    const metal_range *range = &j->ranges[index / METAL_STEPS];
    const metal_stamps stamps = {.strategy = j->stamped ? j->stamped_by : METAL_BY_COMMANDS,
                                 .buffer = range->buffer,
                                 .first = range->first + 2 * (size_t)(index % METAL_STEPS),
                                 .fence = j->fence,
                                 .waits = index > 0};
    objc_id encoder = NULL;
    kt_status status =
        metal_pass_begin(j->device->api, commands, desc->kind == KT_STEP_COPY, &stamps, &encoder);
    if (status != KT_OK)
        return status;
    if (desc->kind == KT_STEP_DISPATCH)
        encode_dispatch(j, desc, encoder);
    else if (desc->kind == KT_STEP_COPY)
        encode_copies(j, desc, encoder);
    else
        metal_encode_empty(&j->device->work, encoder);
    metal_pass_end(j->device->api, encoder, &stamps);
    return KT_OK;
}

/* They were prepared. Only a job on another thread may have taken what was there, or a very long
 * job needs more. */
static void take_samples(metal_job *j)
{
    j->stamped_by = j->strategy;
    if (!j->stamped || j->stamped_by == METAL_BY_COMMANDS)
        return;
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < j->range_count && status == KT_OK; i++)
        status = metal_samples_take(&j->device->samples, samples_of(j, i), &j->ranges[i]);
    if (status != KT_OK)
        j->stamped_by = j->strategy = METAL_BY_COMMANDS;
}

/* One more command buffer, which keeps what it will write to. */
static kt_status add_commands(metal_job *j)
{
    const metal_api *api = j->device->api;
    objc_id commands = NULL;
    kt_status status = metal_commands_create(api, j->queue, &commands);
    if (status != KT_OK)
        return status;
    j->commands[j->commands_count++] = commands;
    bool by_samples = j->stamped && j->stamped_by != METAL_BY_COMMANDS;
    for (uint32_t i = 0; by_samples && i < j->range_count; i++)
        metal_keep(&api->objc, commands, j->ranges[i].buffer);
    return KT_OK;
}

/* Whatever can fail comes before the first is committed. */
static kt_status submit(metal_job *j)
{
    const metal_api *api = j->device->api;
    kt_status status = KT_OK;
    release_submission(j);
    take_samples(j);
    if (j->stamped) /* the strategy may be another one since it was made */
        status = prepare_queue(j);
    bool apart = j->stamped && j->stamped_by == METAL_BY_COMMANDS && j->device->sampling.has_times;
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

kt_status metal_job_submit(void *job, bool stamped, uint32_t trials)
{
    metal_job *j = job;
    kt_status status;
    j->stamped = stamped;
    j->trials = trials;
    METAL_WITHIN_POOL(j->device->api, status, submit(j));
    return status;
}

/* All of them end, whatever one of them says; the first failure counts. */
static kt_status wait_for_all(const metal_job *j, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < j->commands_count; i++) {
        int64_t left_ns = timeout_ns - (kt_host_now_ns() - begin_ns);
        kt_status waited = metal_wait(j->device->api, j->commands[i], left_ns);
        if (waited == KT_TIMEOUT)
            return kt_fail_timeout(timeout_ns);
        status = status == KT_OK ? waited : status;
    }
    return status;
}

kt_status metal_job_wait(void *job, int64_t timeout_ns)
{
    const metal_job *j = job;
    kt_status status;
    METAL_WITHIN_POOL(j->device->api, status, wait_for_all(j, timeout_ns));
    return status;
}

/* ---- stamps ---- */

/* Where samples are worse than the times of command buffers, those stamp the job from then on. */
static void judge(metal_job *j, uint32_t good)
{
    bool is_bad = j->step_count - good > good;
    j->bad_in_row = is_bad ? j->bad_in_row + 1 : 0;
    if (j->bad_in_row >= BAD_MAX && j->device->sampling.has_times)
        j->strategy = METAL_BY_COMMANDS;
}

static void read_samples(metal_job *j, kt_stamp *stamps)
{
    uint32_t good = 0;
    for (uint32_t r = 0; r < j->range_count; r++) {
        uint32_t count = samples_of(j, r) / 2;
        kt_stamp *out = stamps + (size_t)r * METAL_STEPS;
        bool resolved =
            metal_samples_resolve(&j->device->samples, &j->ranges[r], j->values) == KT_OK;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t start = j->values[2 * i], end = j->values[2 * i + 1];
            out[i] = (kt_stamp){.state = resolved ? metal_stamp_state(start, end) : KT_STAMP_ERROR,
                                .clock = METAL_GPU_CLOCK,
                                .start_ticks = start,
                                .end_ticks = end};
            good += out[i].state == KT_STAMP_OK && end >= start;
        }
    }
    judge(j, good);
}

static void read_commands(const metal_job *j, kt_stamp *stamps)
{
    bool has_times = j->device->sampling.has_times;
    for (uint32_t i = 0; i < j->step_count; i++) {
        uint64_t start_ns = 0, end_ns = 0;
        stamps[i] = (kt_stamp){.state = KT_STAMP_LOST, .clock = metal_commands_index(j->device)};
        if (!has_times)
            continue;
        metal_commands_times(j->device->api, j->commands[i], &start_ns, &end_ns);
        stamps[i].state = metal_stamp_state(start_ns, end_ns);
        if (end_ns < start_ns && end_ns > 0) /* this clock has no turn */
            stamps[i].state = KT_STAMP_NEGATIVE;
        stamps[i].start_ticks = start_ns;
        stamps[i].end_ticks = end_ns;
    }
}

kt_status metal_job_read(void *job, kt_stamp *stamps)
{
    metal_job *j = job;
    const metal_api *api = j->device->api;
    void *pool = metal_pool_push(api);
    if (j->stamped_by == METAL_BY_COMMANDS)
        read_commands(j, stamps);
    else
        read_samples(j, stamps);
    release_submission(j);
    prepare_samples(j);
    metal_pool_pop(api, pool);
    return KT_OK;
}
