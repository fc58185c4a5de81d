/*
 * Launch gaps: what the host needs to queue a command is in the distance of two events, if the device has got to the first one
 * meanwhile. So a kernel of one thread holds the stream until all of a submission has been queued.
 *
 * It must never hold what it waits for. Drivers load a kernel at its first launch, which may wait for the device; a copy of memory that is
 * not pinned waits for the host. So nothing is held but what has run once unheld, and has no such copy. What else may block is not known:
 * the kernel gives up after 10 ms, says so, and those stamps are not kept. The first held submissions of a device are a trial: if the kernel
 * gives up there, this is a device, or a driver, on which holding does not work, as with CUDA_LAUNCH_BLOCKING=1, and it is not done.
 */
#include "hold_ptx.h"
#include "internal.h"

#define COMMANDS_MAX \
    UINT64_C(64) /* far fewer than any queue of a driver has room for: it would block when full */
#define TRIALS       6 /* the ruler's warming up has as many */
#define MOST_NS      UINT64_C(10000000)
#define IN_A_ROW_MAX 2

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

/* Loads the kernel, once per device. */
static kt_status load_kernel(cuda_device *d)
{
    cuda_hold *h = &d->hold;
    kt_status status = KT_OK;
    kt_mutex_lock(h->mutex);
    if (!h->was_tried && !h->module)
        status = cuda_load(d->api, cuda_hold_ptx, "kt_hold", &h->module);
    if (!h->was_tried && status == KT_OK)
        status = CUDA_DO(d->api, cuModuleGetFunction, &h->function, h->module, "kt_hold");
    h->was_tried |= status != KT_NO_MEMORY; /* the next job may find some */
    if (status != KT_OK && status != KT_NO_MEMORY)
        atomic_store(&h->is_off, true);
    kt_mutex_unlock(h->mutex);
    return status == KT_NO_MEMORY ? status : KT_OK;
}

/* Memory that is not pinned is copied with the host's help. */
static bool may_hold(const cuda_job *job)
{
    for (uint32_t i = 0; i < job->step_count; i++) {
        const kt_backend_step *desc = job->steps[i].desc;
        const cuda_memory *src = desc->src, *dst = desc->dst;
        if (desc->kind == KT_STEP_COPY &&
            (src->kind == KT_MEMORY_HEAP || dst->kind == KT_MEMORY_HEAP))
            return false;
    }
    return true;
}

kt_status cuda_hold_prepare(cuda_job *job)
{
    cuda_device *d = job->device;
    void *words = NULL;
    if (d->api->kind == CUDA_KIND_HIP || !may_hold(job))
        return KT_OK;
    kt_status status = load_kernel(d);
    if (status != KT_OK || atomic_load(&d->hold.is_off))
        return status;
    if (CUDA_DO(d->api, cuMemHostAlloc, &words, sizeof *job->words,
                CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED) != KT_OK ||
        !words)
        return KT_OK;
    job->words = words;
    *job->words = (cuda_hold_words){.released = 0};
    return KT_OK;
}

void cuda_hold_begin(cuda_job *job, uint32_t trials)
{
    cuda_device *d = job->device;
    uint64_t commands = (uint64_t)job->step_count * ((uint64_t)trials + 2);
    job->is_held = false;
    if (!job->words || !job->is_warm || commands > COMMANDS_MAX || job->in_a_row == IN_A_ROW_MAX ||
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

kt_stamp_state cuda_hold_end(cuda_job *job, uint32_t *clock)
{
    cuda_hold *h = &job->device->hold;
    *clock = 0;
    if (!job->is_held)
        return KT_STAMP_OK;
    bool gave_up = job->words->expired == job->ticket;
    bool is_trial = atomic_load(&h->tried) < TRIALS;
    if (is_trial)
        atomic_fetch_add(&h->tried, 1);
    if (is_trial && gave_up)
        atomic_store(&h->is_off, true);
    if (is_trial && gave_up)
        return KT_STAMP_OK;
    *clock = 1;
    if (gave_up) {
        if (!job->has_been_held)
            job->in_a_row++;
        return KT_STAMP_LOST;
    }
    job->has_been_held = true;
    job->in_a_row = 0;
    return KT_STAMP_OK;
}
