/* SPDX-License-Identifier: MIT */
#include "backends/sim/internal.h"
#include "support/alloc.h"

#include <math.h>
#include <string.h>

/* Durations of the simulated driver's own work, in ns of the virtual clock. Primes, so that they do
 * not look like a clock resolution. */
#define SUBMIT_NS    2003 /* host time of the call that submits */
#define TIMESTAMP_NS 101  /* host time of requesting a step's timestamps */
#define LAUNCH_NS    3001 /* from the submission to the first step */
#define NOTIFY_NS    2011 /* from the end of the last step to the return of the wait */

/* ---- effects of a job, computed once for the same contents of its memories ---- */

static kt_status add_effect(sim_job *job, const sim_memory *memory)
{
    for (uint32_t i = 0; i < job->effect_count; i++)
        if (job->effects[i].memory == memory)
            return KT_OK;
    if (!memory)
        return KT_OK;
    sim_effect *effect = &job->effects[job->effect_count++];
    effect->memory = memory;
    effect->before = kt_alloc(memory->size, 1);
    effect->after = kt_alloc(memory->size, 1);
    return effect->before && effect->after ? KT_OK : KT_NO_MEMORY;
}

/* Allocates the effects of a job with kernels. Jobs with only copies remember nothing, because
 * copying again is as fast. */
static kt_status add_effects(sim_job *job)
{
    const kt_backend_job *desc = job->desc;
    bool kernels = false;
    size_t most = 0;
    for (uint32_t i = 0; i < desc->step_count; i++) {
        kernels |= desc->steps[i].kind == KT_STEP_DISPATCH;
        most += desc->steps[i].arg_count + 2;
    }
    if (!kernels)
        return KT_OK;
    job->effects = kt_alloc(most, sizeof *job->effects);
    kt_status status = job->effects ? KT_OK : KT_NO_MEMORY;
    for (uint32_t i = 0; status == KT_OK && i < desc->step_count; i++) {
        const kt_backend_step *step = &desc->steps[i];
        for (uint32_t a = 0; status == KT_OK && a < step->arg_count; a++)
            status = add_effect(job, step->args[a].memory);
        if (status == KT_OK)
            status = add_effect(job, step->src);
        if (status == KT_OK)
            status = add_effect(job, step->dst);
    }
    return status;
}

/* Replays the job's effects and returns true if its memories have the same contents as before the
 * last computed run. */
static bool recall(const sim_job *job, uint32_t trials)
{
    if (job->remembered != trials)
        return false;
    for (uint32_t i = 0; i < job->effect_count; i++) {
        const sim_effect *effect = &job->effects[i];
        if (memcmp(effect->memory->bytes, effect->before, effect->memory->size) != 0)
            return false;
    }
    for (uint32_t i = 0; i < job->effect_count; i++) {
        const sim_effect *effect = &job->effects[i];
        if (effect->changed)
            memcpy(effect->memory->bytes, effect->after, effect->memory->size);
    }
    return true;
}

static void note_before(sim_job *job)
{
    for (uint32_t i = 0; i < job->effect_count; i++)
        memcpy(job->effects[i].before, job->effects[i].memory->bytes, job->effects[i].memory->size);
}

static void note_after(sim_job *job, uint32_t trials)
{
    for (uint32_t i = 0; i < job->effect_count; i++) {
        sim_effect *effect = &job->effects[i];
        size_t size = effect->memory->size;
        effect->changed = memcmp(effect->before, effect->memory->bytes, size) != 0;
        if (effect->changed)
            memcpy(effect->after, effect->memory->bytes, size);
    }
    job->remembered = job->effects ? trials : 0;
}

/* ---- jobs ---- */

kt_status kt_sim_job_init(void *job, void *device, const kt_backend_job *desc)
{
    sim_job *j = job;
    j->device = device;
    j->desc = desc;
    kt_status status = kt_sim_call(j->device, "making a job");
    if (status != KT_OK)
        return status;
    uint32_t arg_count = 0;
    for (uint32_t i = 0; i < desc->step_count; i++)
        arg_count = desc->steps[i].arg_count > arg_count ? desc->steps[i].arg_count : arg_count;
    j->args = kt_alloc(arg_count, sizeof *j->args);
    j->timestamps = kt_alloc(desc->step_count, sizeof *j->timestamps);
    return j->args && j->timestamps ? add_effects(j) : KT_NO_MEMORY;
}

void kt_sim_job_fini(void *job)
{
    sim_job *j = job;
    kt_free(j->args);
    kt_free(j->timestamps);
    for (uint32_t i = 0; i < j->effect_count; i++) {
        kt_free(j->effects[i].before);
        kt_free(j->effects[i].after);
    }
    kt_free(j->effects);
}

static void run_groups(const sim_job *job, const kt_backend_step *step)
{
    const sim_program *program = step->program;
    for (uint32_t i = 0; i < step->arg_count; i++) {
        const sim_memory *memory = step->args[i].memory;
        job->args[i] = memory ? memory->bytes + step->args[i].memory_offset : step->args[i].value;
    }
    kt_c_group group;
    memcpy(group.groups, step->groups, sizeof group.groups);
    memcpy(group.group_size, step->group_size, sizeof group.group_size);
    for (group.group[2] = 0; group.group[2] < step->groups[2]; group.group[2]++)
        for (group.group[1] = 0; group.group[1] < step->groups[1]; group.group[1]++)
            for (group.group[0] = 0; group.group[0] < step->groups[0]; group.group[0]++)
                program->function(&group, job->args);
}

static void compute(const sim_job *job, uint32_t trials)
{
    for (uint32_t i = 0; i < job->desc->step_count; i++) {
        const kt_backend_step *step = &job->desc->steps[i];
        for (uint32_t t = 0; t < trials && step->kind == KT_STEP_DISPATCH; t++)
            run_groups(job, step);
        if (step->kind == KT_STEP_COPY ||
            step->kind == KT_STEP_MAP) { /* a map is simulated as a copy */
            const sim_memory *src = step->src, *dst = step->dst;
            memmove(dst->bytes + step->dst_offset_bytes, src->bytes + step->src_offset_bytes,
                    step->copy_bytes);
        }
    }
}

/* Computes the results, and skips work that would only give the same results again. */
static void run_steps(sim_job *job, uint32_t trials)
{
    sim_device *device = job->device;
    if (job->desc->repeatable && job->contents == device->contents && device->contents)
        return;
    if (job->desc->repeatable)
        trials = 1;
    if (!recall(job, trials)) {
        note_before(job);
        compute(job, trials);
        note_after(job, trials);
    }
    job->contents = ++device->contents;
}

static double true_duration_ns(const kt_sim_scenario *s, const kt_backend_step *step)
{
    switch (step->kind) {
    case KT_STEP_EMPTY: return s->min_span_ns;
    case KT_STEP_COPY: return s->latency_ns + (double)step->copy_bytes / s->copy_gbs;
    case KT_STEP_MAP: return s->latency_ns; /* a map moves no data, whatever its size */
    default: return s->kernel_ns;
    }
}

/* Duration of one dispatch, copy or map of a step by the scenario. */
static double draw_duration_ns(sim_device *device, const kt_backend_step *step, double at_ns)
{
    const kt_sim_scenario *s = &device->scenario;
    double true_ns = true_duration_ns(s, step), duration_ns;
    if (step->kind == KT_STEP_EMPTY)
        return true_ns;
    if (step->kind == KT_STEP_DISPATCH && kt_sim_is_throttled(device, at_ns))
        true_ns /= KT_SIM_THROTTLED_CLOCK;
    duration_ns = true_ns;
    if (s->jitter_ns > 0)
        duration_ns += s->jitter_ns * kt_sim_noise(device);
    if (s->jitter_share > 0)
        duration_ns += s->jitter_share * true_ns * kt_sim_noise(device);
    return duration_ns > s->min_span_ns ? duration_ns : s->min_span_ns;
}

static bool happens(sim_device *device, double share)
{
    return share > 0 && (double)(kt_sim_random(device) >> 11) * 0x1p-53 < share;
}

static kt_timestamp make_timestamp(sim_device *device, double start_ns, double end_ns)
{
    const kt_sim_scenario *s = &device->scenario;
    kt_timestamp timestamp = {.start_ticks = kt_sim_ticks(device, start_ns),
                              .end_ticks = kt_sim_ticks(device, end_ns)};
    if (happens(device, s->lost)) {
        timestamp = (kt_timestamp){.state = KT_TIMESTAMP_LOST};
    } else if (happens(device, s->zero)) {
        timestamp.start_ticks = timestamp.end_ticks = 0;
    } else if (happens(device, s->negative)) {
        uint64_t start = timestamp.start_ticks;
        timestamp.start_ticks = timestamp.end_ticks;
        timestamp.end_ticks = start;
    }
    return timestamp;
}

/* Advances the device's time by the durations of all steps. */
static void time_steps(sim_job *job, bool timestamped, uint32_t trials)
{
    sim_device *device = job->device;
    double at_ns =
        (device->free_ns > device->now_ns ? device->free_ns : device->now_ns) + LAUNCH_NS;
    double start_ns = at_ns;
    kt_sim_count_energy(device, at_ns, false);
    for (uint32_t i = 0; i < job->desc->step_count; i++) {
        if (i > 0)
            at_ns = fmax(start_ns, at_ns + device->scenario.gap_ns); /* steps begin in order */
        start_ns = at_ns;
        for (uint32_t t = 0; t < trials; t++)
            at_ns += draw_duration_ns(device, &job->desc->steps[i], at_ns);
        if (timestamped)
            job->timestamps[i] = make_timestamp(device, start_ns, at_ns);
    }
    device->free_ns = at_ns;
    kt_sim_count_energy(device, at_ns, true);
}

kt_status kt_sim_job_submit(void *job, bool timestamped, uint32_t trials)
{
    sim_job *j = job;
    sim_device *device = j->device;
    kt_mutex_lock(device->mutex);
    kt_status status = kt_sim_call(device, "submitting a job");
    if (status == KT_OK) {
        /* Empty steps measure the timer limits; scenarios count the user's submissions only. */
        uint64_t number = j->desc->steps[0].kind == KT_STEP_EMPTY ? 0 : ++device->submissions;
        j->hangs = number && number == device->scenario.hang;
        device->result_wrong = number && number == device->scenario.wrong;
        device->now_ns +=
            SUBMIT_NS + (timestamped ? TIMESTAMP_NS * (double)j->desc->step_count : 0);
        run_steps(j, trials);
        time_steps(j, timestamped, trials);
    }
    kt_mutex_unlock(device->mutex);
    return status;
}

kt_status kt_sim_job_wait(void *job, int64_t timeout_ns)
{
    sim_job *j = job;
    sim_device *device = j->device;
    kt_mutex_lock(device->mutex);
    kt_status status = kt_sim_call(device, "waiting for a job");
    double end_ns = device->free_ns > device->now_ns ? device->free_ns : device->now_ns;
    if (status == KT_OK && (j->hangs || end_ns - device->now_ns > (double)timeout_ns)) {
        device->now_ns += (double)timeout_ns;
        status = kt_fail_timeout(timeout_ns);
    } else if (status == KT_OK) {
        device->now_ns = end_ns + NOTIFY_NS;
    }
    kt_mutex_unlock(device->mutex);
    return status;
}

kt_status kt_sim_job_read(void *job, kt_timestamp *timestamps)
{
    sim_job *j = job;
    kt_mutex_lock(j->device->mutex);
    kt_status status = kt_sim_call(j->device, "reading timestamps");
    if (status == KT_OK)
        memcpy(timestamps, j->timestamps, j->desc->step_count * sizeof *timestamps);
    kt_mutex_unlock(j->device->mutex);
    return status;
}
