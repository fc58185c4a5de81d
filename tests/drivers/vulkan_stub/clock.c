/* SPDX-License-Identifier: MIT */
/* Calibrated timestamps. */
#include "stub.h"

void vkStubAdvance(uint64_t ticks)
{
    clock_advance((int64_t)ticks);
}

/* A moment of the device, told wrongly if the script wants it. */
static uint64_t reported_ticks(const struct device *device)
{
    uint32_t bits = family_bits(device->family);
    uint64_t ticks = clock_cut(clock_ticks(), bits);
    if (script.device_values == VALUES_EPOCH)
        ticks += UINT64_C(123456789012);
    if (script.device_values == VALUES_RATE)
        ticks = ticks / 2;
    return clock_cut(ticks, bits);
}

/* Somebody else had the core meanwhile. */
static void be_slow(uint64_t duration_ns)
{
    uint64_t begin = clock_host_ns(CLOCK_MONOTONIC);
    while (duration_ns > 1 && clock_host_ns(CLOCK_MONOTONIC) - begin < duration_ns)
        continue;
}

static uint64_t look(const struct device *device, VkTimeDomainEXT domain)
{
    switch ((int)domain) {
    case VK_TIME_DOMAIN_DEVICE_EXT: return reported_ticks(device);
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT: return clock_host_ns(CLOCK_MONOTONIC);
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT: return clock_host_ns(CLOCK_MONOTONIC_RAW);
    default: misuse("domain %d", (int)domain); return 0;
    }
}

static VkResult tell(VkDevice handle, uint32_t count, const VkCalibratedTimestampInfoEXT *infos,
                     uint64_t *timestamps, uint64_t *max_deviation)
{
    static uint64_t calls;
    const struct device *device = USE(handle, KIND_DEVICE);
    if (!device)
        return VK_ERROR_INITIALIZATION_FAILED;
    EXPECT_USE(device->calibrated, "the extension is not enabled");
    uint64_t call = calls++, doublings = !script.deviation_grows ? 0 : call < 10 ? call : 10;
    *max_deviation = script.deviation << doublings;
    if (call & 1)
        be_slow(*max_deviation);
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_TYPE(&infos[i], VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT);
        timestamps[i] = look(device, infos[i].timeDomain);
    }
    if (!(call & 1))
        be_slow(*max_deviation);
    return VK_SUCCESS;
}

static VkResult tell_domains(VkPhysicalDevice handle, uint32_t *count, VkTimeDomainEXT *domains)
{
    static const int values[] = {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
                                 VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT, 1000208000};
    uint32_t there = (uint32_t)script.domains.count;
    if (!USE(handle, KIND_PHYSICAL))
        return VK_ERROR_INITIALIZATION_FAILED;
    uint32_t given = stub_fit(count, domains, there);
    for (uint32_t i = 0; i < given; i++)
        domains[i] = (VkTimeDomainEXT)values[script.domains.items[i]];
    return domains && given < there ? VK_INCOMPLETE : VK_SUCCESS;
}

/* One extension under two names. */
#define CALIBRATED(suffix)                                                                    \
    VkResult vkGetCalibratedTimestamps##suffix(VkDevice device, uint32_t count,               \
                                               const VkCalibratedTimestampInfoEXT *infos,     \
                                               uint64_t *timestamps, uint64_t *max_deviation) \
    {                                                                                         \
        ENTER(vkGetCalibratedTimestamps##suffix);                                             \
        return tell(device, count, infos, timestamps, max_deviation);                         \
    }                                                                                         \
    VkResult vkGetPhysicalDeviceCalibrateableTimeDomains##suffix(                             \
        VkPhysicalDevice physical, uint32_t *count, VkTimeDomainEXT *domains)                 \
    {                                                                                         \
        ENTER(vkGetPhysicalDeviceCalibrateableTimeDomains##suffix);                           \
        return tell_domains(physical, count, domains);                                        \
    }

CALIBRATED(EXT)
CALIBRATED(KHR)
