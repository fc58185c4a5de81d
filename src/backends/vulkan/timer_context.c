/* SPDX-License-Identifier: MIT */
/* timer_context.c - timers in the program's command buffers. Never waits or submits. */
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <kerntime/timer/vulkan.h>
#include <string.h>

#define FAMILIES_MAX 64

/* Queue families with only these flags support timestamps but not vkCmdResetQueryPool(). */
#define ONLY_COPIES (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT)

/* ---- devices ---- */

static kt_status open_instance(const kt_vulkan_import *desc, vulkan_lib *lib)
{
    kt_status status = KT_OK;
    lib->instance = desc->instance;
    if (desc->get_instance_proc_addr)
        lib->api.vkGetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)desc->get_instance_proc_addr;
    else
        status = kt_vulkan_open(lib);
    return status == KT_OK ? kt_vulkan_load_instance(lib) : status;
}

static kt_status load(vulkan_timer_context *n, const vulkan_api *api, bool resets)
{
    kt_status status =
        kt_vulkan_load_device(api, n->device, VULKAN_TIMER_CONTEXT(VULKAN_NAME), &n->api);
    if (status != KT_OK)
        return status;
    if (resets) {
        PFN_vkVoidFunction reset = api->vkGetDeviceProcAddr(n->device, "vkResetQueryPool");
        if (!reset)
            reset = api->vkGetDeviceProcAddr(n->device, "vkResetQueryPoolEXT");
        n->api.vkResetQueryPool = (PFN_vkResetQueryPool)reset;
        n->resets = reset != NULL;
    }
    return KT_OK;
}

kt_status kt_vulkan_timer_context_init(void *context, const void *desc, kt_clock_info *clocks)
{
    vulkan_timer_context *n = context;
    const kt_vulkan_import *given = desc;
    vulkan_lib lib = {0};
    VkPhysicalDeviceProperties properties;
    VkQueueFamilyProperties families[FAMILIES_MAX];
    uint32_t count = FAMILIES_MAX;
    kt_status status = open_instance(given, &lib);
    if (status != KT_OK)
        return status;
    lib.api.vkGetPhysicalDeviceProperties(given->physical_device, &properties);
    lib.api.vkGetPhysicalDeviceQueueFamilyProperties(given->physical_device, &count, families);
    if (given->queue_family >= count)
        return kt_fail(KT_INVALID, "%s has %u families of queues, there is none with number %u",
                       properties.deviceName, count, given->queue_family);
    uint32_t bits = families[given->queue_family].timestampValidBits;
    if (bits == 0)
        return kt_fail(KT_UNSUPPORTED, "family %u of %s gives no timestamps", given->queue_family,
                       properties.deviceName);
    if (!(families[given->queue_family].queueFlags & ~(VkQueueFlags)ONLY_COPIES))
        return kt_fail(
            KT_UNSUPPORTED,
            "family %u of %s only copies: its commands may not reset queries, so none can be "
            "timestamped in them",
            given->queue_family, properties.deviceName);
    n->device = given->device;
    /* Lavapipe of Mesa 22.3 frees a reset query on its own thread while another thread reads it.
     * Together with submissions this crashed or hung. */
    n->not_beside = strncmp(properties.deviceName, "llvmpipe", sizeof "llvmpipe" - 1) == 0;
    clocks[0] = kt_vulkan_clock(&properties.limits, bits);
    clocks[0].period_source = KT_SOURCE_REPORTED;
    return load(n, &lib.api, given->host_query_reset != 0);
}

/* ---- recordings ---- */

kt_status kt_vulkan_recording_init(void *recording, void *context, uint32_t spans_max)
{
    vulkan_recording *r = recording;
    const vulkan_timer_context *n = context;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2 * spans_max};
    r->context = n;
    r->query_count = info.queryCount;
    r->results = kt_alloc(2 * (size_t)info.queryCount, sizeof *r->results);
    if (!r->results)
        return KT_NO_MEMORY;
    VkQueryPool queries = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&n->api, vkCreateQueryPool, n->device, &info, NULL, &queries);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateQueryPool", code);
    r->queries = queries;
    if (n->resets)
        n->api.vkResetQueryPool(n->device, r->queries, 0, r->query_count);
    return KT_OK;
}

void kt_vulkan_recording_fini(void *recording)
{
    vulkan_recording *r = recording;
    if (r->queries)
        r->context->api.vkDestroyQueryPool(r->context->device, r->queries, NULL);
    kt_free(r->results);
}

kt_status kt_vulkan_recording_begin(void *recording, void *commands, uint32_t usage)
{
    vulkan_recording *r = recording;
    if (usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT)
        return kt_fail(KT_UNSUPPORTED,
                       "the command buffer is for simultaneous use: its runs would share their "
                       "queries, so begin it without that flag, or have one for each run");
    r->commands = commands;
    r->context->api.vkCmdResetQueryPool(r->commands, r->queries, 0, r->query_count);
    return KT_OK;
}

/*
 * Both timestamps are written at the bottom of the pipe. A span is then what its work adds to all
 * earlier work, whatever of that still runs, and consecutive spans add up to the total.
 */
kt_status kt_vulkan_recording_timestamp(void *recording, uint32_t span, bool end)
{
    const vulkan_recording *r = recording;
    r->context->api.vkCmdWriteTimestamp(r->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                        r->queries, 2 * span + (end ? 1 : 0));
    return KT_OK;
}

/*
 * SwiftShader 5.0 reports a query that is being written or reset as available, with no value or 0.
 * A query that was never reset has an undefined value, most likely 0.
 */
static bool is_not_there_yet(const vulkan_recording *recording, const kt_timestamp *timestamp)
{
    if (timestamp->state == KT_TIMESTAMP_ZERO)
        return !recording->has_shown && !recording->context->resets;
    return timestamp->state == KT_TIMESTAMP_OK &&
           (timestamp->start_ticks == 0 || timestamp->end_ticks == 0);
}

kt_status kt_vulkan_recording_read(void *recording, uint32_t count, bool beside,
                                   kt_timestamp *timestamps)
{
    vulkan_recording *r = recording;
    size_t bytes = 4 * (size_t)count * sizeof *r->results;
    VkResult code = VK_NOT_READY;
    memset(r->results, 0, bytes);
    if (!beside || !r->context->not_beside)
        code = VK_CALL(&r->context->api, vkGetQueryPoolResults, r->context->device, r->queries, 0,
                       2 * count, bytes, r->results, 2 * sizeof *r->results,
                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    if (code != VK_SUCCESS && code != VK_NOT_READY)
        return kt_vulkan_fail("vkGetQueryPoolResults", code);
    for (uint32_t i = 0; i < count; i++) {
        timestamps[i] = kt_vulkan_timestamp_of(r->results, i);
        if (is_not_there_yet(r, &timestamps[i]))
            timestamps[i].state = KT_TIMESTAMP_NOT_READY;
        r->has_shown |= timestamps[i].state == KT_TIMESTAMP_OK;
    }
    return KT_OK;
}
