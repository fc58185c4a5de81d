/* The device's clock: a simulated one that moves with the commands, the host's, or one of its
 * own. */
#include "stub.h"

#include <time.h>

static _Atomic(uint64_t) simulated, noise;

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* Began at `start` ticks with the first look, and runs 100 ppm fast. */
static uint64_t own_ticks(void)
{
    static _Atomic(uint64_t) first_ns;
    uint64_t none = 0, now = now_ns(CLOCK_MONOTONIC_RAW);
    if (!atomic_compare_exchange_strong(&first_ns, &none, now) && now < none)
        now = none;
    double passed_ns = none ? (double)(now - none) * 1.0001 : 0;
    return script.start + (uint64_t)(passed_ns / script.period);
}

uint64_t clock_now(uint32_t bits)
{
    uint64_t ticks = script.clock == CLOCK_SIMULATED ? script.start + atomic_load(&simulated)
                     : script.clock == CLOCK_OWN     ? own_ticks()
                     : script.period == 1
                         ? now_ns(CLOCK_MONOTONIC)
                         : (uint64_t)((double)now_ns(CLOCK_MONOTONIC) / script.period);
    return bits >= 64 ? ticks : ticks & ((UINT64_C(1) << bits) - 1);
}

void clock_advance(uint64_t ticks)
{
    atomic_fetch_add(&simulated, ticks);
}

void vkStubAdvance(uint64_t ticks)
{
    clock_advance(ticks);
}

void clock_advance_noise(void)
{
    clock_advance(1 + (atomic_fetch_add(&noise, 1) * UINT64_C(0x9E3779B97F4A7C15) >> 60));
}

/* ---- calibrated timestamps ---- */

/* A moment of the device, told wrongly if the script wants it. */
static uint64_t reported_ticks(const struct device *device)
{
    uint32_t bits = family_bits(device->family);
    uint64_t mask = bits >= 64 || bits == 0 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t ticks = clock_now(bits ? bits : 64);
    if (script.device_values == VALUES_EPOCH)
        ticks += UINT64_C(123456789012);
    if (script.device_values == VALUES_RATE)
        ticks = ticks / 2;
    return ticks & mask;
}

/* Somebody else had the core meanwhile. */
static void be_slow(uint64_t duration_ns)
{
    uint64_t begin = now_ns(CLOCK_MONOTONIC);
    while (duration_ns > 1 && now_ns(CLOCK_MONOTONIC) - begin < duration_ns)
        continue;
}

static VkResult tell(VkDevice handle, uint32_t count, const VkCalibratedTimestampInfoEXT *infos,
                     uint64_t *timestamps, uint64_t *max_deviation, const char *caller)
{
    static _Atomic(uint64_t) calls;
    const struct device *device = object_use(OBJECT(handle), KIND_DEVICE, caller);
    if (!device)
        return VK_ERROR_INITIALIZATION_FAILED;
    EXPECT_USE(device->calibrated, "%s: the extension is not enabled", caller);
    uint64_t call = atomic_fetch_add(&calls, 1);
    uint64_t deviation =
        script.deviation_grows ? script.deviation << (call < 10 ? call : 10) : script.deviation;
    if (call & 1)
        be_slow(deviation);
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_TYPE(&infos[i], VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT);
        switch (infos[i].timeDomain) {
        case VK_TIME_DOMAIN_DEVICE_EXT: timestamps[i] = reported_ticks(device); break;
        case VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT: timestamps[i] = now_ns(CLOCK_MONOTONIC); break;
        case VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT:
            timestamps[i] = now_ns(CLOCK_MONOTONIC_RAW);
            break;
        default: misuse("%s: domain %d", caller, (int)infos[i].timeDomain); timestamps[i] = 0;
        }
    }
    if (!(call & 1))
        be_slow(deviation);
    *max_deviation = deviation;
    return VK_SUCCESS;
}

VkResult vkGetCalibratedTimestampsEXT(VkDevice device, uint32_t count,
                                      const VkCalibratedTimestampInfoEXT *infos,
                                      uint64_t *timestamps, uint64_t *max_deviation)
{
    ENTER(vkGetCalibratedTimestampsEXT);
    return tell(device, count, infos, timestamps, max_deviation, __func__);
}

VkResult vkGetCalibratedTimestampsKHR(VkDevice device, uint32_t count,
                                      const VkCalibratedTimestampInfoEXT *infos,
                                      uint64_t *timestamps, uint64_t *max_deviation)
{
    ENTER(vkGetCalibratedTimestampsKHR);
    return tell(device, count, infos, timestamps, max_deviation, __func__);
}

static VkResult tell_domains(VkPhysicalDevice handle, uint32_t *count, VkTimeDomainEXT *domains,
                             const char *caller)
{
    static const int values[] = {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
                                 VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT, 1000208000};
    uint32_t there = (uint32_t)script.domains.count;
    if (!object_use(OBJECT(handle), KIND_PHYSICAL, caller))
        return VK_ERROR_INITIALIZATION_FAILED;
    uint32_t given = !domains ? 0 : *count < there ? *count : there;
    for (uint32_t i = 0; i < given; i++)
        domains[i] = (VkTimeDomainEXT)values[script.domains.items[i]];
    *count = domains ? given : there;
    return domains && given < there ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice physical, uint32_t *count,
                                                        VkTimeDomainEXT *domains)
{
    ENTER(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT);
    return tell_domains(physical, count, domains, __func__);
}

VkResult vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physical, uint32_t *count,
                                                        VkTimeDomainEXT *domains)
{
    ENTER(vkGetPhysicalDeviceCalibrateableTimeDomainsKHR);
    return tell_domains(physical, count, domains, __func__);
}
