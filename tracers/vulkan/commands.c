/* SPDX-License-Identifier: MIT */
/* commands.c - the commands that are timed, and those that stand between them. */
#include "tracers/vulkan/layer.h"

#include "support/alloc.h"

#include <string.h>

/* Around the driver's call in a hook, which has `handle`. */
#define TIMED(name, description, ...)                  \
    do {                                               \
        commands *c = commands_find(handle);           \
        if (!c) {                                      \
            device_of(handle)->next.name(__VA_ARGS__); \
            break;                                     \
        }                                              \
        trace_timing timing = tracer_begin();          \
        const work timed = description;                \
        size_t number = work_begin(c, &timed);         \
        tracer_pause(&timing);                         \
        c->device->next.name(__VA_ARGS__);             \
        tracer_resume(&timing);                        \
        work_end(c, number);                           \
        tracer_end(&timing);                           \
    } while (0)

/* ---- kernels ---- */

void trace_vkCmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline bound)
{
    commands *c = commands_find(handle);
    device *d = c ? c->device : device_of(handle);
    bool is_rays = point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
    if (c && (point == VK_PIPELINE_BIND_POINT_COMPUTE || is_rays))
        c->bound[is_rays] = map_find(&d->pipelines, NUMBER(bound));
    d->next.vkCmdBindPipeline(handle, point, bound);
}

/* Row of a launch, which is looked up once for each size. */
static trace_row *launch_row(commands *c, pipeline *p, const uint32_t *groups)
{
    if (!groups || !tracer_splits_by_size())
        return pipeline_row(c->device, p, groups);
    uint64_t at = (p->serial * 31 + groups[0]) * 31 + groups[1] * 7 + groups[2];
    sized_row *known = &c->sized[at % SIZED_ROWS];
    if (known->serial != p->serial || memcmp(known->groups, groups, sizeof known->groups) != 0) {
        known->row = pipeline_row(c->device, p, groups);
        known->serial = p->serial;
        memcpy(known->groups, groups, sizeof known->groups);
    }
    return known->row;
}

static work launch(commands *c, bool is_rays, const uint32_t *groups)
{
    pipeline *p = c->bound[is_rays];
    trace_row *row = p ? launch_row(c, p, groups)
                       : fixed_row(c->device, is_rays ? NAME_TRACE_RAYS : NAME_UNKNOWN_KERNEL);
    return (work){row, WORK_COMPUTE, true, TRACE_BYTES_UNKNOWN};
}

#define GROUPS(...) ((const uint32_t[3]){__VA_ARGS__})

void trace_vkCmdDispatch(VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z)
{
    TIMED(vkCmdDispatch, launch(c, false, GROUPS(x, y, z)), handle, x, y, z);
}

#define HOOK_DISPATCH_BASE(name)                                                                \
    void trace_##name(VkCommandBuffer handle, uint32_t first_x, uint32_t first_y,               \
                      uint32_t first_z, uint32_t x, uint32_t y, uint32_t z)                     \
    {                                                                                           \
        TIMED(name, launch(c, false, GROUPS(x, y, z)), handle, first_x, first_y, first_z, x, y, \
              z);                                                                               \
    }
HOOK_DISPATCH_BASE(vkCmdDispatchBase)
HOOK_DISPATCH_BASE(vkCmdDispatchBaseKHR)

void trace_vkCmdDispatchIndirect(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset)
{
    TIMED(vkCmdDispatchIndirect, launch(c, false, NULL), handle, buffer, offset);
}

void trace_vkCmdTraceRaysKHR(VkCommandBuffer handle,
                             const VkStridedDeviceAddressRegionKHR *generate,
                             const VkStridedDeviceAddressRegionKHR *miss,
                             const VkStridedDeviceAddressRegionKHR *hit,
                             const VkStridedDeviceAddressRegionKHR *call, uint32_t width,
                             uint32_t height, uint32_t depth)
{
    TIMED(vkCmdTraceRaysKHR, launch(c, true, GROUPS(width, height, depth)), handle, generate, miss,
          hit, call, width, height, depth);
}

void trace_vkCmdTraceRaysIndirectKHR(VkCommandBuffer handle,
                                     const VkStridedDeviceAddressRegionKHR *generate,
                                     const VkStridedDeviceAddressRegionKHR *miss,
                                     const VkStridedDeviceAddressRegionKHR *hit,
                                     const VkStridedDeviceAddressRegionKHR *call,
                                     VkDeviceAddress size)
{
    TIMED(vkCmdTraceRaysIndirectKHR, launch(c, true, NULL), handle, generate, miss, hit, call,
          size);
}

static work fixed(commands *c, fixed_name name, uint8_t kind, uint64_t bytes)
{
    return (work){fixed_row(c->device, name), kind, name >= NAME_BUILD, bytes};
}

void trace_vkCmdBuildAccelerationStructuresKHR(
    VkCommandBuffer handle, uint32_t count,
    const VkAccelerationStructureBuildGeometryInfoKHR *infos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ranges)
{
    TIMED(vkCmdBuildAccelerationStructuresKHR,
          fixed(c, NAME_BUILD, WORK_COMPUTE, TRACE_BYTES_UNKNOWN), handle, count, infos, ranges);
}

void trace_vkCmdBuildAccelerationStructuresIndirectKHR(
    VkCommandBuffer handle, uint32_t count,
    const VkAccelerationStructureBuildGeometryInfoKHR *infos, const VkDeviceAddress *addresses,
    const uint32_t *strides, const uint32_t *const *most)
{
    TIMED(vkCmdBuildAccelerationStructuresIndirectKHR,
          fixed(c, NAME_BUILD, WORK_COMPUTE, TRACE_BYTES_UNKNOWN), handle, count, infos, addresses,
          strides, most);
}

/* ---- render passes ---- */

static void begin_render(commands *c)
{
    const work pass = fixed(c, NAME_RENDER, WORK_RENDER, TRACE_BYTES_UNKNOWN);
    c->render = work_begin(c, &pass);
}

static void end_render(commands *c)
{
    work_end(c, c->render);
    c->render = 0;
}

/* A suspended pass goes on where it is resumed, with nothing in between. */
static void begin_rendering(commands *c, const VkRenderingInfo *info)
{
    if (!(info->flags & VK_RENDERING_RESUMING_BIT))
        begin_render(c);
    c->suspends = info->flags & VK_RENDERING_SUSPENDING_BIT;
}

static void end_rendering(commands *c)
{
    if (!c->suspends)
        end_render(c);
}

/* `before` and `after` the driver's call, of a command buffer that is known. */
#define AROUND(name, before, after, ...)           \
    do {                                           \
        commands *c = commands_find(handle);       \
        if (c)                                     \
            before;                                \
        device_of(handle)->next.name(__VA_ARGS__); \
        if (c)                                     \
            after;                                 \
    } while (0)

void trace_vkCmdBeginRenderPass(VkCommandBuffer handle, const VkRenderPassBeginInfo *info,
                                VkSubpassContents contents)
{
    AROUND(vkCmdBeginRenderPass, begin_render(c), (void)0, handle, info, contents);
}

void trace_vkCmdEndRenderPass(VkCommandBuffer handle)
{
    AROUND(vkCmdEndRenderPass, (void)0, end_render(c), handle);
}

#define HOOK_RENDER_PASS_2(begin, end)                                            \
    void trace_##begin(VkCommandBuffer handle, const VkRenderPassBeginInfo *info, \
                       const VkSubpassBeginInfo *subpass)                         \
    {                                                                             \
        AROUND(begin, begin_render(c), (void)0, handle, info, subpass);           \
    }                                                                             \
    void trace_##end(VkCommandBuffer handle, const VkSubpassEndInfo *info)        \
    {                                                                             \
        AROUND(end, (void)0, end_render(c), handle, info);                        \
    }
HOOK_RENDER_PASS_2(vkCmdBeginRenderPass2, vkCmdEndRenderPass2)
HOOK_RENDER_PASS_2(vkCmdBeginRenderPass2KHR, vkCmdEndRenderPass2KHR)

#define HOOK_RENDERING(begin, end)                                          \
    void trace_##begin(VkCommandBuffer handle, const VkRenderingInfo *info) \
    {                                                                       \
        AROUND(begin, begin_rendering(c, info), (void)0, handle, info);     \
    }                                                                       \
    void trace_##end(VkCommandBuffer handle)                                \
    {                                                                       \
        AROUND(end, (void)0, end_rendering(c), handle);                     \
    }
HOOK_RENDERING(vkCmdBeginRendering, vkCmdEndRendering)
HOOK_RENDERING(vkCmdBeginRenderingKHR, vkCmdEndRenderingKHR)

/* ---- copies ---- */

static const resource *buffer_of(commands *c, VkBuffer handle)
{
    return map_find(&c->device->buffers, NUMBER(handle));
}

/* Also before it is known whether the command buffer is. */
static const resource *image_of(VkCommandBuffer handle, VkImage image)
{
    return map_find(&device_of(handle)->images, NUMBER(image));
}

static work copy(commands *c, const resource *src, const resource *dst, bool has_image,
                 uint64_t bytes)
{
    int ends = (dst && dst->is_host ? 1 : 0) | (src && src->is_host ? 2 : 0);
    return fixed(c, (fixed_name)(NAME_COPY + ends + (has_image ? 4 : 0)), WORK_TRANSFER, bytes);
}

/* Adds a region of the image, in blocks of its format, to a number that may be unknown. Where layers
 * of one image are slices of another one, the extent has both, and they are the same. */
static void add_region(uint64_t *bytes, const resource *image, VkExtent3D extent,
                       VkImageSubresourceLayers layers)
{
    if (!image || !image->block_bytes || layers.layerCount == VK_REMAINING_ARRAY_LAYERS)
        *bytes = TRACE_BYTES_UNKNOWN;
    if (*bytes == TRACE_BYTES_UNKNOWN)
        return;
    uint64_t columns = (extent.width + image->block[0] - 1) / image->block[0];
    uint64_t lines = (extent.height + image->block[1] - 1) / image->block[1];
    uint64_t slices = extent.depth > layers.layerCount ? extent.depth : layers.layerCount;
    *bytes += columns * lines * slices * image->block_bytes;
}

void trace_vkCmdCopyBuffer(VkCommandBuffer handle, VkBuffer src, VkBuffer dst, uint32_t count,
                           const VkBufferCopy *regions)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += regions[i].size;
    TIMED(vkCmdCopyBuffer, copy(c, buffer_of(c, src), buffer_of(c, dst), false, bytes), handle, src,
          dst, count, regions);
}

#define HOOK_COPY_BUFFER_2(name)                                                                   \
    void trace_##name(VkCommandBuffer handle, const VkCopyBufferInfo2 *info)                       \
    {                                                                                              \
        uint64_t bytes = 0;                                                                        \
        for (uint32_t i = 0; i < info->regionCount; i++)                                           \
            bytes += info->pRegions[i].size;                                                       \
        TIMED(name,                                                                                \
              copy(c, buffer_of(c, info->srcBuffer), buffer_of(c, info->dstBuffer), false, bytes), \
              handle, info);                                                                       \
    }
HOOK_COPY_BUFFER_2(vkCmdCopyBuffer2)
HOOK_COPY_BUFFER_2(vkCmdCopyBuffer2KHR)

void trace_vkCmdCopyImage(VkCommandBuffer handle, VkImage src, VkImageLayout src_layout,
                          VkImage dst, VkImageLayout dst_layout, uint32_t count,
                          const VkImageCopy *regions)
{
    const resource *image = image_of(handle, src);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        add_region(&bytes, image, regions[i].extent, regions[i].srcSubresource);
    TIMED(vkCmdCopyImage, copy(c, image, image_of(handle, dst), true, bytes), handle, src,
          src_layout, dst, dst_layout, count, regions);
}

void trace_vkCmdCopyBufferToImage(VkCommandBuffer handle, VkBuffer src, VkImage dst,
                                  VkImageLayout layout, uint32_t count,
                                  const VkBufferImageCopy *regions)
{
    const resource *image = image_of(handle, dst);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        add_region(&bytes, image, regions[i].imageExtent, regions[i].imageSubresource);
    TIMED(vkCmdCopyBufferToImage, copy(c, buffer_of(c, src), image, true, bytes), handle, src, dst,
          layout, count, regions);
}

void trace_vkCmdCopyImageToBuffer(VkCommandBuffer handle, VkImage src, VkImageLayout layout,
                                  VkBuffer dst, uint32_t count, const VkBufferImageCopy *regions)
{
    const resource *image = image_of(handle, src);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        add_region(&bytes, image, regions[i].imageExtent, regions[i].imageSubresource);
    TIMED(vkCmdCopyImageToBuffer, copy(c, image, buffer_of(c, dst), true, bytes), handle, src,
          layout, dst, count, regions);
}

/* The same for functions that take a struct. `counted` is the image whose regions count; `src` and
 * `dst` are expressions. */
#define HOOK_COPY_REGIONS_2(name, info_type, image, src, dst, extent, layers)                \
    void trace_##name(VkCommandBuffer handle, const info_type *info)                         \
    {                                                                                        \
        const resource *counted = image_of(handle, info->image);                             \
        uint64_t bytes = 0;                                                                  \
        for (uint32_t i = 0; i < info->regionCount; i++)                                     \
            add_region(&bytes, counted, info->pRegions[i].extent, info->pRegions[i].layers); \
        TIMED(name, copy(c, src, dst, true, bytes), handle, info);                           \
    }
#define HOOK_COPY_IMAGE_2(name)                                    \
    HOOK_COPY_REGIONS_2(name, VkCopyImageInfo2, srcImage, counted, \
                        image_of(handle, info->dstImage), extent, srcSubresource)
#define HOOK_COPY_BUFFER_TO_IMAGE_2(name)                                                        \
    HOOK_COPY_REGIONS_2(name, VkCopyBufferToImageInfo2, dstImage, buffer_of(c, info->srcBuffer), \
                        counted, imageExtent, imageSubresource)
#define HOOK_COPY_IMAGE_TO_BUFFER_2(name)                                  \
    HOOK_COPY_REGIONS_2(name, VkCopyImageToBufferInfo2, srcImage, counted, \
                        buffer_of(c, info->dstBuffer), imageExtent, imageSubresource)
HOOK_COPY_IMAGE_2(vkCmdCopyImage2)
HOOK_COPY_IMAGE_2(vkCmdCopyImage2KHR)
HOOK_COPY_BUFFER_TO_IMAGE_2(vkCmdCopyBufferToImage2)
HOOK_COPY_BUFFER_TO_IMAGE_2(vkCmdCopyBufferToImage2KHR)
HOOK_COPY_IMAGE_TO_BUFFER_2(vkCmdCopyImageToBuffer2)
HOOK_COPY_IMAGE_TO_BUFFER_2(vkCmdCopyImageToBuffer2KHR)

void trace_vkCmdBlitImage(VkCommandBuffer handle, VkImage src, VkImageLayout src_layout,
                          VkImage dst, VkImageLayout dst_layout, uint32_t count,
                          const VkImageBlit *regions, VkFilter filter)
{
    TIMED(vkCmdBlitImage, fixed(c, NAME_BLIT, WORK_TRANSFER, TRACE_BYTES_UNKNOWN), handle, src,
          src_layout, dst, dst_layout, count, regions, filter);
}

void trace_vkCmdResolveImage(VkCommandBuffer handle, VkImage src, VkImageLayout src_layout,
                             VkImage dst, VkImageLayout dst_layout, uint32_t count,
                             const VkImageResolve *regions)
{
    TIMED(vkCmdResolveImage, fixed(c, NAME_RESOLVE, WORK_TRANSFER, TRACE_BYTES_UNKNOWN), handle,
          src, src_layout, dst, dst_layout, count, regions);
}

#define HOOK_FIXED_2(name, info_type, row)                                            \
    void trace_##name(VkCommandBuffer handle, const info_type *info)                  \
    {                                                                                 \
        TIMED(name, fixed(c, row, WORK_TRANSFER, TRACE_BYTES_UNKNOWN), handle, info); \
    }
HOOK_FIXED_2(vkCmdBlitImage2, VkBlitImageInfo2, NAME_BLIT)
HOOK_FIXED_2(vkCmdBlitImage2KHR, VkBlitImageInfo2, NAME_BLIT)
HOOK_FIXED_2(vkCmdResolveImage2, VkResolveImageInfo2, NAME_RESOLVE)
HOOK_FIXED_2(vkCmdResolveImage2KHR, VkResolveImageInfo2, NAME_RESOLVE)

/* ---- fills ---- */

static uint64_t filled_bytes(const resource *buffer, VkDeviceSize offset, VkDeviceSize bytes)
{
    if (bytes != VK_WHOLE_SIZE)
        return bytes;
    return buffer && buffer->bytes >= offset ? (buffer->bytes - offset) & ~UINT64_C(3)
                                             : TRACE_BYTES_UNKNOWN;
}

void trace_vkCmdFillBuffer(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset,
                           VkDeviceSize bytes, uint32_t value)
{
    TIMED(vkCmdFillBuffer,
          fixed(c, NAME_FILL, WORK_TRANSFER, filled_bytes(buffer_of(c, buffer), offset, bytes)),
          handle, buffer, offset, bytes, value);
}

void trace_vkCmdUpdateBuffer(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset,
                             VkDeviceSize bytes, const void *data)
{
    TIMED(vkCmdUpdateBuffer, fixed(c, NAME_UPDATE, WORK_TRANSFER, bytes), handle, buffer, offset,
          bytes, data);
}

#define HOOK_CLEAR(name, value_type)                                                         \
    void trace_##name(VkCommandBuffer handle, VkImage image, VkImageLayout layout,           \
                      const value_type *value, uint32_t count,                               \
                      const VkImageSubresourceRange *ranges)                                 \
    {                                                                                        \
        TIMED(name, fixed(c, NAME_CLEAR, WORK_TRANSFER, TRACE_BYTES_UNKNOWN), handle, image, \
              layout, value, count, ranges);                                                 \
    }
HOOK_CLEAR(vkCmdClearColorImage, VkClearColorValue)
HOOK_CLEAR(vkCmdClearDepthStencilImage, VkClearDepthStencilValue)

/* ---- barriers ---- */

/* Classes of commands that have one of these stages. */
static uint8_t classes_of(VkPipelineStageFlags2 stages, VkPipelineStageFlags2 all)
{
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                          VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
                                          VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
                                          VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
    const VkPipelineStageFlags2 transfer =
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
        VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
        VK_PIPELINE_STAGE_2_CLEAR_BIT;
    const VkPipelineStageFlags2 none =
        VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT |
        VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    if (stages & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | all))
        return WORK_ALL;
    return (uint8_t)((stages & compute ? WORK_COMPUTE : 0) |
                     (stages & transfer ? WORK_TRANSFER : 0) |
                     (stages & ~(compute | transfer | none) ? WORK_RENDER : 0));
}

/* Commands before it with stages `from` end before those behind it with stages `to` begin. What
 * already waits for one of `from` waits for it further on. */
static void order(commands *c, VkPipelineStageFlags2 from, VkPipelineStageFlags2 to)
{
    if (c->render) /* it orders what is in the render pass alone */
        return;
    uint8_t before = classes_of(from, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
    uint8_t behind = classes_of(to, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT);
    /* All that is drawn or launched indirectly waits for its arguments. */
    if (to & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT)
        behind |= WORK_RENDER;
    uint8_t left = UINT8_MAX;
    for (int i = 0; i < WORK_CLASSES; i++)
        if (before >> i & 1)
            left &= c->open[i] & (uint8_t) ~((1 << i) | (1 << i << WORK_EARLIER));
    for (int i = 0; i < WORK_CLASSES; i++)
        if (behind >> i & 1)
            c->open[i] &= left;
}

static void order_by(commands *c, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        order(c, info->pMemoryBarriers[i].srcStageMask, info->pMemoryBarriers[i].dstStageMask);
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
        order(c, info->pBufferMemoryBarriers[i].srcStageMask,
              info->pBufferMemoryBarriers[i].dstStageMask);
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        order(c, info->pImageMemoryBarriers[i].srcStageMask,
              info->pImageMemoryBarriers[i].dstStageMask);
}

void trace_vkCmdPipelineBarrier(VkCommandBuffer handle, VkPipelineStageFlags from,
                                VkPipelineStageFlags to, VkDependencyFlags flags,
                                uint32_t memory_count, const VkMemoryBarrier *memories,
                                uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                                uint32_t image_count, const VkImageMemoryBarrier *images)
{
    AROUND(vkCmdPipelineBarrier, order(c, from, to), (void)0, handle, from, to, flags, memory_count,
           memories, buffer_count, buffers, image_count, images);
}

#define HOOK_BARRIER_2(name)                                                \
    void trace_##name(VkCommandBuffer handle, const VkDependencyInfo *info) \
    {                                                                       \
        AROUND(name, order_by(c, info), (void)0, handle, info);             \
    }
HOOK_BARRIER_2(vkCmdPipelineBarrier2)
HOOK_BARRIER_2(vkCmdPipelineBarrier2KHR)

/* ---- secondary command buffers ---- */

static void execute(commands *c, commands *secondary)
{
    execution *list =
        kt_make_room(c->executions, &c->execution_room, c->execution_count + 1, sizeof *list);
    if (!list) {
        tracer_gap("a secondary command buffer is not traced: out of memory", 1);
        return;
    }
    c->executions = list;
    uint8_t open = 0, left = 0;
    for (int i = 0; i < WORK_CLASSES; i++) {
        open |= c->open[i];
        left |= secondary->open[i] & WORK_ALL;
    }
    list[c->execution_count++] = (execution){secondary, open};
    for (int i = 0; i < WORK_CLASSES; i++)
        c->open[i] |= left;
    if (left) /* of the secondary one, whose spans serve other primary ones, too */
        memset(c->latest, 0, sizeof c->latest);
}

void trace_vkCmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
                                const VkCommandBuffer *secondaries)
{
    commands *c = commands_find(handle);
    for (uint32_t i = 0; c && i < count; i++) {
        commands *secondary = commands_find(secondaries[i]);
        if (secondary)
            execute(c, secondary);
    }
    device_of(handle)->next.vkCmdExecuteCommands(handle, count, secondaries);
}
