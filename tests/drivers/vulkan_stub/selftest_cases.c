/* The cases of the selftest: one for what works, one for each misuse, and what a script changes. */
#include "selftest.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define MS INT64_C(1000000)

static int64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- what works ---- */

static void sound(struct world *w)
{
    memset(w->a.host, 7, BYTES);
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    barrier(w);
    run(w);
    CHECK(memcmp(w->a.host, w->b.host, BYTES) == 0);
}

static void flush(const struct world *w, const struct room *room, bool invalidate,
                  VkDeviceSize size)
{
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = room->memory, .size = size};
    if (invalidate)
        vk.vkInvalidateMappedMemoryRanges(w->device, 1, &range);
    else
        vk.vkFlushMappedMemoryRanges(w->device, 1, &range);
}

static void flushed(struct world *w)
{
    memset(w->a.host, 7, BYTES);
    flush(w, &w->a, false, VK_WHOLE_SIZE);
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    barrier(w);
    run(w);
    CHECK(w->b.host[0] != 7);
    flush(w, &w->b, true, BYTES);
    CHECK(memcmp(w->a.host, w->b.host, BYTES) == 0);
    /* A part that is written anew leaves the rest to the device. */
    w->b.host[100] = 9;
    flush(w, &w->b, false, VK_WHOLE_SIZE);
    flush(w, &w->b, true, VK_WHOLE_SIZE);
    CHECK(w->b.host[99] == 7 && w->b.host[100] == 9 && w->b.host[101] == 7);
}

static void not_flushed(struct world *w)
{
    memset(w->a.host, 7, BYTES);
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    barrier(w);
    run(w);
    flush(w, &w->b, true, BYTES);
    CHECK(w->b.host[0] != 7);
    flush(w, &w->a, true, BYTES);
}

static void part_of_an_atom(struct world *w)
{
    flush(w, &w->a, false, 63);
}

/* ---- timestamps ---- */

static void timestamp_copy(const struct world *w)
{
    begin(w);
    vk.vkCmdResetQueryPool(w->commands, w->queries, 0, 2);
    timestamp(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    copy(w, w->a.buffer, w->b.buffer);
    timestamp(w, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 1);
    barrier(w);
    run(w);
}

static void timestamps(struct world *w)
{
    uint64_t values[4] = {0};
    timestamp_copy(w);
    CHECK(results(w, values) == VK_SUCCESS);
    CHECK(values[1] == 1 && values[3] == 1 && values[2] - values[0] == 1000);
}

/* From 2^36 - 10 on: the width ends within the copy. */
static void timestamps_wrap(struct world *w)
{
    uint64_t values[4] = {0};
    timestamp_copy(w);
    CHECK(results(w, values) == VK_SUCCESS);
    CHECK(values[1] == 2 && values[3] == 2);
    CHECK(values[0] >> 36 == 0 && values[2] >> 36 == 0);
    CHECK(((values[2] - values[0]) & 0xFFFFFFFFF) == 1000);
}

static void timestamps_never(struct world *w)
{
    uint64_t values[4] = {5, 5, 5, 5};
    timestamp_copy(w);
    CHECK(results(w, values) == VK_NOT_READY);
    CHECK(values[0] == 5 && values[1] == 0 && values[2] == 5 && values[3] == 0);
}

static void timestamps_late(struct world *w)
{
    uint64_t values[4];
    timestamp_copy(w);
    CHECK(results(w, values) == VK_NOT_READY && results(w, values) == VK_NOT_READY);
    CHECK(results(w, values) == VK_SUCCESS && values[2] - values[0] == 1000);
}

static void timestamps_zero(struct world *w)
{
    uint64_t values[4] = {5, 5, 5, 5};
    timestamp_copy(w);
    CHECK(results(w, values) == VK_SUCCESS && values[0] == 0 && values[2] == 0);
}

/* In the midst of the commands the host sees what was timestamped so far. */
static void held(struct world *w)
{
    uint64_t values[4] = {0}, again[4] = {0};
    begin(w);
    vk.vkCmdResetQueryPool(w->commands, w->queries, 0, 2);
    timestamp(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    copy(w, w->a.buffer, w->b.buffer);
    timestamp(w, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 1);
    barrier(w);
    vk.vkEndCommandBuffer(w->commands);
    CHECK(submit(w) == VK_SUCCESS);
    CHECK(vk.vkStubExecute(w->queue, 2) == 3);
    CHECK(results(w, values) == VK_NOT_READY && values[1] == 1 && values[3] == 0);
    vk.vkStubAdvance(500);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_NOT_READY);
    CHECK(vk.vkStubExecute(w->queue, 9) == 0);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_SUCCESS);
    CHECK(results(w, values) == VK_SUCCESS && values[2] - values[0] == 1500);
    /* What the run before has left stays until the reset is executed. */
    CHECK(vk.vkResetFences(w->device, 1, &w->fence) == VK_SUCCESS && submit(w) == VK_SUCCESS);
    CHECK(results(w, again) == VK_SUCCESS && memcmp(values, again, sizeof again) == 0);
    CHECK(vk.vkStubExecute(w->queue, 1) == 4);
    CHECK(results(w, again) == VK_NOT_READY && again[1] == 0 && again[3] == 0);
    CHECK(vk.vkQueueWaitIdle(w->queue) == VK_SUCCESS);
    CHECK(results(w, again) == VK_SUCCESS && again[2] - again[0] == 1000 && again[0] > values[2]);
}

/* In the midst of a timestamp its query claims what it does not have. */
static void half_written(struct world *w)
{
    uint64_t values[4] = {5, 5, 5, 5};
    begin(w);
    vk.vkCmdResetQueryPool(w->commands, w->queries, 0, 2);
    timestamp(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    vk.vkEndCommandBuffer(w->commands);
    CHECK(submit(w) == VK_SUCCESS);
    CHECK(vk.vkStubExecute(w->queue, 2) == 1);
    CHECK(results(w, values) == VK_NOT_READY && values[0] == 5 && values[1] == 1 && values[3] == 0);
    CHECK(vk.vkStubExecute(w->queue, 1) == 0);
    CHECK(results(w, values) == VK_NOT_READY && values[0] > 1000 && values[1] == 1);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_SUCCESS);
}

/* The second query is read after what ran since the first one was. */
static void progress(struct world *w)
{
    uint64_t before[4] = {0}, values[4] = {0};
    timestamp_copy(w);
    CHECK(results(w, before) == VK_SUCCESS);
    CHECK(vk.vkResetFences(w->device, 1, &w->fence) == VK_SUCCESS && submit(w) == VK_SUCCESS);
    CHECK(results(w, values) == VK_SUCCESS);
    CHECK(values[0] == before[0] && values[2] > before[2]);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_SUCCESS);
}

static void results_that_wait(struct world *w)
{
    uint64_t value;
    timestamp_copy(w);
    vk.vkGetQueryPoolResults(w->device, w->queries, 0, 1, sizeof value, &value, sizeof value,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

static void results_of_garbage(struct world *w)
{
    uint64_t values[4];
    CHECK(results(w, values) == VK_SUCCESS && values[1] == 1 && values[3] == 1);
}

static void results_of_nothing(struct world *w)
{
    uint64_t values[4];
    CHECK(results(w, values) == VK_NOT_READY);
}

static void reset_by_host(struct world *w)
{
    vk.vkResetQueryPool(w->device, w->queries, 0, QUERIES);
}

static void no_reset_by_host(struct world *w)
{
    (void)w;
    CHECK(!vk.vkResetQueryPool && vk.vkCmdResetQueryPool);
}

static void timestamp_not_reset(struct world *w)
{
    begin(w);
    timestamp(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    run(w);
}

static void timestamp_twice(struct world *w)
{
    begin(w);
    vk.vkCmdResetQueryPool(w->commands, w->queries, 0, 1);
    timestamp(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    timestamp(w, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0);
    run(w);
}

static void timestamp_beyond(struct world *w)
{
    begin(w);
    timestamp(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, QUERIES);
}

/* ---- clocks ---- */

static VkResult calibrate(const struct world *w, VkTimeDomainEXT domain, uint64_t values[2],
                          uint64_t *deviation)
{
    const VkCalibratedTimestampInfoEXT infos[] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = domain}};
    return (vk.vkGetCalibratedTimestampsEXT
                ? vk.vkGetCalibratedTimestampsEXT
                : vk.vkGetCalibratedTimestampsKHR)(w->device, 2, infos, values, deviation);
}

static void calibrated(struct world *w)
{
    uint64_t values[2], deviation;
    int64_t before = now_ns();
    CHECK(calibrate(w, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT, values, &deviation) == VK_SUCCESS);
    int64_t after = now_ns();
    for (int i = 0; i < 2; i++)
        CHECK(before <= (int64_t)values[i] && (int64_t)values[i] <= after);
    CHECK(deviation == 1);
}

static void calibrated_elsewhere(struct world *w)
{
    uint64_t values[2], deviation;
    CHECK(calibrate(w, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT, values, &deviation) == VK_SUCCESS);
    CHECK(values[0] - values[1] < UINT64_C(124000000000)); /* 123 s and what the clock moved on */
    CHECK(values[1] < values[0] && values[0] - values[1] > UINT64_C(123000000000));
    CHECK(deviation == 1000);
    CHECK(calibrate(w, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT, values, &deviation) == VK_SUCCESS);
    CHECK(deviation == 2000);
}

static void domains(struct world *w)
{
    VkTimeDomainEXT found[4];
    uint32_t count = 4;
    CHECK(vk.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(w->physical, &count, found) ==
          VK_SUCCESS);
    CHECK(count == 2 && found[0] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT);
    CHECK(found[1] != VK_TIME_DOMAIN_DEVICE_EXT);
    CHECK(!vk.vkGetPhysicalDeviceCalibrateableTimeDomainsKHR);
    uint64_t values[2], deviation;
    calibrate(w, (VkTimeDomainEXT)1234, values, &deviation);
}

/* ---- submissions ---- */

static void hangs(struct world *w)
{
    begin(w);
    vk.vkEndCommandBuffer(w->commands);
    CHECK(submit(w) == VK_SUCCESS);
    int64_t before = now_ns();
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_NOT_READY);
    CHECK(vk.vkWaitForFences(w->device, 1, &w->fence, VK_TRUE, 20 * MS) == VK_TIMEOUT);
    CHECK(now_ns() - before >= 20 * MS);
}

static void is_lost(struct world *w)
{
    sound(w);
    CHECK(vk.vkResetFences(w->device, 1, &w->fence) == VK_SUCCESS);
    CHECK(submit(w) == VK_ERROR_DEVICE_LOST);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_ERROR_DEVICE_LOST);
}

static void comes_late(struct world *w)
{
    begin(w);
    vk.vkEndCommandBuffer(w->commands);
    CHECK(submit(w) == VK_SUCCESS);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_NOT_READY);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_NOT_READY);
    CHECK(vk.vkGetFenceStatus(w->device, w->fence) == VK_SUCCESS);
}

static void fails(struct world *w)
{
    CHECK(vk.vkResetFences(w->device, 1, &w->fence) == VK_SUCCESS);
    CHECK(vk.vkResetFences(w->device, 1, &w->fence) == VK_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(vk.vkResetFences(w->device, 1, &w->fence) == VK_SUCCESS);
}

static void is_missing(struct world *w)
{
    (void)w;
    CHECK(!vk.vkUnmapMemory && vk.vkMapMemory);
}

static void without_end(struct world *w)
{
    begin(w);
    submit(w);
    vk.vkWaitForFences(w->device, 1, &w->fence, VK_TRUE, 1000);
}

static void submit_twice(struct world *w)
{
    begin(w);
    vk.vkEndCommandBuffer(w->commands);
    submit(w);
    submit(w); /* neither seen to be over, nor the fence reset */
    vk.vkWaitForFences(w->device, 1, &w->fence, VK_TRUE, 1000);
}

static void fence_not_reset(struct world *w)
{
    sound(w);
    submit(w);
    vk.vkWaitForFences(w->device, 1, &w->fence, VK_TRUE, 1000);
}

static void fence_of_nothing(struct world *w)
{
    CHECK(vk.vkWaitForFences(w->device, 1, &w->fence, VK_TRUE, 0) == VK_TIMEOUT);
}

static void destroyed_while_used(struct world *w)
{
    sound(w);
    vk.vkResetFences(w->device, 1, &w->fence);
    submit(w);
    vk.vkDestroyBuffer(w->device, w->a.buffer, NULL);
}

static void record_while_used(struct world *w)
{
    sound(w);
    vk.vkResetFences(w->device, 1, &w->fence);
    submit(w);
    begin(w);
}

static void reset_while_used(struct world *w)
{
    sound(w);
    vk.vkResetFences(w->device, 1, &w->fence);
    submit(w);
    CHECK(vk.vkResetCommandPool(w->device, w->pool, 0) == VK_SUCCESS);
}

static void recorded_twice(struct world *w)
{
    begin(w);
    begin(w);
}

/* What was recorded before is gone: it would copy without a barrier. */
static void reset_in_between(struct world *w)
{
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    CHECK(vk.vkResetCommandPool(w->device, w->pool, 0) == VK_SUCCESS);
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    run(w);
}

static void destroyed_before(struct world *w)
{
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    vk.vkDestroyBuffer(w->device, w->b.buffer, NULL);
    run(w);
}

static void *wait_for_ever(void *queue)
{
    vk.vkQueueWaitIdle(queue);
    return NULL;
}

/* The other thread never comes back. */
static void two_threads(struct world *w)
{
    const struct timespec while_it_begins = {.tv_nsec = 100 * MS};
    pthread_t thread;
    begin(w);
    vk.vkEndCommandBuffer(w->commands);
    submit(w);
    CHECK(pthread_create(&thread, NULL, wait_for_ever, w->queue) == 0);
    pthread_detach(thread);
    nanosleep(&while_it_begins, NULL);
    vk.vkQueueSubmit(w->queue, 0, NULL, VK_NULL_HANDLE);
}

/* ---- order ---- */

static void write_read(struct world *w)
{
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    copy(w, w->b.buffer, w->a.buffer);
    barrier(w);
    run(w);
}

static void write_write(struct world *w)
{
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    copy(w, w->a.buffer, w->b.buffer);
    barrier(w);
    run(w);
}

static void no_barrier_to_host(struct world *w)
{
    begin(w);
    copy(w, w->a.buffer, w->b.buffer);
    run(w);
    void *host;
    vk.vkUnmapMemory(w->device, w->b.memory);
    vk.vkMapMemory(w->device, w->b.memory, 0, BYTES, 0, &host);
}

static void copy_beyond(struct world *w)
{
    begin(w);
    vk.vkCmdCopyBuffer(w->commands, w->a.buffer, w->b.buffer, 1,
                       &(const VkBufferCopy){.srcOffset = 1, .size = BYTES});
}

/* ---- lifetimes and structs ---- */

static void double_destroy(struct world *w)
{
    vk.vkDestroyFence(w->device, w->fence, NULL);
    vk.vkDestroyFence(w->device, w->fence, NULL);
}

static void parent_first(struct world *w)
{
    vk.vkDestroyQueryPool(w->device, w->queries, NULL);
    vk.vkDestroyDevice(w->device, NULL);
}

static void nothing(struct world *w)
{
    (void)w;
}

static void wrong_type(struct world *w)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    VkFence fence;
    vk.vkCreateFence(w->device, &info, NULL, &fence);
}

static void hidden_memory(struct world *w)
{
    void *host;
    CHECK(!w->a.host);
    CHECK(vk.vkMapMemory(w->device, w->a.memory, 0, BYTES, 0, &host) != VK_SUCCESS);
}

static void mapped_twice(struct world *w)
{
    void *host;
    vk.vkMapMemory(w->device, w->a.memory, 0, BYTES, 0, &host);
}

/* ---- memory of the process ---- */

enum { PAGE = 4096 };
static _Alignas(PAGE) unsigned char pages[2 * PAGE];

#define OF_THE_HEAP VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT

static VkResult import(const struct world *w, void *pointer, VkDeviceSize bytes,
                       VkDeviceMemory *out)
{
    const VkImportMemoryHostPointerInfoEXT host = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = OF_THE_HEAP,
        .pHostPointer = pointer};
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &host, .allocationSize = bytes};
    return vk.vkAllocateMemory(w->device, &memory, NULL, out);
}

static VkBuffer make_buffer(const struct world *w, const void *chain)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = chain,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    vk.vkCreateBuffer(w->device, &info, NULL, &buffer);
    return buffer;
}

/* The device reads what the process has in its memory, before as after it told the driver of it. */
static void imported(struct world *w)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = OF_THE_HEAP};
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT heap = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &heap};
    VkMemoryHostPointerPropertiesEXT types = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkDeviceMemory memory;
    vk.vkGetPhysicalDeviceProperties2(w->physical, &properties);
    CHECK(heap.minImportedHostPointerAlignment == PAGE);
    CHECK(vk.vkGetMemoryHostPointerPropertiesEXT(w->device, OF_THE_HEAP, pages, &types) ==
              VK_SUCCESS &&
          types.memoryTypeBits == 1);
    memset(pages, 5, BYTES / 2);
    CHECK(import(w, pages, PAGE, &memory) == VK_SUCCESS);
    memset(pages + BYTES / 2, 6, BYTES / 2);
    VkBuffer buffer = make_buffer(w, &external);
    CHECK(vk.vkBindBufferMemory(w->device, buffer, memory, 0) == VK_SUCCESS);
    begin(w);
    copy(w, buffer, w->b.buffer);
    barrier(w);
    run(w);
    CHECK(w->b.host[0] == 5 && w->b.host[BYTES / 2] == 6);
    vk.vkDestroyBuffer(w->device, buffer, NULL);
    vk.vkFreeMemory(w->device, memory, NULL);
}

static void not_imported(struct world *w)
{
    VkMemoryHostPointerPropertiesEXT types = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkDeviceMemory memory;
    CHECK(vk.vkGetMemoryHostPointerPropertiesEXT(w->device, OF_THE_HEAP, pages + 64, &types) !=
          VK_SUCCESS);
    CHECK(import(w, pages + 64, PAGE, &memory) != VK_SUCCESS);
    CHECK(import(w, pages, PAGE - 64, &memory) != VK_SUCCESS);
}

static void imported_as_another_type(struct world *w)
{
    VkDeviceMemory memory;
    import(w, pages, PAGE, &memory);
}

static void imported_without_a_word(struct world *w)
{
    VkDeviceMemory memory;
    CHECK(import(w, pages, PAGE, &memory) == VK_SUCCESS);
    vk.vkBindBufferMemory(w->device, make_buffer(w, NULL), memory, 0);
}

static void imported_as_a_file(struct world *w)
{
    VkMemoryHostPointerPropertiesEXT types = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    vk.vkGetMemoryHostPointerPropertiesEXT(w->device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                           pages, &types);
}

static void no_host_pointers(struct world *w)
{
    (void)w;
    CHECK(!vk.vkGetMemoryHostPointerPropertiesEXT);
}

/* ---- dispatches ---- */

/* A module of nothing but an entry point "main". */
static const uint32_t spirv[] = {0x07230203,    0x00010000, 0, 9,          0,
                                 5u << 16 | 15, 5,          4, 0x6e69616d, 0};

struct kernel_world {
    VkShaderModule module;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipeline pipeline;
};

static VkPipeline make_pipeline(const struct world *w, const struct kernel_world *k,
                                const char *entry, uint32_t group)
{
    const VkSpecializationMapEntry map = {0, 0, sizeof group};
    const VkSpecializationInfo constants = {1, &map, sizeof group, &group};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = k->module,
                  .pName = entry,
                  .pSpecializationInfo = &constants},
        .layout = k->layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.vkCreateComputePipelines(w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    return pipeline;
}

static void make_set(const struct world *w, struct kernel_world *k)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    CHECK(vk.vkCreateDescriptorPool(w->device, &pool, NULL, &k->pool) == VK_SUCCESS);
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = k->pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &k->set_layout};
    CHECK(vk.vkAllocateDescriptorSets(w->device, &set, &k->set) == VK_SUCCESS);
}

static void make_kernel(const struct world *w, struct kernel_world *k)
{
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof spirv,
                                             .pCode = spirv};
    CHECK(vk.vkCreateShaderModule(w->device, &module, NULL, &k->module) == VK_SUCCESS);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    CHECK(vk.vkCreateDescriptorSetLayout(w->device, &set, NULL, &k->set_layout) == VK_SUCCESS);
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &k->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    CHECK(vk.vkCreatePipelineLayout(w->device, &layout, NULL, &k->layout) == VK_SUCCESS);
    make_set(w, k);
    k->pipeline = make_pipeline(w, k, "main", 64);
    CHECK(k->pipeline);
}

static void describe(const struct world *w, const struct kernel_world *k, VkDeviceSize range)
{
    const VkDescriptorBufferInfo buffer = {w->a.buffer, 0, range};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = k->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vk.vkUpdateDescriptorSets(w->device, 1, &write, 0, NULL);
}

static void dispatch(const struct world *w, const struct kernel_world *k, bool push,
                     uint32_t groups)
{
    const uint32_t value = 3;
    begin(w);
    vk.vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, k->pipeline);
    vk.vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, k->layout, 0, 1,
                               &k->set, 0, NULL);
    if (push)
        vk.vkCmdPushConstants(w->commands, k->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &value);
    vk.vkCmdDispatch(w->commands, groups, 1, 1);
}

static void close_kernel(const struct world *w, const struct kernel_world *k)
{
    vk.vkDestroyPipeline(w->device, k->pipeline, NULL);
    vk.vkDestroyDescriptorPool(w->device, k->pool, NULL);
    vk.vkDestroyPipelineLayout(w->device, k->layout, NULL);
    vk.vkDestroyDescriptorSetLayout(w->device, k->set_layout, NULL);
    vk.vkDestroyShaderModule(w->device, k->module, NULL);
}

static void unknown_kernel(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    describe(w, &k, BYTES);
    dispatch(w, &k, true, 2);
    run(w);
    close_kernel(w, &k);
}

static void no_binding(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    dispatch(w, &k, true, 2);
    run(w);
}

static void no_push(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    describe(w, &k, BYTES);
    dispatch(w, &k, false, 2);
}

static void range_beyond(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    describe(w, &k, BYTES + 1);
}

static void over_the_range(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    describe(w, &k, BYTES);
}

static void changed_later(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    describe(w, &k, BYTES);
    dispatch(w, &k, true, 2);
    describe(w, &k, BYTES);
    run(w);
}

static void too_many_groups(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    describe(w, &k, BYTES);
    dispatch(w, &k, true, 9);
}

static void wrong_pipelines(struct world *w)
{
    struct kernel_world k = {0};
    make_kernel(w, &k);
    make_pipeline(w, &k, "mainly", 64);
    make_pipeline(w, &k, "main", 65);
}

const struct test_case cases[] = {
    {"", sound, NULL, 0},
    {"memory=bar", sound, NULL, 3},
    {"memory=noncoherent", flushed, NULL, 2},
    {"memory=noncoherent", not_flushed,
     "misuse 1 vkInvalidateMappedMemoryRanges: loses what the host wrote and did not flush", 2},
    {"memory=noncoherent", part_of_an_atom,
     "misuse 1 vkFlushMappedMemoryRanges: not in whole atoms", 2},
    {"", timestamps, NULL, 0},
    {"bits=36,start=68719476726,availability=2", timestamps_wrap, NULL, 0},
    {"availability=never", timestamps_never, NULL, 0},
    {"late=2", timestamps_late, NULL, 0},
    {"timestamps=zero", timestamps_zero, NULL, 0},
    {"commands=held", held, NULL, 0},
    {"commands=held,writing=shown", half_written, NULL, 0},
    {"commands=held,progress=5", progress, NULL, 0},
    {"commands=held", sound, NULL, 0},
    {"commands=held,late_fence=2,memory=noncoherent", flushed, NULL, 2},
    {"", results_that_wait, "misuse 1 vkGetQueryPoolResults: may wait for ever", 0},
    {"undefined=garbage", results_of_garbage, "misuse 2 vkGetQueryPoolResults: was never reset", 0},
    {"", results_of_nothing, "misuse 2 vkGetQueryPoolResults: was never reset", 0},
    {"", reset_by_host, "misuse 1 vkResetQueryPool: the feature is not enabled", 0},
    {"api=1.1", no_reset_by_host, NULL, 0},
    {"", timestamp_not_reset, "misuse 1 a query is written without having been reset", 0},
    {"", timestamp_twice, "misuse 1 a query is written without having been reset", 0},
    {"", timestamp_beyond, "misuse 1 vkCmdWriteTimestamp: beyond the end", 0},
    {"bits=0,timestamps=zero", timestamps_zero, "misuse 2 a timestamp on a queue that has none", 0},
    {"clock=host,calibrated=ext", calibrated, NULL, 0},
    {"clock=host,calibrated=khr", calibrated, NULL, 0},
    {"clock=host,calibrated=both,device_values=epoch,deviation=1000,deviation_grows=1",
     calibrated_elsewhere, NULL, 0},
    {"calibrated=ext,domains=raw+unknown", domains,
     "misuse 1 vkGetCalibratedTimestampsEXT: domain 1234", 0},
    {"hang=1", hangs, "leak fence 1", 0},
    {"lost=2", is_lost, NULL, 0},
    {"late_fence=2", comes_late, NULL, 0},
    {"fail=vkResetFences:2,error=device_memory", fails, NULL, 0},
    {"missing=vkUnmapMemory", is_missing, NULL, 0},
    {"hang=1", two_threads, "misuse 1 vkQueueSubmit: queue is used by two threads at once", 0},
    {"", without_end, "misuse 1 vkQueueSubmit: the recording has not ended", 0},
    {"", submit_twice, "misuse 1 vkQueueSubmit: the command buffer is in use", 0},
    {"", submit_twice, "misuse 1 vkQueueSubmit: the fence is in use", 0},
    {"", fence_not_reset, "misuse 1 vkQueueSubmit: the fence was not reset", 0},
    {"", fence_of_nothing, "misuse 1 vkWaitForFences: nothing signals this fence", 0},
    {"", destroyed_while_used, "misuse 1 vkDestroyBuffer: buffer is in use by a submission", 0},
    {"", record_while_used, "misuse 1 vkBeginCommandBuffer: the command buffer is in use", 0},
    {"", reset_while_used, "misuse 1 vkResetCommandPool: the command buffer is in use", 0},
    {"", recorded_twice, "misuse 1 vkBeginCommandBuffer: is being recorded", 0},
    {"", reset_in_between, NULL, 0},
    {"", destroyed_before, "misuse 1 vkQueueSubmit: buffer was destroyed", 0},
    {"", write_read, "misuse 1 no barrier between a write and a read", 0},
    {"", write_read, "misuse 1 no barrier between a read and a write", 0},
    {"", write_write, "misuse 1 no barrier between two writes", 0},
    {"", no_barrier_to_host, "misuse 1 vkMapMemory: no barrier to the host since the device wrote",
     0},
    {"", copy_beyond, "misuse 1 vkCmdCopyBuffer: beyond the end", 0},
    {"", double_destroy, "misuse 1 vkDestroyFence: fence was destroyed", 0},
    {"", parent_first, "misuse 1 vkDestroyDevice: 6 objects of this device are left", 0},
    {"", nothing, "leak device 1", 0},
    {"", nothing, "leak memory 2", 0},
    {"", wrong_type, "misuse 1 vkCreateFence: sType of info is 12", 0},
    {"memory=discrete", hidden_memory, "misuse 1 vkMapMemory: the host cannot see this memory", 0},
    {"", mapped_twice, "misuse 1 vkMapMemory: is mapped already", 0},
    {"", imported, NULL, 0},
    {"", not_imported, "misuse 2 vkAllocateMemory: pointer or size is not aligned", 0},
    {"", not_imported, "misuse 1 vkGetMemoryHostPointerPropertiesEXT: not aligned", 0},
    {"host_types=2,memory=discrete", imported_as_another_type,
     "misuse 1 vkAllocateMemory: the pointer cannot be of this type", 1},
    {"", imported_without_a_word,
     "misuse 1 vkBindBufferMemory: one of buffer and memory is of a host pointer", 0},
    {"", imported_as_a_file, "misuse 1 vkGetMemoryHostPointerPropertiesEXT: handle type", 0},
    {"calibrated=ext", imported_as_a_file,
     "misuse 1 vkGetMemoryHostPointerPropertiesEXT: the extension is not enabled", 0},
    {"host_pointers=0", no_host_pointers, NULL, 0},
    {"api=1.0", no_host_pointers, NULL, 0},
    {"", unknown_kernel, NULL, 0},
    {"", unknown_kernel, "unknown kernels 1", 0},
    {"", no_binding, "misuse 1 vkQueueSubmit: binding 0 has no buffer", 0},
    {"", no_push, "misuse 1 vkCmdDispatch: no push constants", 0},
    {"", range_beyond, "misuse 1 vkUpdateDescriptorSets: beyond the end of the buffer", 0},
    {"max_range=255", over_the_range, "misuse 1 vkUpdateDescriptorSets: over maxStorageBufferRange",
     0},
    {"", changed_later,
     "misuse 1 vkQueueSubmit: a descriptor set was changed after it was recorded", 0},
    {"max_groups=8", too_many_groups, "misuse 1 vkCmdDispatch: over maxComputeWorkGroupCount", 0},
    {"max_group_size=64", wrong_pipelines,
     "misuse 1 vkCreateComputePipelines: no entry point \"mainly\"", 0},
    {"max_group_size=64", wrong_pipelines,
     "misuse 1 vkCreateComputePipelines: a group of 65 in dimension 0", 0},
    {"strict=1", mapped_twice, "abort", 0},
    {"hangs=1", nothing, "abort", 0},
    {"hang=x", nothing, "abort", 0},
    {"memory=big", nothing, "abort", 0},
    {"fail=vkNothing:1", nothing, "abort", 0},
    {NULL, NULL, NULL, 0},
};
