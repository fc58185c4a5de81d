/* SPDX-License-Identifier: MIT */
/*
 * selftest LIBRARY: one program that uses Vulkan rightly, and one case for each kind of misuse that
 * is Vulkan's own.
 */
#include "entry_points.h"
#include "tests/drivers/frame/cases.h"
#include "tests/unit/backends/vulkan/vulkan_user.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

struct test_case {
    const char *script; /* KT_STUB_VULKAN */
    void (*run)(void);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
};

#define GOOD(call) CHECK((call) == VK_SUCCESS)

/* ---- a program ---- */

/* What the stub has, beside the part of it that a user calls. */
static struct api {
#define API_MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    ALL_ENTRIES(API_MEMBER)
} vk;

static const char *stub_path;
static user u;
static work w;
static VkQueryPool queries;

static void open_all(void)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    PFN_vkVoidFunction function;
    CHECK(user_open(&u, stub_path, 0, false));
#define LOAD(name)                                            \
    function = u.vk.vkGetInstanceProcAddr(u.instance, #name); \
    memcpy(&vk.name, &function, sizeof function);
    ALL_ENTRIES(LOAD)
    work_open(&u, &w);
    GOOD(vk.vkCreateQueryPool(u.device, &info, NULL, &queries));
}

static void close_all(void)
{
    vk.vkDestroyQueryPool(u.device, queries, NULL);
    work_close(&u, &w);
    user_close(&u);
}

static void timestamp(uint32_t query)
{
    vk.vkCmdWriteTimestamp(w.buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, query);
}

static void submit_as_it_is(void)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &w.buffer};
    vk.vkQueueSubmit(u.queue, 1, &info, w.fence);
}

/* Of both queries the timestamp, and whether it is there. */
static VkResult results(uint64_t values[4])
{
    return vk.vkGetQueryPoolResults(u.device, queries, 0, 2, 4 * sizeof values[0], values,
                                    2 * sizeof values[0],
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

/* ---- kernels ---- */

static VkShaderModule module;
static VkDescriptorSetLayout set_layout;
static VkDescriptorPool sets;
static VkDescriptorSet set;
static VkPipelineLayout layout;
static VkPipeline pipeline;

static void open_descriptors(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    GOOD(vk.vkCreateDescriptorSetLayout(u.device, &layout_info, NULL, &set_layout));
    GOOD(vk.vkCreateDescriptorPool(u.device, &pool, NULL, &sets));
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = sets,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &set_layout};
    GOOD(vk.vkAllocateDescriptorSets(u.device, &info, &set));
}

/* It has one memory, and nothing but an entry "main". */
static void open_kernel(void)
{
    static const uint32_t spirv[] = {0x07230203,    0x00010000, 0, 9,          0,
                                     5u << 16 | 15, 5,          4, 0x6e69616d, 0};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof spirv,
                                           .pCode = spirv};
    open_descriptors();
    GOOD(vk.vkCreateShaderModule(u.device, &code, NULL, &module));
    const VkPipelineLayoutCreateInfo given = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout};
    GOOD(vk.vkCreatePipelineLayout(u.device, &given, NULL, &layout));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout};
    GOOD(vk.vkCreateComputePipelines(u.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
}

static void close_kernel(void)
{
    vk.vkDestroyPipeline(u.device, pipeline, NULL);
    vk.vkDestroyPipelineLayout(u.device, layout, NULL);
    vk.vkDestroyShaderModule(u.device, module, NULL);
    vk.vkDestroyDescriptorPool(u.device, sets, NULL);
    vk.vkDestroyDescriptorSetLayout(u.device, set_layout, NULL);
}

static void describe(void)
{
    const VkDescriptorBufferInfo buffer = {w.src, 0, u.bytes};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vk.vkUpdateDescriptorSets(u.device, 1, &write, 0, NULL);
}

static void dispatch(void)
{
    vk.vkCmdBindPipeline(w.buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(w.buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                               NULL);
    vk.vkCmdDispatch(w.buffer, 2, 1, 1);
}

/* ---- the right way ---- */

/* The commands stop behind the first timestamp, 210 ticks before the counter wraps. The copy takes
 * 777 ticks, and the clock moves on by 500 more. */
static void right(void)
{
    uint64_t values[4] = {0};
    void *src = NULL, *dst = NULL;
    open_all();
    open_kernel();
    describe();
    GOOD(vk.vkMapMemory(u.device, w.src_memory, 0, u.bytes, 0, &src));
    GOOD(vk.vkMapMemory(u.device, w.dst_memory, 0, u.bytes, 0, &dst));
    memset(src, 7, u.bytes);
    work_begin(&u, &w, 0);
    vk.vkCmdResetQueryPool(w.buffer, queries, 0, 2);
    timestamp(0);
    work_copy(&u, &w);
    timestamp(1);
    dispatch();
    work_end(&u, &w);
    work_submit(&u, &w);
    CHECK(vk.vkStubExecute(u.queue, 2) == 4);
    CHECK(results(values) == VK_NOT_READY && values[1] == 1 && values[3] == 0);
    vk.vkStubAdvance(500);
    CHECK(vk.vkStubExecute(u.queue, UINT64_MAX) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(!work_has_ended(&u, &w));
    CHECK(work_has_ended(&u, &w));
    CHECK(results(values) == VK_SUCCESS && values[1] == 1 && values[3] == 1);
    CHECK(values[2] < values[0] && ((values[2] - values[0]) & 0xFFFFFFFFF) == 500 + 777);
    CHECK(memcmp(src, dst, u.bytes) == 0);
    close_kernel();
    close_all();
}

/* ---- misuse ---- */

static void recorded_twice(void)
{
    open_all();
    work_begin(&u, &w, 0);
    work_begin(&u, &w, 0);
}

/* Its commands are in use, and so is its source. */
static void used_while_it_runs(void)
{
    open_all();
    work_begin(&u, &w, 0);
    work_copy(&u, &w);
    work_end(&u, &w);
    work_submit(&u, &w);
    submit_as_it_is();
    vk.vkDestroyBuffer(u.device, w.src, NULL);
}

static void fence_not_reset(void)
{
    open_all();
    work_begin(&u, &w, 0);
    work_end(&u, &w);
    work_submit(&u, &w);
    CHECK(work_has_ended(&u, &w));
    submit_as_it_is();
}

static void *wait_for_ever(void *unused)
{
    vk.vkQueueWaitIdle(u.queue);
    return unused;
}

/* The other thread never comes back. */
static void two_threads(void)
{
    const struct timespec while_it_begins = {.tv_nsec = 100000000};
    pthread_t thread;
    open_all();
    work_begin(&u, &w, 0);
    work_end(&u, &w);
    work_submit(&u, &w);
    CHECK(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
    pthread_detach(thread);
    nanosleep(&while_it_begins, NULL);
    vk.vkQueueSubmit(u.queue, 0, NULL, VK_NULL_HANDLE);
}

/* Neither to what reads what was copied, nor to the host. */
static void no_barrier(void)
{
    const VkBufferCopy all = {.size = 64};
    void *host = NULL;
    open_all();
    work_begin(&u, &w, 0);
    vk.vkCmdCopyBuffer(w.buffer, w.src, w.dst, 1, &all);
    vk.vkCmdCopyBuffer(w.buffer, w.dst, w.src, 1, &all);
    work_end(&u, &w);
    work_submit(&u, &w);
    CHECK(work_has_ended(&u, &w));
    vk.vkMapMemory(u.device, w.src_memory, 0, u.bytes, 0, &host);
}

/* The third type of those is cached and not coherent. */
static void not_flushed(void)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = 64,
                                       .memoryTypeIndex = 2};
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .size = 64};
    void *host = NULL;
    open_all();
    GOOD(vk.vkAllocateMemory(u.device, &info, NULL, &range.memory));
    GOOD(vk.vkMapMemory(u.device, range.memory, 0, 64, 0, &host));
    memset(host, 7, 64);
    vk.vkInvalidateMappedMemoryRanges(u.device, 1, &range);
}

static void query_not_reset(void)
{
    open_all();
    work_begin(&u, &w, 0);
    timestamp(0);
    work_end(&u, &w);
    work_submit(&u, &w);
}

static void feature_not_enabled(void)
{
    open_all();
    vk.vkResetQueryPool(u.device, queries, 0, 2);
}

static void wrong_type(void)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    VkFence fence;
    open_all();
    vk.vkCreateFence(u.device, &info, NULL, &fence);
}

static void described_later(void)
{
    open_all();
    open_kernel();
    describe();
    work_begin(&u, &w, 0);
    dispatch();
    describe();
    work_end(&u, &w);
    work_submit(&u, &w);
}

#define RIGHT "commands=held,late_fence=2,kernel_ticks=777,bits=36,start=68719476526"

static const struct test_case cases[] = {
    {RIGHT, right, NULL},
    {RIGHT, right, "unknown kernels 1"},
    {"", recorded_twice, "misuse 1 vkBeginCommandBuffer: is being recorded"},
    {"", used_while_it_runs, "misuse 1 vkQueueSubmit: the command buffer is in use"},
    {"", used_while_it_runs, "misuse 1 vkDestroyBuffer: buffer is in use by a submission"},
    {"", fence_not_reset, "misuse 1 vkQueueSubmit: the fence was not reset"},
    {"hang=1", two_threads, "misuse 1 vkQueueSubmit: queue is used by two threads at once"},
    {"", no_barrier, "misuse 1 no barrier between a write and a read"},
    {"", no_barrier, "misuse 1 vkMapMemory: no barrier to the host since the device wrote"},
    {"memory=noncoherent", not_flushed,
     "misuse 1 vkInvalidateMappedMemoryRanges: loses what the host wrote and did not flush"},
    {"", query_not_reset, "misuse 1 a query is written without having been reset"},
    {"bits=0", query_not_reset, "misuse 1 a timestamp on a queue that has none"},
    {"", feature_not_enabled, "misuse 1 vkResetQueryPool: the feature is not enabled"},
    {"", wrong_type, "misuse 1 vkCreateFence: sType of info is 12"},
    {"", described_later,
     "misuse 1 vkQueueSubmit: a descriptor set was changed after it was recorded"},
    {"max_groups=1", described_later, "misuse 1 vkCmdDispatch: over maxComputeWorkGroupCount"},
};

/* ---- the runner ---- */

static void run_case(const struct test_case *test, void *library)
{
    (void)library;
    test->run();
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_VULKAN", "KT_STUB_VULKAN_COUNTS", run_case};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    stub_path = argv[1];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        good &= stub_case_run(&stub, stub_path, cases[i].script, cases[i].report, &cases[i]);
    return good ? 0 : 1;
}
