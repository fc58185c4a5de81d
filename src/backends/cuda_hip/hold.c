/*
 * Launch gaps: the time that the host needs to queue a command is part of the time between two
 * events, if the device has already reached the first one. So on CUDA a blocking kernel of one
 * thread blocks the stream until all of a submission is queued. Streams of HIP are never blocked.
 *
 * The kernel must never block what it waits for. Drivers load a kernel at its first launch, which
 * may wait for the device. A copy of memory that is not pinned waits for the host, and so may
 * managed memory that host and device cannot use at the same time. So a submission runs in a
 * blocked stream only if it ran once before without, has no such memory and has few enough commands
 * for the queue.
 *
 * Other causes are not known beforehand: the kernel gives up after 10 ms and says so, and those
 * timestamps are not kept. The first blocked submissions of a device are a trial. If the kernel
 * gives up on two of them, the stream of this device is never blocked again, as with
 * CUDA_LAUNCH_BLOCKING=1; one alone was a hiccup of the host. After the trial, a job whose latest
 * submissions gave up too often runs without. The clock of a timestamp says whether its stream was
 * blocked.
 */
#include "backends/cuda_hip/hold_ptx.h"
#include "backends/cuda_hip/internal.h"

/*
 * A launch waits when the queue is full, and it would wait for what the host has not released yet:
 * about 1,000 launches were seen to fit (forums.developer.nvidia.com/t/68937). Automatic numbers of
 * trials end at 128.
 */
#define COMMANDS_MAX    UINT64_C(512)
#define TRIALS          6 /* the ruler's warming up has more */
#define TRIALS_GIVEN_UP 2 /* are too many */
#define MOST_NS         UINT64_C(10000000)
#define LATEST_GIVEN_UP 4 /* of a job's latest 16 are too many */

kt_status cuda_hold_init(cuda_hold *hold)
{
    return kt_mutex_create(&hold->mutex);
}

void cuda_hold_fini(cuda_hold *hold, const cuda_api *api)
{
    if (hold->module)
        api->cuModuleUnload(hold->module);
    kt_mutex_destroy(hold->mutex);
}

/* Loads the kernel, once per device; false: it cannot be. */
static bool load_kernel(cuda_device *d)
{
    cuda_hold *h = &d->hold;
    cuda_code code = CUDA_OK;
    kt_mutex_lock(h->mutex);
    if (!h->was_tried)
        code = CUDA_CODE(d->api, cuModuleLoadDataEx, &h->module, cuda_hold_ptx, 0, NULL, NULL);
    if (code != CUDA_OK)
        h->module = NULL;
    else if (!h->was_tried)
        code = CUDA_CODE(d->api, cuModuleGetFunction, &h->function, h->module, "kt_hold");
    bool is_short = code == CUDA_OUT_OF_MEMORY && !h->module; /* the next job may find some */
    h->was_tried |= !is_short;
    if (code != CUDA_OK && !is_short)
        atomic_store(&h->is_off, true);
    kt_mutex_unlock(h->mutex);
    return code == CUDA_OK && !atomic_load(&h->is_off);
}

/* Memory that is not pinned is copied with the host's help; managed memory the host may have to
 * hand over. */
static bool memory_may_be_held(const cuda_memory *memory, bool shared_too)
{
    return !memory ||
           (memory->kind != KT_MEMORY_HEAP && (shared_too || memory->kind != KT_MEMORY_SHARED));
}

static bool may_hold(const cuda_job *job)
{
    const cuda_device *d = job->device;
    bool shared_too =
        cuda_attribute_of(d->api, d->ordinal, CUDA_ATTRIBUTE(d->api, CONCURRENT_MANAGED_ACCESS));
    bool may = true;
    for (uint32_t i = 0; i < job->step_count; i++) {
        const kt_backend_step *desc = job->steps[i].desc;
        for (uint32_t a = 0; a < desc->arg_count; a++)
            may &= memory_may_be_held(desc->args[a].memory, shared_too);
        if (desc->kind == KT_STEP_COPY)
            may &= memory_may_be_held(desc->src, shared_too) &&
                   memory_may_be_held(desc->dst, shared_too);
    }
    return may;
}

void cuda_hold_prepare(cuda_job *job)
{
    cuda_device *d = job->device;
    void *words = NULL;
    if (d->api->kind == CUDA_KIND_HIP || !may_hold(job) || !load_kernel(d))
        return;
    if (CUDA_CODE(d->api, cuMemHostAlloc, &words, sizeof *job->words,
                  CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED) != CUDA_OK ||
        !words)
        return;
    job->words = words;
    *job->words = (cuda_hold_words){.released = 0};
}

void cuda_hold_begin(cuda_job *job, uint32_t trials)
{
    cuda_device *d = job->device;
    uint64_t commands = (uint64_t)job->step_count * ((uint64_t)trials + 2);
    job->is_held = false;
    if (!job->words || !job->is_warm || commands > COMMANDS_MAX || job->is_held_no_more ||
        atomic_load(&d->hold.is_off))
        return;
    uint64_t words = (uint64_t)(uintptr_t)job->words, most_ns = MOST_NS;
    job->ticket++;
    void *args[] = {&words, &job->ticket, &most_ns};
    cuda_code code = CUDA_CODE(d->api, cuLaunchKernel, d->hold.function, 1, 1, 1, 1, 1, 1, 0,
                               job->stream, args, NULL);
    if (code == CUDA_OK)
        job->is_held = true;
    else /* measuring goes on without */
        atomic_store(&d->hold.is_off, true);
}

void cuda_hold_release(cuda_job *job)
{
    if (job->is_held)
        atomic_store_explicit(&job->words->released, job->ticket, memory_order_release);
}

/* Within a device's trial; true: that was one too many. */
static bool ends_trial(cuda_hold *h, bool gave_up)
{
    if (atomic_load(&h->tried) >= TRIALS)
        return false;
    atomic_fetch_add(&h->tried, 1);
    if (!gave_up || atomic_fetch_add(&h->given_up, 1) + 1 < TRIALS_GIVEN_UP)
        return false;
    atomic_store(&h->is_off, true);
    return true;
}

/* Whether too many of the job's latest ones were given up. */
static bool is_too_often(cuda_job *job, bool gave_up)
{
    uint32_t count = 0;
    job->latest_given_up = (uint16_t)(job->latest_given_up << 1 | (gave_up ? 1 : 0));
    for (uint32_t bits = job->latest_given_up; bits; bits &= bits - 1)
        count++;
    return count >= LATEST_GIVEN_UP;
}

kt_stamp_state cuda_hold_end(cuda_job *job, uint32_t *clock)
{
    *clock = 0;
    if (!job->is_held)
        return KT_STAMP_OK;
    bool gave_up = job->words->expired == job->ticket;
    if (ends_trial(&job->device->hold, gave_up))
        return KT_STAMP_OK;
    *clock = 1;
    job->is_held_no_more |= is_too_often(job, gave_up);
    return gave_up ? KT_STAMP_LOST : KT_STAMP_OK;
}
