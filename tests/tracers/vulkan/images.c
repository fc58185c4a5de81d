/* SPDX-License-Identifier: MIT */
/*
 * images.c - a Vulkan program that knows nothing of tracers: each command of images, buffers, render
 * passes and dispatches once, with a barrier behind each. What they leave goes to standard output.
 * `vulkan_images [ANY ANY ANY checked]` as program.c. Exit code 77: there is no loader or device.
 */
#include "tests/tracers/vulkan/instance.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t quad_vert[] =
#include "quad.vert.words"
    ;
static const uint32_t quad_frag[] =
#include "quad.frag.words"
    ;
static const uint32_t count_comp[] =
#include "count.comp.words"
    ;

#define FUNCTIONS(X)                 \
    X(vkGetDeviceQueue)              \
    X(vkDestroyDevice)               \
    X(vkDeviceWaitIdle)              \
    X(vkQueueSubmit2)                \
    X(vkCreateBuffer)                \
    X(vkDestroyBuffer)               \
    X(vkGetBufferMemoryRequirements) \
    X(vkBindBufferMemory2)           \
    X(vkCreateImage)                 \
    X(vkDestroyImage)                \
    X(vkGetImageMemoryRequirements)  \
    X(vkBindImageMemory)             \
    X(vkCreateImageView)             \
    X(vkDestroyImageView)            \
    X(vkAllocateMemory)              \
    X(vkFreeMemory)                  \
    X(vkMapMemory)                   \
    X(vkCreateShaderModule)          \
    X(vkDestroyShaderModule)         \
    X(vkCreateDescriptorSetLayout)   \
    X(vkDestroyDescriptorSetLayout)  \
    X(vkCreateDescriptorPool)        \
    X(vkDestroyDescriptorPool)       \
    X(vkAllocateDescriptorSets)      \
    X(vkUpdateDescriptorSets)        \
    X(vkCreatePipelineLayout)        \
    X(vkDestroyPipelineLayout)       \
    X(vkCreateComputePipelines)      \
    X(vkCreateGraphicsPipelines)     \
    X(vkDestroyPipeline)             \
    X(vkCreateRenderPass)            \
    X(vkDestroyRenderPass)           \
    X(vkCreateFramebuffer)           \
    X(vkDestroyFramebuffer)          \
    X(vkCreateCommandPool)           \
    X(vkDestroyCommandPool)          \
    X(vkAllocateCommandBuffers)      \
    X(vkBeginCommandBuffer)          \
    X(vkEndCommandBuffer)            \
    X(vkCmdPipelineBarrier2)         \
    X(vkCmdBindPipeline)             \
    X(vkCmdBindDescriptorSets)       \
    X(vkCmdDispatch)                 \
    X(vkCmdDispatchBase)             \
    X(vkCmdDispatchIndirect)         \
    X(vkCmdExecuteCommands)          \
    X(vkCmdBeginRenderPass)          \
    X(vkCmdEndRenderPass)            \
    X(vkCmdBeginRenderPass2)         \
    X(vkCmdEndRenderPass2)           \
    X(vkCmdBeginRendering)           \
    X(vkCmdEndRendering)             \
    X(vkCmdDraw)                     \
    X(vkCmdCopyBuffer)               \
    X(vkCmdCopyBuffer2)              \
    X(vkCmdCopyImage)                \
    X(vkCmdCopyImage2)               \
    X(vkCmdCopyBufferToImage)        \
    X(vkCmdCopyBufferToImage2)       \
    X(vkCmdCopyImageToBuffer)        \
    X(vkCmdCopyImageToBuffer2)       \
    X(vkCmdBlitImage)                \
    X(vkCmdBlitImage2)               \
    X(vkCmdResolveImage)             \
    X(vkCmdResolveImage2)            \
    X(vkCmdFillBuffer)               \
    X(vkCmdUpdateBuffer)             \
    X(vkCmdClearColorImage)          \
    X(vkCmdClearDepthStencilImage)   \
    X(vkCreateQueryPool)             \
    X(vkDestroyQueryPool)            \
    X(vkCmdResetQueryPool)           \
    X(vkCmdBeginQuery)               \
    X(vkCmdEndQuery)

#define POINTER(name) static PFN_##name name;
FUNCTIONS(POINTER)

enum { WIDTH = 16, HEIGHT = 8, LAYERS = 4, BYTES = 4099 };

static VkDevice device;
static VkQueue queue;
static VkDeviceMemory memories[16];
static uint32_t memory_count;
static VkBool32 inherits; /* a query may be active around a secondary command buffer */
static VkCommandBuffer main_commands, in_pass, aside;

#define TYPE(name)  .sType = VK_STRUCTURE_TYPE_##name
#define OUTPUT      VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT
#define COLOR_READ  VK_ACCESS_COLOR_ATTACHMENT_READ_BIT
#define COLOR_WRITE VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT
#define GENERAL     VK_IMAGE_LAYOUT_GENERAL
#define COLOR(layers)                           \
    {                                           \
        VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers \
    }
#define EXTENT           \
    {                    \
        WIDTH, HEIGHT, 1 \
    }

/* A device of 1.3 whose first queue does all, which is lavapipe's. */
static void open_device(void)
{
    VkPhysicalDeviceVulkan13Features of_1_3 = {TYPE(PHYSICAL_DEVICE_VULKAN_1_3_FEATURES)};
    VkPhysicalDeviceFeatures2 features = {TYPE(PHYSICAL_DEVICE_FEATURES_2), .pNext = &of_1_3};
    VkPhysicalDeviceProperties properties;
    const float priority = 1;
    OF_INSTANCE(vkGetPhysicalDeviceProperties)(physical, &properties);
    OF_INSTANCE(vkGetPhysicalDeviceFeatures2)(physical, &features);
    if (properties.apiVersion < VK_API_VERSION_1_3 || !features.features.textureCompressionBC)
        exit(77);
    inherits = features.features.inheritedQueries;
    const VkPhysicalDeviceVulkan13Features used = {TYPE(PHYSICAL_DEVICE_VULKAN_1_3_FEATURES),
                                                   .synchronization2 = VK_TRUE,
                                                   .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceFeatures basic = {.textureCompressionBC = VK_TRUE,
                                            .inheritedQueries = inherits};
    const VkDeviceQueueCreateInfo queue_info = {TYPE(DEVICE_QUEUE_CREATE_INFO), .queueCount = 1,
                                                .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {TYPE(DEVICE_CREATE_INFO), .pNext = &used,
                                     .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info,
                                     .pEnabledFeatures = &basic};
    EXPECT(OF_INSTANCE(vkCreateDevice)(physical, &info, NULL, &device));
    PFN_vkGetDeviceProcAddr of_device = OF_INSTANCE(vkGetDeviceProcAddr);
#define LOAD(name) name = (PFN_##name)of_device(device, #name);
    FUNCTIONS(LOAD)
    vkGetDeviceQueue(device, 0, 0, &queue);
}

/* ---- objects ---- */

static VkDeviceMemory allocate(VkMemoryRequirements needs)
{
    VkPhysicalDeviceMemoryProperties all;
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    OF_INSTANCE(vkGetPhysicalDeviceMemoryProperties)(physical, &all);
    while (type + 1 < all.memoryTypeCount &&
           !(needs.memoryTypeBits >> type & 1 &&
             (all.memoryTypes[type].propertyFlags & wanted) == wanted))
        type++;
    const VkMemoryAllocateInfo info = {TYPE(MEMORY_ALLOCATE_INFO), .allocationSize = needs.size,
                                       .memoryTypeIndex = type};
    EXPECT(vkAllocateMemory(device, &info, NULL, &memories[memory_count]));
    return memories[memory_count++];
}

typedef struct buffer {
    VkBuffer handle;
    uint32_t *host;
} buffer;

static buffer make_buffer(void)
{
    const VkBufferCreateInfo info = {
        TYPE(BUFFER_CREATE_INFO), .size = BYTES,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
    buffer made = {0};
    VkMemoryRequirements needs;
    void *host;
    EXPECT(vkCreateBuffer(device, &info, NULL, &made.handle));
    vkGetBufferMemoryRequirements(device, made.handle, &needs);
    const VkBindBufferMemoryInfo bind = {TYPE(BIND_BUFFER_MEMORY_INFO), .buffer = made.handle,
                                         .memory = allocate(needs)};
    EXPECT(vkBindBufferMemory2(device, 1, &bind));
    EXPECT(vkMapMemory(device, bind.memory, 0, VK_WHOLE_SIZE, 0, &host));
    memset(host, 0, BYTES);
    made.host = host;
    return made;
}

static VkImage make_image(VkImageType type, VkFormat format, VkExtent3D extent, uint32_t layers,
                          VkSampleCountFlagBits samples, VkImageUsageFlags more)
{
    const VkImageCreateInfo info = {TYPE(IMAGE_CREATE_INFO),
                                    .imageType = type,
                                    .format = format,
                                    .extent = extent,
                                    .mipLevels = 1,
                                    .arrayLayers = layers,
                                    .samples = samples,
                                    .usage = more | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    VkImage made = VK_NULL_HANDLE;
    EXPECT(vkCreateImage(device, &info, NULL, &made));
    vkGetImageMemoryRequirements(device, made, &needs);
    EXPECT(vkBindImageMemory(device, made, allocate(needs), 0));
    return made;
}

static VkShaderModule make_shader(const uint32_t *words, size_t bytes)
{
    const VkShaderModuleCreateInfo info = {TYPE(SHADER_MODULE_CREATE_INFO), .codeSize = bytes,
                                           .pCode = words};
    VkShaderModule made = VK_NULL_HANDLE;
    EXPECT(vkCreateShaderModule(device, &info, NULL, &made));
    return made;
}

/* `pass` NULL: for dynamic rendering. */
static VkPipeline make_drawing(VkRenderPass pass, VkPipelineLayout layout, VkShaderModule vertex,
                               VkShaderModule fragment)
{
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {TYPE(PIPELINE_RENDERING_CREATE_INFO),
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {TYPE(PIPELINE_SHADER_STAGE_CREATE_INFO), .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex, .pName = "main"},
        {TYPE(PIPELINE_SHADER_STAGE_CREATE_INFO), .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment, .pName = "main"}};
    const VkPipelineVertexInputStateCreateInfo input = {
        TYPE(PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO)};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        TYPE(PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO),
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport view = {0, 0, WIDTH, HEIGHT, 0, 1};
    const VkRect2D whole = {{0, 0}, {WIDTH, HEIGHT}};
    const VkPipelineViewportStateCreateInfo viewport = {TYPE(PIPELINE_VIEWPORT_STATE_CREATE_INFO),
                                                        .viewportCount = 1, .pViewports = &view,
                                                        .scissorCount = 1, .pScissors = &whole};
    const VkPipelineRasterizationStateCreateInfo raster = {
        TYPE(PIPELINE_RASTERIZATION_STATE_CREATE_INFO), .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        TYPE(PIPELINE_MULTISAMPLE_STATE_CREATE_INFO), .rasterizationSamples = 1};
    const VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blending = {
        TYPE(PIPELINE_COLOR_BLEND_STATE_CREATE_INFO), .attachmentCount = 1, .pAttachments = &blend};
    const VkGraphicsPipelineCreateInfo info = {TYPE(GRAPHICS_PIPELINE_CREATE_INFO),
                                               .pNext = pass ? NULL : &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blending,
                                               .layout = layout,
                                               .renderPass = pass};
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &made));
    return made;
}

static VkRenderPass make_pass(void)
{
    const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .initialLayout = GENERAL,
                                                .finalLayout = GENERAL};
    const VkAttachmentReference reference = {0, GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    /* A barrier within the pass, and one behind it. */
    const VkSubpassDependency needs[2] = {
        {0, 0, OUTPUT, OUTPUT, COLOR_WRITE, COLOR_READ, VK_DEPENDENCY_BY_REGION_BIT},
        {0, VK_SUBPASS_EXTERNAL, OUTPUT, OUTPUT, COLOR_WRITE, COLOR_READ | COLOR_WRITE, 0}};
    const VkRenderPassCreateInfo info = {TYPE(RENDER_PASS_CREATE_INFO), .dependencyCount = 2,
                                         .pDependencies = needs,        .attachmentCount = 1,
                                         .pAttachments = &attachment,   .subpassCount = 1,
                                         .pSubpasses = &subpass};
    VkRenderPass made = VK_NULL_HANDLE;
    EXPECT(vkCreateRenderPass(device, &info, NULL, &made));
    return made;
}

/* ---- the world ---- */

static VkImage color, other, array, volume, samples, depth, block;
static buffer from, to, groups;
static VkImageView view;
static VkRenderPass pass;
static VkFramebuffer frame;
static VkDescriptorSetLayout set_layout;
static VkDescriptorPool sets;
static VkDescriptorSet set;
static VkPipelineLayout layout;
static VkShaderModule vertex, fragment, compute;
static VkPipeline counting, drawing, drawing_alone;
static VkCommandPool pool;
static VkQueryPool queries;

static void open_images(void)
{
    const VkFormat rgba = VK_FORMAT_R8G8B8A8_UNORM;
    const VkExtent3D flat = EXTENT;
    const VkImageUsageFlags target = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    color = make_image(VK_IMAGE_TYPE_2D, rgba, flat, 1, 1, target);
    other = make_image(VK_IMAGE_TYPE_2D, rgba, flat, 1, 1, target);
    array = make_image(VK_IMAGE_TYPE_2D, rgba, flat, LAYERS, 1, 0);
    volume = make_image(VK_IMAGE_TYPE_3D, rgba, (VkExtent3D){WIDTH, HEIGHT, LAYERS}, 1, 1, 0);
    samples = make_image(VK_IMAGE_TYPE_2D, rgba, flat, 1, 4, target);
    depth = make_image(VK_IMAGE_TYPE_2D, VK_FORMAT_D32_SFLOAT, flat, 1, 1,
                       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    block = make_image(VK_IMAGE_TYPE_2D, VK_FORMAT_BC1_RGB_UNORM_BLOCK, (VkExtent3D){18, 10, 1}, 1,
                       1, 0);
    const VkImageViewCreateInfo view_info = {
        TYPE(IMAGE_VIEW_CREATE_INFO), .image = color, .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = rgba, .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    EXPECT(vkCreateImageView(device, &view_info, NULL, &view));
    pass = make_pass();
    const VkFramebufferCreateInfo frame_info = {TYPE(FRAMEBUFFER_CREATE_INFO),
                                                .renderPass = pass,
                                                .attachmentCount = 1,
                                                .pAttachments = &view,
                                                .width = WIDTH,
                                                .height = HEIGHT,
                                                .layers = 1};
    EXPECT(vkCreateFramebuffer(device, &frame_info, NULL, &frame));
}

static void open_pipelines(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_info = {TYPE(DESCRIPTOR_SET_LAYOUT_CREATE_INFO),
                                                      .bindingCount = 1, .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo sets_info = {TYPE(DESCRIPTOR_POOL_CREATE_INFO), .maxSets = 1,
                                                  .poolSizeCount = 1, .pPoolSizes = &size};
    EXPECT(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    EXPECT(vkCreateDescriptorPool(device, &sets_info, NULL, &sets));
    const VkDescriptorSetAllocateInfo one = {TYPE(DESCRIPTOR_SET_ALLOCATE_INFO),
                                             .descriptorPool = sets, .descriptorSetCount = 1,
                                             .pSetLayouts = &set_layout};
    EXPECT(vkAllocateDescriptorSets(device, &one, &set));
    const VkDescriptorBufferInfo place = {groups.handle, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        TYPE(WRITE_DESCRIPTOR_SET), .dstSet = set, .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &place};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    const VkPipelineLayoutCreateInfo layout_info = {
        TYPE(PIPELINE_LAYOUT_CREATE_INFO), .setLayoutCount = 1, .pSetLayouts = &set_layout};
    EXPECT(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    vertex = make_shader(quad_vert, sizeof quad_vert);
    fragment = make_shader(quad_frag, sizeof quad_frag);
    compute = make_shader(count_comp, sizeof count_comp);
    drawing = make_drawing(pass, layout, vertex, fragment);
    drawing_alone = make_drawing(VK_NULL_HANDLE, layout, vertex, fragment);
    const VkComputePipelineCreateInfo info = {
        TYPE(COMPUTE_PIPELINE_CREATE_INFO), .flags = VK_PIPELINE_CREATE_DISPATCH_BASE,
        .stage = {TYPE(PIPELINE_SHADER_STAGE_CREATE_INFO), .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = compute, .pName = "main"},
        .layout = layout};
    EXPECT(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &counting));
}

static void name_pipeline(void)
{
    const VkDebugUtilsObjectNameInfoEXT name = {
        TYPE(DEBUG_UTILS_OBJECT_NAME_INFO_EXT), .objectType = VK_OBJECT_TYPE_PIPELINE,
        .objectHandle = (uint64_t)(uintptr_t)counting, .pObjectName = "count"};
    EXPECT(OF_INSTANCE(vkSetDebugUtilsObjectNameEXT)(device, &name));
}

static VkCommandBuffer allocate_commands(VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {TYPE(COMMAND_BUFFER_ALLOCATE_INFO),
                                              .commandPool = pool, .level = level,
                                              .commandBufferCount = 1};
    VkCommandBuffer made = VK_NULL_HANDLE;
    EXPECT(vkAllocateCommandBuffers(device, &info, &made));
    return made;
}

static void open_all(void)
{
    const VkCommandPoolCreateInfo pool_info = {TYPE(COMMAND_POOL_CREATE_INFO)};
    const VkQueryPoolCreateInfo queries_info = {
        TYPE(QUERY_POOL_CREATE_INFO), .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
    from = make_buffer();
    to = make_buffer();
    groups = make_buffer();
    for (uint32_t i = 0; i < BYTES / 4; i++)
        from.host[i] = i * 2654435761u;
    memcpy(&from.host[1000], (const uint32_t[]){2, 1, 1}, 12); /* of an indirect dispatch */
    open_images();
    open_pipelines();
    EXPECT(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    EXPECT(vkCreateQueryPool(device, &queries_info, NULL, &queries));
    main_commands = allocate_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    in_pass = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    aside = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

static void close_all(void)
{
    const VkImage images[] = {color, other, array, volume, samples, depth, block};
    vkDestroyQueryPool(device, queries, NULL);
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyPipeline(device, counting, NULL);
    vkDestroyPipeline(device, drawing, NULL);
    vkDestroyPipeline(device, drawing_alone, NULL);
    vkDestroyShaderModule(device, vertex, NULL);
    vkDestroyShaderModule(device, fragment, NULL);
    vkDestroyShaderModule(device, compute, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorPool(device, sets, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    vkDestroyFramebuffer(device, frame, NULL);
    vkDestroyRenderPass(device, pass, NULL);
    vkDestroyImageView(device, view, NULL);
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        vkDestroyImage(device, images[i], NULL);
    vkDestroyBuffer(device, from.handle, NULL);
    vkDestroyBuffer(device, to.handle, NULL);
    vkDestroyBuffer(device, groups.handle, NULL);
    for (uint32_t i = 0; i < memory_count; i++)
        vkFreeMemory(device, memories[i], NULL);
    vkDestroyDevice(device, NULL);
}

/* ---- commands ---- */

static void barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier2 all = {TYPE(MEMORY_BARRIER_2),
                                  NULL,
                                  VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  VK_ACCESS_2_MEMORY_WRITE_BIT,
                                  VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    const VkDependencyInfo info = {TYPE(DEPENDENCY_INFO), .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &all};
    vkCmdPipelineBarrier2(commands, &info);
}

/* A command of the main command buffer, and a barrier. */
#define DO(name, ...)                     \
    do {                                  \
        name(main_commands, __VA_ARGS__); \
        barrier(main_commands);           \
    } while (0)

static void take_layouts(void)
{
    const VkImage images[] = {color, other, array, volume, samples, depth, block};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        const VkImageMemoryBarrier2 general = {
            TYPE(IMAGE_MEMORY_BARRIER_2),
            .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
            .newLayout = GENERAL,
            .image = images[i],
            .subresourceRange = {images[i] == depth ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                    : VK_IMAGE_ASPECT_COLOR_BIT,
                                 0, 1, 0, VK_REMAINING_ARRAY_LAYERS}};
        const VkDependencyInfo info = {TYPE(DEPENDENCY_INFO), .imageMemoryBarrierCount = 1,
                                       .pImageMemoryBarriers = &general};
        vkCmdPipelineBarrier2(main_commands, &info);
    }
}

/* 512 + 512 + 2048 + 2048 + 2048 bytes of four each, and twice 5 x 3 blocks of 8 bytes. */
static void copy_images(void)
{
    const VkExtent3D flat = EXTENT, deep = {WIDTH, HEIGHT, LAYERS}, blocks = {18, 10, 1};
    const VkBufferImageCopy whole = {.imageSubresource = COLOR(1), .imageExtent = flat};
    const VkImageCopy to_layer = {.srcSubresource = COLOR(1),
                                  .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1},
                                  .extent = flat};
    const VkBufferImageCopy2 layers = {TYPE(BUFFER_IMAGE_COPY_2), .imageSubresource = COLOR(LAYERS),
                                       .imageExtent = flat};
    const VkCopyBufferToImageInfo2 to_array = {
        TYPE(COPY_BUFFER_TO_IMAGE_INFO_2), .srcBuffer = from.handle, .dstImage = array,
        .dstImageLayout = GENERAL,         .regionCount = 1,         .pRegions = &layers};
    const VkImageCopy2 slices = {TYPE(IMAGE_COPY_2), .srcSubresource = COLOR(LAYERS),
                                 .dstSubresource = COLOR(1), .extent = deep};
    const VkCopyImageInfo2 to_volume = {
        TYPE(COPY_IMAGE_INFO_2),   .srcImage = array, .srcImageLayout = GENERAL, .dstImage = volume,
        .dstImageLayout = GENERAL, .regionCount = 1,  .pRegions = &slices};
    const VkBufferImageCopy all = {.imageSubresource = COLOR(1), .imageExtent = deep};
    const VkBufferImageCopy compressed = {.imageSubresource = COLOR(1), .imageExtent = blocks};
    const VkBufferImageCopy2 compressed_2 = {TYPE(BUFFER_IMAGE_COPY_2), .bufferOffset = 3072,
                                             .imageSubresource = COLOR(1), .imageExtent = blocks};
    const VkCopyImageToBufferInfo2 from_block = {TYPE(COPY_IMAGE_TO_BUFFER_INFO_2),
                                                 .srcImage = block,
                                                 .srcImageLayout = GENERAL,
                                                 .dstBuffer = to.handle,
                                                 .regionCount = 1,
                                                 .pRegions = &compressed_2};
    DO(vkCmdCopyBufferToImage, from.handle, color, GENERAL, 1, &whole);
    DO(vkCmdCopyBufferToImage2, &to_array);
    DO(vkCmdCopyImage, color, GENERAL, array, GENERAL, 1, &to_layer);
    DO(vkCmdCopyImage2, &to_volume);
    DO(vkCmdCopyImageToBuffer, volume, GENERAL, to.handle, 1, &all);
    DO(vkCmdCopyBufferToImage, from.handle, block, GENERAL, 1, &compressed);
    DO(vkCmdCopyImageToBuffer2, &from_block);
}

/* Copies of 96 and 64 bytes, fills of 16 and of all words but two, an update of 32 bytes. */
static void change_buffers(void)
{
    const VkBufferCopy parts[2] = {{0, 3200, 64}, {128, 3264, 32}};
    const VkBufferCopy2 part = {TYPE(BUFFER_COPY_2), .srcOffset = 64, .dstOffset = 3296,
                                .size = 64};
    const VkCopyBufferInfo2 info = {TYPE(COPY_BUFFER_INFO_2), .srcBuffer = from.handle,
                                    .dstBuffer = to.handle, .regionCount = 1, .pRegions = &part};
    DO(vkCmdFillBuffer, to.handle, 8, VK_WHOLE_SIZE, 7);
    DO(vkCmdFillBuffer, to.handle, 2048, 16, 9);
    DO(vkCmdUpdateBuffer, to.handle, 2064, 32, from.host);
    DO(vkCmdCopyBuffer, from.handle, to.handle, 2, parts);
    DO(vkCmdCopyBuffer2, &info);
}

/* Three clears, two resolves, two blits, and 512 bytes of depth. */
static void change_images(void)
{
    const VkClearColorValue red = {.float32 = {1, 0, 0, 1}};
    const VkClearDepthStencilValue half = {0.5f, 0};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkImageSubresourceRange depths = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    const VkImageResolve resolve = {
        .srcSubresource = COLOR(1), .dstSubresource = COLOR(1), .extent = EXTENT};
    const VkImageResolve2 resolve_2 = {TYPE(IMAGE_RESOLVE_2), .srcSubresource = COLOR(1),
                                       .dstSubresource = COLOR(1), .extent = EXTENT};
    const VkResolveImageInfo2 resolves = {TYPE(RESOLVE_IMAGE_INFO_2), .srcImage = samples,
                                          .srcImageLayout = GENERAL,  .dstImage = other,
                                          .dstImageLayout = GENERAL,  .regionCount = 1,
                                          .pRegions = &resolve_2};
    const VkImageBlit blit = {
        COLOR(1), {{0, 0, 0}, {WIDTH, HEIGHT, 1}}, COLOR(1), {{WIDTH, 0, 0}, {0, HEIGHT, 1}}};
    const VkImageBlit2 blit_2 = {TYPE(IMAGE_BLIT_2), .srcSubresource = COLOR(1),
                                 .srcOffsets = {{0, 0, 0}, {8, 4, 1}}, .dstSubresource = COLOR(1),
                                 .dstOffsets = {{0, 0, 0}, {WIDTH, HEIGHT, 1}}};
    const VkBlitImageInfo2 blits = {
        TYPE(BLIT_IMAGE_INFO_2),   .srcImage = other, .srcImageLayout = GENERAL, .dstImage = color,
        .dstImageLayout = GENERAL, .regionCount = 1,  .pRegions = &blit_2};
    const VkBufferImageCopy depth_copy = {.bufferOffset = 2560,
                                          .imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1},
                                          .imageExtent = EXTENT};
    DO(vkCmdClearColorImage, samples, GENERAL, &red, 1, &range);
    DO(vkCmdResolveImage, samples, GENERAL, other, GENERAL, 1, &resolve);
    DO(vkCmdResolveImage2, &resolves);
    DO(vkCmdBlitImage, color, GENERAL, other, GENERAL, 1, &blit, VK_FILTER_NEAREST);
    DO(vkCmdBlitImage2, &blits);
    DO(vkCmdClearColorImage, other, GENERAL, &red, 1, &range);
    DO(vkCmdClearDepthStencilImage, depth, GENERAL, &half, 1, &depths);
    DO(vkCmdCopyImageToBuffer, depth, GENERAL, to.handle, 1, &depth_copy);
}

static void draw(VkCommandBuffer commands, VkPipeline pipeline)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

/* A part of a pass that may be suspended. */
static void render(VkRenderingFlags flags)
{
    const VkRenderingAttachmentInfo attachment = {
        TYPE(RENDERING_ATTACHMENT_INFO), .imageView = view, .imageLayout = GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD, .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {TYPE(RENDERING_INFO),
                                  .flags = flags,
                                  .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &attachment};
    vkCmdBeginRendering(main_commands, &info);
    draw(main_commands, drawing_alone);
    vkCmdEndRendering(main_commands);
}

/* Four render passes: one of each kind, and one in two parts. The first three are ordered by what
 * tracers do not follow: dependencies of render passes. */
static void render_all(void)
{
    const VkRenderPassBeginInfo info = {TYPE(RENDER_PASS_BEGIN_INFO), .renderPass = pass,
                                        .framebuffer = frame,
                                        .renderArea = {{0, 0}, {WIDTH, HEIGHT}}};
    const VkSubpassBeginInfo second = {TYPE(SUBPASS_BEGIN_INFO),
                                       .contents = VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS};
    const VkSubpassEndInfo end = {TYPE(SUBPASS_END_INFO)};
    const VkMemoryBarrier2 attachment = {
        TYPE(MEMORY_BARRIER_2), NULL, OUTPUT, COLOR_WRITE, OUTPUT, COLOR_READ};
    const VkDependencyInfo within = {TYPE(DEPENDENCY_INFO),
                                     .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
                                     .memoryBarrierCount = 1, .pMemoryBarriers = &attachment};
    vkCmdResetQueryPool(main_commands, queries, 0, 1);
    vkCmdBeginRenderPass(main_commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    draw(main_commands, drawing);
    vkCmdPipelineBarrier2(main_commands, &within);
    draw(main_commands, drawing);
    vkCmdEndRenderPass(main_commands);
    if (inherits)
        vkCmdBeginQuery(main_commands, queries, 0, 0);
    vkCmdBeginRenderPass2(main_commands, &info, &second);
    vkCmdExecuteCommands(main_commands, 1, &in_pass);
    vkCmdEndRenderPass2(main_commands, &end);
    if (inherits)
        vkCmdEndQuery(main_commands, queries, 0);
    render(0);
    barrier(main_commands);
    render(VK_RENDERING_SUSPENDING_BIT);
    render(VK_RENDERING_RESUMING_BIT);
    barrier(main_commands);
}

static void bind(VkCommandBuffer commands)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, counting);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
}

/* Three dispatches, and another one that is executed twice. */
static void compute_all(void)
{
    bind(main_commands);
    DO(vkCmdDispatch, 3, 1, 1);
    DO(vkCmdDispatchBase, 2, 0, 0, 3, 1, 1);
    DO(vkCmdDispatchIndirect, from.handle, 4000);
    DO(vkCmdExecuteCommands, 1, &aside);
    DO(vkCmdExecuteCommands, 1, &aside);
}

static void begin(VkCommandBuffer commands, const VkCommandBufferInheritanceInfo *inherited,
                  VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {TYPE(COMMAND_BUFFER_BEGIN_INFO), .flags = flags,
                                           .pInheritanceInfo = inherited};
    EXPECT(vkBeginCommandBuffer(commands, &info));
}

static void record(void)
{
    const VkCommandBufferInheritanceInfo none = {TYPE(COMMAND_BUFFER_INHERITANCE_INFO)},
                                         of_pass = {TYPE(COMMAND_BUFFER_INHERITANCE_INFO),
                                                    .renderPass = pass, .framebuffer = frame,
                                                    .occlusionQueryEnable = inherits};
    begin(in_pass, &of_pass, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    draw(in_pass, drawing);
    EXPECT(vkEndCommandBuffer(in_pass));
    begin(aside, &none, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    bind(aside);
    vkCmdDispatch(aside, 2, 1, 1);
    barrier(aside);
    EXPECT(vkEndCommandBuffer(aside));
    begin(main_commands, NULL, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    take_layouts();
    change_buffers();
    copy_images();
    change_images();
    render_all();
    compute_all();
    const VkBufferImageCopy whole = {
        .bufferOffset = 2048, .imageSubresource = COLOR(1), .imageExtent = EXTENT};
    DO(vkCmdCopyImageToBuffer, color, GENERAL, to.handle, 1, &whole);
    EXPECT(vkEndCommandBuffer(main_commands));
}

int main(int argc, char **argv)
{
    uint64_t sum = 14695981039346656037u;
    open_instance(VK_API_VERSION_1_3, argc > 4 && strcmp(argv[4], "checked") == 0);
    open_device();
    open_all();
    if (is_checked)
        name_pipeline();
    record();
    const VkCommandBufferSubmitInfo submitted = {TYPE(COMMAND_BUFFER_SUBMIT_INFO),
                                                 .commandBuffer = main_commands};
    const VkSubmitInfo2 info = {TYPE(SUBMIT_INFO_2), .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &submitted};
    EXPECT(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE));
    EXPECT(vkDeviceWaitIdle(device));
    for (uint32_t i = 0; i < BYTES; i++)
        sum = (sum ^ ((const uint8_t *)to.host)[i]) * 1099511628211u;
    printf("%016llx, groups %u %u %u %u %u\n", (unsigned long long)sum, groups.host[0],
           groups.host[1], groups.host[2], groups.host[3], groups.host[4]);
    close_all();
    close_instance();
    return tell_messages();
}
