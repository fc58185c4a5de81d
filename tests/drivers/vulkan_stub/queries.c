/* SPDX-License-Identifier: MIT */
/* Queries: what the device writes there, and what the host sees of it. */
#include "stub.h"

#include <stdlib.h>

/* ---- by the device ---- */

void reset_queries(struct queries *queries, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        queries->queries[first + i] = (struct query){.state = QUERY_RESET};
}

void begin_timestamp(const struct command *command)
{
    struct query *query = &command->queries->queries[command->first];
    if (query->state == QUERY_RESET)
        query->state = QUERY_WRITING;
}

void write_timestamp(const struct command *command, const struct queue *queue, bool worked)
{
    static uint64_t ends, begun_ticks;
    struct query *query = &command->queries->queries[command->first];
    bool begins = command->stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
    bool bad = (ends + 1) % script.every == 0;
    ends += !begins;
    EXPECT_USE(query->state == QUERY_RESET || query->state == QUERY_WRITING,
               "a query is written without having been reset");
    EXPECT_USE(family_bits(queue->family) > 0, "a timestamp on a queue that has none");
    if (begins) {
        clock_advance(1);
        clock_add_noise();
    } else if (!worked)
        clock_advance((int64_t)script.empty_ticks);
    query->ticks = clock_cut(clock_ticks(), family_bits(queue->family));
    if (begins)
        begun_ticks = query->ticks;
    else if (script.timestamps == TIMESTAMPS_EARLY && bad && worked)
        query->ticks = begun_ticks + 100000;
    if (script.timestamps == TIMESTAMPS_ZERO && bad)
        query->ticks = 0;
    if (script.timestamps == TIMESTAMPS_BACKWARDS && bad && !begins)
        query->ticks -= UINT64_C(1) << 20;
    query->never = script.availability == AVAILABLE_NEVER && bad;
    query->late = bad ? script.late : 0;
    query->state = QUERY_WRITTEN;
}

/* ---- by the host ---- */

static void end_queries(void *queries)
{
    free(((struct queries *)queries)->queries);
}

VkResult vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
                           const VkAllocationCallbacks *allocator, VkQueryPool *out)
{
    ENTER(vkCreateQueryPool);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    EXPECT_USE(info->queryType == VK_QUERY_TYPE_TIMESTAMP && info->queryCount > 0, "type");
    struct queries *queries = stub_create(device, KIND_QUERIES, sizeof *queries);
    queries->base.end = end_queries;
    queries->count = info->queryCount;
    queries->queries = calloc(info->queryCount + 1, sizeof(struct query));
    if (!queries->queries)
        abort();
    *out = HANDLE(VkQueryPool, queries);
    return VK_SUCCESS;
}

static bool is_inside(const struct queries *queries, uint32_t first, uint32_t count)
{
    bool inside = first < queries->count && count > 0 && count <= queries->count - first;
    EXPECT_USE(inside, "beyond the end");
    return inside;
}

void vkResetQueryPool(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
    ENTER_VOID(vkResetQueryPool, NULL);
    const struct device *device = USE(handle, KIND_DEVICE);
    struct queries *queries = USE(pool, KIND_QUERIES);
    if (!device || !queries)
        return;
    EXPECT_USE(device->resets_queries, "the feature is not enabled");
    EXPECT_USE(queries->base.pending == 0, "the queries are in use");
    if (is_inside(queries, first, count))
        reset_queries(queries, first, count);
}

static bool is_available(struct query *query)
{
    if (query->state == QUERY_UNDEFINED && script.undefined == UNDEFINED_GARBAGE) {
        query->ticks = clock_ticks() - 999; /* somebody else's, not long ago */
        return true;
    }
    if (query->state != QUERY_WRITTEN || query->never)
        return false;
    if (query->late == 0)
        return true;
    query->late--;
    return false;
}

VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool handle, uint32_t first, uint32_t count,
                               size_t bytes, void *data, VkDeviceSize stride,
                               VkQueryResultFlags flags)
{
    ENTER(vkGetQueryPoolResults);
    struct queries *queries = USE(handle, KIND_QUERIES);
    bool reported = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
    size_t each = (reported ? 2 : 1) * sizeof(uint64_t);
    if (!USE(device, KIND_DEVICE) || !queries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(flags & VK_QUERY_RESULT_64_BIT, "32 bits of a timestamp");
    EXPECT_USE(!(flags & VK_QUERY_RESULT_WAIT_BIT), "may wait for ever");
    if (!is_inside(queries, first, count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    bool fits = bytes >= (count - 1) * stride + each && stride % sizeof(uint64_t) == 0;
    EXPECT_USE(fits, "beyond the end");
    if (!fits)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult code = VK_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        struct query *query = &queries->queries[first + i];
        EXPECT_USE(query->state != QUERY_UNDEFINED, "was never reset");
        uint64_t available = is_available(query);
        char *at = (char *)data + i * stride;
        if (available)
            memcpy(at, &query->ticks, sizeof query->ticks);
        else
            code = VK_NOT_READY;
        if (available && script.availability == AVAILABLE_TWO)
            available = 2;
        available |= query->state == QUERY_WRITING;
        if (reported)
            memcpy(at + sizeof(uint64_t), &available, sizeof available);
        if (script.progress)
            execute_meanwhile(script.progress);
    }
    return code;
}
