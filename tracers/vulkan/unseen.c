/* SPDX-License-Identifier: MIT */
/* unseen.c - commands that are not timed: a line at the end names those that the program uses.
 * Their parameters are plain pointers, since older headers lack the types. */
#include "tracers/vulkan/layer.h"

#include <string.h>

#define BELOW(d, name) ((name##_type)(d)->unseen[UNSEEN_##name])

#define HOOK_UNSEEN(name, type)                                                      \
    typedef void(VKAPI_PTR * name##_type)(VkCommandBuffer handle, type what);        \
    static VKAPI_ATTR void VKAPI_CALL hook_##name(VkCommandBuffer handle, type what) \
    {                                                                                \
        tracer_gap(#name " is not traced", 1);                                       \
        BELOW(device_of(handle), name)(handle, what);                                \
    }
#define HOOK_UNSEEN_NUMBER(name)                                                           \
    typedef void(VKAPI_PTR * name##_type)(VkCommandBuffer handle, uint32_t number,         \
                                          const void *what);                               \
    static VKAPI_ATTR void VKAPI_CALL hook_##name(VkCommandBuffer handle, uint32_t number, \
                                                  const void *what)                        \
    {                                                                                      \
        tracer_gap(#name " is not traced", 1);                                             \
        BELOW(device_of(handle), name)(handle, number, what);                              \
    }

HOOK_UNSEEN(vkCmdTraceRaysIndirect2KHR, VkDeviceAddress)
HOOK_UNSEEN(vkCmdCopyAccelerationStructureKHR, const void *)
HOOK_UNSEEN(vkCmdCopyAccelerationStructureToMemoryKHR, const void *)
HOOK_UNSEEN(vkCmdCopyMemoryToAccelerationStructureKHR, const void *)
HOOK_UNSEEN(vkCmdCopyMicromapEXT, const void *)
HOOK_UNSEEN(vkCmdCopyMicromapToMemoryEXT, const void *)
HOOK_UNSEEN(vkCmdCopyMemoryToMicromapEXT, const void *)
HOOK_UNSEEN(vkCmdDecodeVideoKHR, const void *)
HOOK_UNSEEN(vkCmdEncodeVideoKHR, const void *)
HOOK_UNSEEN_NUMBER(vkCmdBuildMicromapsEXT)
HOOK_UNSEEN_NUMBER(vkCmdExecuteGeneratedCommandsNV)
HOOK_UNSEEN_NUMBER(vkCmdExecuteGeneratedCommandsEXT)

typedef PFN_vkQueueBindSparse vkQueueBindSparse_type;
static VKAPI_ATTR VkResult VKAPI_CALL hook_vkQueueBindSparse(VkQueue handle, uint32_t count,
                                                             const VkBindSparseInfo *infos,
                                                             VkFence fence)
{
    tracer_gap("vkQueueBindSparse is not traced", 1);
    return BELOW(device_of(handle), vkQueueBindSparse)(handle, count, infos, fence);
}

/* A shader object takes the place of the pipeline, and has no name. */
typedef void(VKAPI_PTR *vkCmdBindShadersEXT_type)(VkCommandBuffer handle, uint32_t count,
                                                  const VkShaderStageFlagBits *stages,
                                                  const void *shaders);
static VKAPI_ATTR void VKAPI_CALL hook_vkCmdBindShadersEXT(VkCommandBuffer handle, uint32_t count,
                                                           const VkShaderStageFlagBits *stages,
                                                           const void *shaders)
{
    commands *c = commands_find(handle);
    for (uint32_t i = 0; c && i < count; i++)
        if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT)
            c->bound[0] = NULL;
    BELOW(device_of(handle), vkCmdBindShadersEXT)(handle, count, stages, shaders);
}

static const struct {
    const char *name;
    PFN_vkVoidFunction hook;
} hooks[UNSEEN_COUNT] = {
#define HOOK(name) [UNSEEN_##name] = {#name, (PFN_vkVoidFunction)hook_##name},
    LAYER_UNSEEN(HOOK)
#undef HOOK
};

void unseen_load(device *d)
{
    for (int i = 0; i < UNSEEN_COUNT; i++)
        d->unseen[i] = d->next.vkGetDeviceProcAddr(d->handle, hooks[i].name);
}

PFN_vkVoidFunction unseen_hook(const char *name)
{
    for (int i = 0; i < UNSEEN_COUNT; i++)
        if (strcmp(hooks[i].name, name) == 0)
            return hooks[i].hook;
    return NULL;
}
