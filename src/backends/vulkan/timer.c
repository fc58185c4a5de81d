/* SPDX-License-Identifier: MIT */
/*
 * timer.c - reads the device's clock through VK_KHR_calibrated_timestamps or its older EXT name.
 * The result is trusted only after a check that the call reads the clock of the timestamp queries:
 * the specification's text alone ties the two together.
 */
#include "backends/vulkan/internal.h"
#include "support/host_clock.h"

#include <string.h>

#define DOMAINS_MAX 16
#define TRIES_MAX   4    /* clock readings per pair, since the thread may be interrupted */
#define QUICK_NS    5000 /* a clock reading this short was not interrupted */
#define CHECK_NS    INT64_C(10000000000)

static const struct {
    const char *extension, *domains, *timestamps;
} timers[] = {
    {"VK_KHR_calibrated_timestamps", "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR",
     "vkGetCalibratedTimestampsKHR"},
    {"VK_EXT_calibrated_timestamps", "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT",
     "vkGetCalibratedTimestampsEXT"},
};
#define TIMER_COUNT (sizeof timers / sizeof timers[0])

kt_status kt_vulkan_timer_find(vulkan_device *device, const vulkan_lib *lib)
{
    vulkan_timer *timer = &device->timer;
    kt_status status = KT_OK;
    /* Devices without timestamps need no timer, and the extensions need Vulkan 1.1. */
    bool found = !device->place->timestamp_bits || device->place->version < VK_API_VERSION_1_1;
    for (size_t i = 0; i < TIMER_COUNT && !found && status == KT_OK; i++) {
        status =
            kt_vulkan_find_extension(&lib->api, device->place->device, timers[i].extension, &found);
        if (found) {
            timer->extension = timers[i].extension;
            timer->domains = timers[i].domains;
            timer->timestamps = timers[i].timestamps;
        }
    }
    return status;
}

/* Keeps the time domains that this file knows. */
static void ask_domains(vulkan_timer *timer, VkPhysicalDevice device)
{
    VkTimeDomainEXT domains[DOMAINS_MAX];
    uint32_t count = DOMAINS_MAX;
    VkResult code = VK_CALL(&timer->api, vkGetPhysicalDeviceCalibrateableTimeDomainsEXT, device,
                            &count, domains);
    if (code != VK_SUCCESS && code != VK_INCOMPLETE)
        return;
    for (uint32_t i = 0; i < count; i++) {
        timer->here |= domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
        timer->gives_raw |= domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT;
    }
}

kt_status kt_vulkan_timer_init(vulkan_device *device, const vulkan_lib *lib)
{
    vulkan_timer *timer = &device->timer;
    const vulkan_api *api = &lib->api;
    kt_status status = kt_mutex_create(&timer->mutex);
    if (status != KT_OK || !timer->extension)
        return status;
    timer->api.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT =
        (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)(void (*)(
            void))api->vkGetInstanceProcAddr(lib->instance, timer->domains);
    timer->api.vkGetCalibratedTimestampsEXT = (PFN_vkGetCalibratedTimestampsEXT)(void (*)(
        void))api->vkGetDeviceProcAddr(device->device, timer->timestamps);
    if (timer->api.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT &&
        timer->api.vkGetCalibratedTimestampsEXT)
        ask_domains(timer, device->place->device);
    /* CLOCK_MONOTONIC_RAW times are useful only if the host clock is that clock. */
    timer->gives_raw &=
        device->host.now == kt_system_clock.now &&
        strcmp(kt_system_clock_name(), kt_host_domain_name(KT_HOST_MONOTONIC_RAW)) == 0;
    return KT_OK;
}

void kt_vulkan_timer_fini(vulkan_device *device)
{
    kt_mutex_destroy(device->timer.mutex);
}

/* Reads the device's clock once, between two readings of the host's clock. Returns a narrower
 * bracket if the driver reports the host's time. */
static kt_status read_once(vulkan_device *d, kt_clock_pair *pair)
{
    static const VkCalibratedTimestampInfoEXT wanted[2] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT}};
    uint64_t timestamps[2] = {0}, deviation_ns = 0;
    pair->host_before_ns = d->host.now(d->host.user);
    VkResult code = VK_CALL(&d->timer.api, vkGetCalibratedTimestampsEXT, d->device,
                            d->timer.gives_raw ? 2 : 1, wanted, timestamps, &deviation_ns);
    pair->host_after_ns = d->host.now(d->host.user);
    pair->ticks = timestamps[0];
    if (code == VK_ERROR_DEVICE_LOST)
        return kt_vulkan_fail("vkGetCalibratedTimestamps", code);
    if (code != VK_SUCCESS) /* kerntime measures without calibrated timestamps then */
        return kt_fail(KT_UNSUPPORTED, "vkGetCalibratedTimestamps failed: %s (%d)",
                       kt_vulkan_code_name(code), (int)code);
    int64_t raw_ns = (int64_t)timestamps[1];
    if (!d->timer.gives_raw || deviation_ns > INT64_MAX / 4 || raw_ns < pair->host_before_ns ||
        raw_ns > pair->host_after_ns)
        return KT_OK;
    if (raw_ns - (int64_t)deviation_ns > pair->host_before_ns)
        pair->host_before_ns = raw_ns - (int64_t)deviation_ns;
    if (raw_ns + (int64_t)deviation_ns < pair->host_after_ns)
        pair->host_after_ns = raw_ns + (int64_t)deviation_ns;
    return KT_OK;
}

/* Reads the clock a few times and returns the narrowest bracket. Retries a failed call: a
 * measurement that began with calibrated timestamps cannot switch to bracketed submissions
 * later. */
static kt_status read_timer(vulkan_device *d, kt_clock_pair *out)
{
    kt_status status = KT_OK;
    bool found = false;
    for (int i = 0; i < TRIES_MAX; i++) {
        kt_clock_pair pair;
        status = read_once(d, &pair);
        int64_t width_ns = pair.host_after_ns - pair.host_before_ns;
        if (status == KT_DEVICE_LOST)
            return status;
        if (status != KT_OK)
            continue;
        if (!found || width_ns < out->host_after_ns - out->host_before_ns)
            *out = pair;
        found = true;
        if (width_ns <= QUICK_NS)
            break;
    }
    if (found)
        return KT_OK;
    atomic_store(&d->timer.checked, VULKAN_FAILS);
    return status;
}

/* ---- trust check ---- */

/* Submits one timestamp, waits for it and reads it. */
static kt_status take_timestamp(vulkan_device *d, vulkan_commands *commands, VkQueryPool queries,
                                uint64_t timestamp[2])
{
    kt_status status = kt_vulkan_commands_begin(d, commands);
    if (status != KT_OK)
        return status;
    d->api.vkCmdResetQueryPool(commands->buffer, queries, 0, 1);
    d->api.vkCmdWriteTimestamp(commands->buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
    status = kt_vulkan_commands_end(d, commands);
    if (status == KT_OK)
        status = kt_vulkan_commands_submit(d, commands);
    if (status == KT_OK)
        status = kt_vulkan_commands_wait(d, commands, CHECK_NS);
    if (status != KT_OK)
        return status;
    VkResult code = VK_CALL(&d->api, vkGetQueryPoolResults, d->device, queries, 0, 1,
                            2 * sizeof timestamp[0], timestamp, 2 * sizeof timestamp[0],
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    if (code != VK_SUCCESS && code != VK_NOT_READY)
        return kt_vulkan_fail("vkGetQueryPoolResults", code);
    return KT_OK;
}

/* Whether the timestamp lies between two readings of a clock of `bits` bits. */
static bool lies_between(uint64_t before, uint64_t timestamp, uint64_t after, uint32_t bits)
{
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    return ((timestamp - before) & mask) <= ((after - before) & mask);
}

static kt_status check(vulkan_device *d, vulkan_commands *commands, VkQueryPool *queries)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 1};
    kt_clock_pair before = {0}, after = {0};
    uint64_t timestamp[2] = {0};
    kt_status status = kt_vulkan_commands_create(d, commands);
    if (status != KT_OK)
        return status;
    VkQueryPool pool = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateQueryPool, d->device, &info, NULL, &pool);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateQueryPool", code);
    *queries = pool;
    status = read_timer(d, &before);
    if (status == KT_OK)
        status = take_timestamp(d, commands, pool, timestamp);
    if (status == KT_OK)
        status = read_timer(d, &after);
    if (status != KT_OK)
        return status;
    bool agrees = timestamp[1] != 0 &&
                  lies_between(before.ticks, timestamp[0], after.ticks, d->place->timestamp_bits);
    atomic_store(&d->timer.checked, agrees ? VULKAN_AGREES : VULKAN_DISAGREES);
    return KT_OK;
}

static kt_status ensure_checked(vulkan_device *d)
{
    kt_status status = KT_OK;
    kt_mutex_lock(d->timer.mutex);
    if (atomic_load(&d->timer.checked) == VULKAN_NOT_CHECKED) {
        vulkan_commands commands = {0};
        VkQueryPool queries = VK_NULL_HANDLE;
        status = check(d, &commands, &queries);
        if (status != KT_TIMEOUT) { /* after a timeout the device may still use the commands */
            kt_vulkan_commands_destroy(d, &commands);
            d->api.vkDestroyQueryPool(d->device, queries, NULL);
        }
    }
    kt_mutex_unlock(d->timer.mutex);
    return status;
}

kt_status kt_vulkan_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    (void)clock; /* a Vulkan device has only one clock */
    vulkan_device *d = device;
    kt_status status = KT_OK;
    if (!d->timer.here)
        return kt_fail(KT_UNSUPPORTED, "the driver has no call that reads the clock of %s",
                       d->info->id);
    if (atomic_load(&d->timer.checked) == VULKAN_NOT_CHECKED)
        status = ensure_checked(d);
    int checked = atomic_load(&d->timer.checked);
    if (status == KT_OK && checked == VULKAN_FAILS)
        status = kt_fail(KT_UNSUPPORTED, "vkGetCalibratedTimestamps of %s has failed before",
                         d->info->id);
    else if (status == KT_OK && checked == VULKAN_DISAGREES)
        status =
            kt_fail(KT_UNSUPPORTED,
                    "vkGetCalibratedTimestamps does not read the clock behind the timestamps of %s",
                    d->info->id);
    return status == KT_OK ? read_timer(d, pair) : status;
}
