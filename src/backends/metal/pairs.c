/* SPDX-License-Identifier: MIT */
#include "backends/metal/pairs.h"

#include "support/error.h"

#define TRIES 4 /* most sampleTimestamps: calls per pair, if a clock does not advance */

kt_status kt_metal_pairs_init(metal_pairs *pairs, const metal_api *api, objc_id device,
                              const kt_host_clock *host)
{
    pairs->api = api;
    pairs->device = device;
    pairs->host = *host;
    return kt_mutex_create(&pairs->mutex);
}

void kt_metal_pairs_fini(metal_pairs *pairs)
{
    kt_mutex_destroy(pairs->mutex);
}

/* One sampleTimestamps: call, and the host's clocks before and after it. */
typedef struct reading {
    int64_t host_before_ns, host_after_ns;
    uint64_t mach_before, mach_after;
    uint64_t cpu, gpu;
} reading;

static void read_clocks(const metal_pairs *pairs, reading *out)
{
    const objc_runtime *objc = &pairs->api->objc;
    const kt_host_clock *host = &pairs->host;
    *out = (reading){.host_before_ns = host->now(host->user)};
    out->mach_before = objc->mach_absolute_time();
    if (!kt_fault(KT_FAULT_DRIVER, "sampleTimestamps:gpuTimestamp:"))
        metal_sample_timestamps(pairs->api, pairs->device, &out->cpu, &out->gpu);
    out->mach_after = objc->mach_absolute_time();
    out->host_after_ns = host->now(host->user);
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Finds when the call read the CPU clock, in ns since mach_before. macOS versions give that time in
 * ns or in ticks. False if it fits neither. The system may round ns differently, so one tick
 * outside the call is allowed. */
static bool place_cpu(const objc_runtime *objc, const reading *r, int64_t *since_ns,
                      int64_t *until_ns)
{
    int64_t before_ns = kt_metal_ticks_to_ns(objc, r->mach_before);
    int64_t after_ns = kt_metal_ticks_to_ns(objc, r->mach_after);
    int64_t cpu_ns = (int64_t)r->cpu;
    int64_t tick_ns = kt_metal_ticks_to_ns(objc, 1) + 1;
    if (cpu_ns < before_ns - tick_ns || cpu_ns > after_ns + tick_ns) {
        if (r->cpu < r->mach_before || r->cpu > r->mach_after)
            return false;
        cpu_ns = kt_metal_ticks_to_ns(objc, r->cpu);
    }
    cpu_ns = later(before_ns, earlier(cpu_ns, after_ns));
    *since_ns = cpu_ns - before_ns;
    *until_ns = after_ns - cpu_ns;
    return true;
}

/*
 * Host clock: read before mach_before and after mach_after, so the CPU reading lies at least
 * since_ns after the first and at least until_ns before the second. Slack: the GPU reading lies
 * within the shortest call's duration of the CPU reading, if nothing interrupted the call.
 */
static void narrow(const metal_pairs *pairs, const reading *r, kt_clock_pair *out)
{
    const objc_timebase *timebase = &pairs->api->objc.timebase;
    int64_t since_ns, until_ns;
    if (!place_cpu(&pairs->api->objc, r, &since_ns, &until_ns))
        return;
    int64_t slack_ns = pairs->shortest_ns + 1 + timebase->numer / timebase->denom;
    int64_t from_ns = r->host_before_ns + since_ns - slack_ns;
    int64_t to_ns = r->host_after_ns - until_ns + slack_ns;
    if (from_ns > to_ns)
        return; /* the two host clocks disagree */
    out->host_before_ns = later(from_ns, r->host_before_ns);
    out->host_after_ns = earlier(to_ns, r->host_after_ns);
}

static bool has_gpu(const reading *r)
{
    return r->gpu != 0 && r->gpu != METAL_SAMPLE_ERROR;
}

static kt_status take(metal_pairs *pairs, kt_clock_pair *out)
{
    reading r;
    for (int i = 0; i < TRIES; i++) {
        read_clocks(pairs, &r);
        if (has_gpu(&r) && r.cpu > pairs->last_cpu && r.gpu > pairs->last_gpu)
            break;
    }
    if (!has_gpu(&r))
        return kt_fail(KT_UNSUPPORTED, "sampleTimestamps:gpuTimestamp: gives no time of the GPU");
    /* Counts only calls that read the GPU clock; a call that skips it returns faster. */
    int64_t took_ns = r.host_after_ns - r.host_before_ns;
    if (r.gpu != pairs->last_gpu && (pairs->shortest_ns == 0 || took_ns < pairs->shortest_ns))
        pairs->shortest_ns = took_ns;
    pairs->last_cpu = r.cpu;
    pairs->last_gpu = r.gpu;
    *out = (kt_clock_pair){r.host_before_ns, r.gpu, r.host_after_ns};
    narrow(pairs, &r, out);
    return KT_OK;
}

kt_status kt_metal_pairs_take(metal_pairs *pairs, kt_clock_pair *out)
{
    const metal_api *api = pairs->api;
    if (!METAL_KNOWS(api, pairs->device, sample_timestamps))
        return kt_fail(
            KT_UNSUPPORTED,
            "this system has no sampleTimestamps:gpuTimestamp:, which is of macOS 10.15");
    kt_mutex_lock(pairs->mutex);
    void *pool = metal_pool_push(api);
    kt_status status = take(pairs, out);
    metal_pool_pop(api, pool);
    kt_mutex_unlock(pairs->mutex);
    return status;
}

void kt_metal_uptime_pair(const metal_api *api, const kt_host_clock *host, kt_clock_pair *out)
{
    out->host_before_ns = host->now(host->user);
    uint64_t ticks = api->objc.mach_absolute_time();
    out->host_after_ns = host->now(host->user);
    out->ticks = (uint64_t)kt_metal_ticks_to_ns(&api->objc, ticks);
}
