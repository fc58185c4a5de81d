/* SPDX-License-Identifier: MIT */
/*
 * blocking_kernel.c - blocks a CUDA stream until a whole submission is queued, so that event times
 * contain no launch gaps.
 *
 * A launch gap is host time between two events: once the device has reached the first event, the
 * time that the host needs to queue the next command counts. So a blocking kernel of one thread
 * delays the stream until all commands are queued. HIP streams are never blocked.
 *
 * The blocking kernel waits for the host, so no host call of the submission may wait for the
 * device. Drivers load a kernel at its first launch, which may wait. Copies of unpinned memory
 * wait, and so may managed memory that host and device cannot use at the same time. So a submission
 * runs in a blocked stream only if the job has run unblocked before, uses no such memory and fits
 * in the queue.
 *
 * Other causes show at run time: the kernel times out after 10 ms and says so, and the timestamps
 * of that submission are discarded. The first blocked submissions of a device are a trial. After
 * two timeouts in the trial, as with CUDA_LAUNCH_BLOCKING=1, the device's streams are never blocked
 * again; a single timeout is taken for a delay of the host. After the trial, a job whose latest
 * submissions timed out too often runs unblocked. The clock of a timestamp says whether its stream
 * was blocked. A job with managed memory has a trial of its own: its first blocked submission.
 */
#include "backends/cuda_hip/blocking_ptx.h"
#include "backends/cuda_hip/internal.h"

/* Most commands in a blocked stream. A launch into a full queue waits, here for a stream that the
 * host has not released yet. About 1,000 launches were seen to fit
 * (forums.developer.nvidia.com/t/68937). The automatic number of trials ends at 128. */
#define COMMANDS_MAX    UINT64_C(512)
#define TRIALS          6 /* blocked submissions in a device's trial; timer limits take more */
#define TRIALS_GIVEN_UP 2 /* kernel timeouts that end the trial and turn blocking off */
#define MOST_NS         UINT64_C(10000000)
#define LATEST_GIVEN_UP 4 /* timeouts in a job's latest 16 blocked submissions: no more blocking */

kt_status kt_cuda_blocking_init(cuda_blocking *blocking)
{
    return kt_mutex_create(&blocking->mutex);
}

void kt_cuda_blocking_fini(cuda_blocking *blocking, const cuda_api *api)
{
    if (blocking->module)
        api->cuModuleUnload(blocking->module);
    kt_mutex_destroy(blocking->mutex);
}

/* Loads the blocking kernel, once per device. Returns false if the kernel cannot be loaded. */
static bool load_kernel(cuda_device *d)
{
    cuda_blocking *h = &d->blocking;
    cuda_code code = CUDA_OK;
    kt_mutex_lock(h->mutex);
    if (!h->was_tried)
        code = CUDA_CODE(d->api, cuModuleLoadDataEx, &h->module, cuda_blocking_ptx, 0, NULL, NULL);
    if (code != CUDA_OK)
        h->module = NULL;
    else if (!h->was_tried)
        code = CUDA_CODE(d->api, cuModuleGetFunction, &h->function, h->module, "kt_block");
    bool is_short = code == CUDA_OUT_OF_MEMORY && !h->module; /* the next job tries again */
    h->was_tried |= !is_short;
    if (code != CUDA_OK && !is_short)
        atomic_store(&h->is_off, true);
    kt_mutex_unlock(h->mutex);
    return code == CUDA_OK && !atomic_load(&h->is_off);
}

/* Whether a submission that uses this memory may run in a blocked stream. Unpinned memory is copied
 * with the host's help, and managed memory may have to be handed over by the host. */
static bool allows_blocking(const cuda_memory *memory, bool shared_too)
{
    return !memory ||
           (memory->kind != KT_MEMORY_HEAP && (shared_too || memory->kind != KT_MEMORY_SHARED));
}

static bool is_managed(const cuda_memory *memory)
{
    return memory && memory->kind == KT_MEMORY_SHARED;
}

static bool may_block(cuda_job *job)
{
    const cuda_device *d = job->device;
    bool shared_too =
        kt_cuda_attribute_of(d->api, d->ordinal, CUDA_ATTRIBUTE(d->api, CONCURRENT_MANAGED_ACCESS));
    bool may = true;
    for (uint32_t i = 0; i < job->step_count; i++) {
        const kt_backend_step *desc = job->steps[i].desc;
        for (uint32_t a = 0; a < desc->arg_count; a++) {
            may &= allows_blocking(desc->args[a].memory, shared_too);
            job->has_managed |= is_managed(desc->args[a].memory);
        }
        if (desc->kind == KT_STEP_COPY) {
            may &= allows_blocking(desc->src, shared_too) && allows_blocking(desc->dst, shared_too);
            job->has_managed |= is_managed(desc->src) || is_managed(desc->dst);
        }
    }
    return may;
}

void kt_cuda_blocking_prepare(cuda_job *job)
{
    cuda_device *d = job->device;
    void *words = NULL;
    if (d->api->kind == CUDA_KIND_HIP || !may_block(job) || !load_kernel(d))
        return;
    if (CUDA_CODE(d->api, cuMemHostAlloc, &words, sizeof *job->words,
                  CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED) != CUDA_OK ||
        !words)
        return;
    job->words = words;
    *job->words = (cuda_blocking_words){.released = 0};
}

void kt_cuda_blocking_begin(cuda_job *job, uint32_t trials)
{
    cuda_device *d = job->device;
    uint64_t commands = (uint64_t)job->step_count * ((uint64_t)trials + 2);
    job->is_blocked = false;
    if (!job->words || !job->is_warm || commands > COMMANDS_MAX || job->is_blocked_no_more ||
        atomic_load(&d->blocking.is_off))
        return;
    uint64_t words = (uint64_t)(uintptr_t)job->words, most_ns = MOST_NS;
    job->ticket++;
    void *args[] = {&words, &job->ticket, &most_ns};
    cuda_code code = CUDA_CODE(d->api, cuLaunchKernel, d->blocking.function, 1, 1, 1, 1, 1, 1, 0,
                               job->stream, args, NULL);
    if (code == CUDA_OK)
        job->is_blocked = true;
    else /* the device's streams run unblocked from now on */
        atomic_store(&d->blocking.is_off, true);
}

void kt_cuda_blocking_release(cuda_job *job)
{
    if (job->is_blocked)
        atomic_store_explicit(&job->words->released, job->ticket, memory_order_release);
}

/* Counts a blocked submission of the device's trial. Returns true after TRIALS_GIVEN_UP timeouts:
 * blocking is then off and this submission counts as unblocked. */
static bool ends_trial(cuda_blocking *h, bool gave_up)
{
    if (atomic_load(&h->tried) >= TRIALS)
        return false;
    atomic_fetch_add(&h->tried, 1);
    if (!gave_up || atomic_fetch_add(&h->given_up, 1) + 1 < TRIALS_GIVEN_UP)
        return false;
    atomic_store(&h->is_off, true);
    return true;
}

/* Whether too many kernels of the job's latest blocked submissions timed out. */
static bool is_too_often(cuda_job *job, bool gave_up)
{
    uint32_t count = 0;
    job->latest_given_up = (uint16_t)(job->latest_given_up << 1 | (gave_up ? 1 : 0));
    for (uint32_t bits = job->latest_given_up; bits; bits &= bits - 1)
        count++;
    return count >= LATEST_GIVEN_UP;
}

/* Whether the job's first blocked submission shows that calls with managed memory wait for the
 * stream, which no documentation says. The job then runs unblocked. */
static bool waits_for_managed(cuda_job *job, bool gave_up)
{
    if (!gave_up || !job->has_managed || job->ticket != 1)
        return false;
    job->is_blocked_no_more = true;
    return true;
}

kt_timestamp_state kt_cuda_blocking_end(cuda_job *job, uint32_t *clock)
{
    *clock = 0;
    if (!job->is_blocked)
        return KT_TIMESTAMP_OK;
    bool gave_up = job->words->expired == job->ticket;
    if (waits_for_managed(job, gave_up) || ends_trial(&job->device->blocking, gave_up))
        return KT_TIMESTAMP_OK;
    *clock = 1;
    job->is_blocked_no_more |= is_too_often(job, gave_up);
    return gave_up ? KT_TIMESTAMP_LOST : KT_TIMESTAMP_OK;
}
