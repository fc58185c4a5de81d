/* SPDX-License-Identifier: MIT */
/*
 * clock_probe.c - measures the core clock of a CUDA device by a kernel of one thread, which counts
 * cycles and ns. Used only if no driver library reports the clock.
 *
 * The kernel runs in a stream of its own, so it waits for no other work, unless the device is full.
 * It costs about 100 us and a launch. A failure turns it off for good, since each further try could
 * cost as much time.
 */
#include "backends/cuda_hip/clock_ptx.h"
#include "backends/cuda_hip/internal.h"
#include "support/device_state.h"

#include <stdio.h>

#define LIMIT_NS INT64_C(1000000000)

/* In an entered thread. What was made before a failure is ended by kt_cuda_clock_probe_fini(). */
static kt_status prepare(cuda_device *d)
{
    cuda_clock_probe *p = &d->clock_probe;
    void *words = NULL;
    kt_status status = CUDA_DO(d->api, cuStreamCreate, &p->stream, CUDA_STREAM_NON_BLOCKING);
    if (status == KT_OK)
        status = CUDA_DO(d->api, cuMemHostAlloc, &words, sizeof *p->words,
                         CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED);
    p->words = words;
    if (status == KT_OK && !words)
        status = kt_fail(KT_DRIVER_ERROR, "cuMemHostAlloc gave no memory");
    if (status == KT_OK)
        status = CUDA_DO(d->api, cuModuleLoadDataEx, &p->module, cuda_clock_ptx, 0, NULL, NULL);
    if (status == KT_OK)
        status = CUDA_DO(d->api, cuModuleGetFunction, &p->function, p->module, "kt_clock");
    return status;
}

static kt_status probe(cuda_device *d)
{
    cuda_clock_probe *p = &d->clock_probe;
    kt_status status = p->function ? KT_OK : prepare(d);
    if (status != KT_OK)
        return status;
    uint64_t words = (uint64_t)(uintptr_t)p->words;
    void *args[] = {&words};
    *p->words = (cuda_clock_words){.cycles = 0};
    status =
        CUDA_DO(d->api, cuLaunchKernel, p->function, 1, 1, 1, 1, 1, 1, 0, p->stream, args, NULL);
    p->in_flight = status == KT_OK;
    if (status == KT_OK)
        status = kt_cuda_wait(d->api, p->stream, LIMIT_NS);
    if (status == KT_OK)
        p->in_flight = false;
    return status;
}

static void tell(const cuda_clock_words *words, kt_device_state *state)
{
    double mhz = words->ns ? (double)words->cycles / (double)words->ns * 1e3 : 0;
    size_t used = strlen(state->source);
    kt_state_set(state, KT_STATE_CORE_CLOCK, mhz);
    if (state->reading[KT_STATE_CORE_CLOCK] == KT_READING_OK)
        snprintf(state->source + used, sizeof state->source - used, "%sclock of a kernel",
                 used ? ", " : "");
}

kt_status kt_cuda_device_state(void *device, bool brief, kt_device_state *state)
{
    (void)brief;
    cuda_device *d = device;
    cuda_clock_probe *p = &d->clock_probe;
    if (state->reading[KT_STATE_CORE_CLOCK] == KT_READING_OK)
        return KT_OK;
    if (!p->is_off) {
        cuda_scope scope;
        kt_status status = cuda_device_enter(d, &scope);
        if (status == KT_OK)
            status = probe(d);
        kt_cuda_leave(&scope);
        p->is_off = status != KT_OK;
    }
    if (p->is_off)
        kt_state_miss(state, KT_STATE_CORE_CLOCK, KT_READING_FAILED);
    else
        tell(p->words, state);
    return KT_OK;
}

/* A stream that does not end is leaked with all that its kernel uses, as in kt_cuda_job_fini(). */
void kt_cuda_clock_probe_fini(cuda_clock_probe *probe, const cuda_api *api)
{
    if (probe->in_flight && kt_cuda_wait(api, probe->stream, LIMIT_NS) == KT_TIMEOUT)
        return;
    if (probe->module)
        api->cuModuleUnload(probe->module);
    if (probe->words)
        api->cuMemFreeHost(probe->words);
    if (probe->stream)
        api->cuStreamDestroy(probe->stream);
}
