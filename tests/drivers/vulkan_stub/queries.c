/* Queries: what the device writes there, and what the host sees of it. */
#include "stub.h"

#include <stdlib.h>

/* ---- by the device ---- */

void reset_queries(struct queries *queries, uint32_t first, uint32_t count)
{
    pthread_mutex_lock(&queries->mutex);
    for (uint32_t i = 0; i < count; i++)
        queries->queries[first + i] = (struct query){.state = QUERY_RESET};
    pthread_mutex_unlock(&queries->mutex);
}

void begin_timestamp(const struct command *command)
{
    struct query *query = &command->queries->queries[command->first];
    pthread_mutex_lock(&command->queries->mutex);
    if (query->state == QUERY_RESET)
        query->state = QUERY_WRITING;
    pthread_mutex_unlock(&command->queries->mutex);
}

void write_timestamp(const struct command *command, const struct queue *queue, bool worked)
{
    static _Atomic(uint64_t) ends;
    struct query *query = &command->queries->queries[command->first];
    bool begins = command->stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
    uint64_t pair = (begins ? atomic_load(&ends) : atomic_fetch_add(&ends, 1)) + 1;
    bool bad = pair % script.every == 0;
    pthread_mutex_lock(&command->queries->mutex);
    EXPECT_USE(query->state == QUERY_RESET || query->state == QUERY_WRITING,
               "a query is written without having been reset");
    EXPECT_USE(family_bits(queue->family) > 0, "a timestamp on a queue that has none");
    if (begins)
        clock_advance_noise();
    else if (!worked)
        clock_advance(script.empty_ticks);
    query->ticks = clock_now(family_bits(queue->family) ? family_bits(queue->family) : 64);
    if (script.timestamps == TIMESTAMPS_ZERO && bad)
        query->ticks = 0;
    if (script.timestamps == TIMESTAMPS_BACKWARDS && bad && !begins)
        query->ticks -= UINT64_C(1) << 20;
    query->never = script.availability == AVAILABLE_NEVER && bad;
    query->late = bad ? script.late : 0;
    query->state = QUERY_WRITTEN;
    pthread_mutex_unlock(&command->queries->mutex);
}

/* ---- by the host ---- */

VkResult vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
                           const VkAllocationCallbacks *allocator, VkQueryPool *out)
{
    ENTER(vkCreateQueryPool);
    (void)allocator;
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    EXPECT_USE(info->queryType == VK_QUERY_TYPE_TIMESTAMP && info->queryCount > 0, "%s: type",
               __func__);
    struct queries *queries = USE(device, KIND_DEVICE) && info->queryCount > 0
                                  ? object_create(KIND_QUERIES, sizeof *queries, OBJECT(device))
                                  : NULL;
    if (!queries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    queries->count = info->queryCount;
    pthread_mutex_init(&queries->mutex, NULL);
    queries->queries = queries->base.owned[0] = calloc(info->queryCount, sizeof(struct query));
    if (!queries->queries) {
        object_destroy(queries, KIND_QUERIES, __func__);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    *out = HANDLE(VkQueryPool, queries);
    return VK_SUCCESS;
}

void vkDestroyQueryPool(VkDevice device, VkQueryPool queries,
                        const VkAllocationCallbacks *allocator)
{
    stub_enter(ENTRY_vkDestroyQueryPool);
    (void)allocator;
    USE(device, KIND_DEVICE);
    object_destroy(OBJECT(queries), KIND_QUERIES, __func__);
}

void vkResetQueryPool(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
    stub_enter(ENTRY_vkResetQueryPool);
    const struct device *device = USE(handle, KIND_DEVICE);
    struct queries *queries = USE(pool, KIND_QUERIES);
    if (!device || !queries)
        return;
    EXPECT_USE(device->resets_queries, "%s: the feature is not enabled", __func__);
    EXPECT_USE(atomic_load(&queries->base.pending) == 0, "%s: the queries are in use", __func__);
    bool inside = first < queries->count && count > 0 && count <= queries->count - first;
    EXPECT_USE(inside, "%s: beyond the end", __func__);
    if (inside)
        reset_queries(queries, first, count);
}

static bool is_available(struct query *query)
{
    if (query->state == QUERY_UNDEFINED && script.undefined == UNDEFINED_GARBAGE) {
        query->ticks = clock_now(64) - 999; /* somebody else's, not long ago */
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
    EXPECT_USE(flags & VK_QUERY_RESULT_64_BIT, "%s: 32 bits of a timestamp", __func__);
    EXPECT_USE(!(flags & VK_QUERY_RESULT_WAIT_BIT), "%s: may wait for ever", __func__);
    bool inside = first < queries->count && count > 0 && count <= queries->count - first &&
                  bytes >= (count - 1) * stride + each && stride % sizeof(uint64_t) == 0;
    EXPECT_USE(inside, "%s: beyond the end", __func__);
    if (!inside)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult code = VK_SUCCESS;
    pthread_mutex_lock(&queries->mutex);
    for (uint32_t i = 0; i < count; i++) {
        struct query *query = &queries->queries[first + i];
        EXPECT_USE(query->state != QUERY_UNDEFINED, "%s: was never reset", __func__);
        uint64_t available = !is_available(query)                   ? 0
                             : script.availability == AVAILABLE_TWO ? 2
                                                                    : 1;
        char *at = (char *)data + i * stride;
        bool writing = query->state == QUERY_WRITING;
        if (available)
            memcpy(at, &query->ticks, sizeof query->ticks);
        else
            code = VK_NOT_READY;
        available |= writing;
        if (reported)
            memcpy(at + sizeof(uint64_t), &available, sizeof available);
        if (script.progress) {
            pthread_mutex_unlock(&queries->mutex);
            execute_meanwhile(script.progress);
            pthread_mutex_lock(&queries->mutex);
        }
    }
    pthread_mutex_unlock(&queries->mutex);
    return code;
}
