#include "fault_calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if KT_HAVE_VULKAN
#include "backends/vulkan/api.h"

#define NAME(name) #name,
/* clang-format off */
static const char *const names[] = {
    VULKAN_GLOBAL(NAME)
    VULKAN_GLOBAL_OPTIONAL(NAME)
    VULKAN_INSTANCE(NAME)
    VULKAN_INSTANCE_OPTIONAL(NAME)
    VULKAN_DEVICE(NAME)
    "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", "vkGetCalibratedTimestampsEXT"};
/* clang-format on */
#define COUNT (sizeof names / sizeof names[0])

static bool failed[COUNT];

void fault_calls_note(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        failed[i] |= strcmp(names[i], name) == 0;
}

/* Those that cannot fail, by how their names begin. */
static const struct {
    const char *begin, *why;
} sure[] = {
    {"vkCmd", "it answers nothing"},
    {"vkDestroy", "it answers nothing"},
    {"vkFreeMemory", "it answers nothing"},
    {"vkGetPhysicalDeviceProperties", "it answers nothing"},
    {"vkGetPhysicalDeviceFeatures", "it answers nothing"},
    {"vkGetPhysicalDeviceQueueFamilyProperties", "it answers nothing"},
    {"vkGetPhysicalDeviceMemoryProperties", "it answers nothing"},
    {"vkGetBufferMemoryRequirements", "it answers nothing"},
    {"vkGetDeviceQueue", "it answers nothing"},
    {"vkUpdateDescriptorSets", "it answers nothing"},
    {"vkGetDeviceProcAddr", "it answers a function, or that there is none"},
    {"vkGetFenceStatus", "devices that run on the CPU are waited for, not asked"},
    {"vkFlushMappedMemoryRanges", "all memory of such devices is coherent"},
    {"vkInvalidateMappedMemoryRanges", "all memory of such devices is coherent"},
};

static const char *reason(const char *name)
{
    for (size_t i = 0; i < sizeof sure / sizeof sure[0]; i++)
        if (strncmp(name, sure[i].begin, strlen(sure[i].begin)) == 0)
            return sure[i].why;
    return NULL;
}

unsigned fault_calls_print_wrong(void)
{
    unsigned wrong = 0, hit = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const char *why = reason(names[i]);
        hit += failed[i];
        if (failed[i] != !why) {
            printf("%s %s\n", names[i], why ? "failed, which it could not" : "never failed");
            wrong++;
        }
    }
    printf("%u of %zu functions have failed, each at least once\n", hit, COUNT);
    return wrong;
}
#else
void fault_calls_note(const char *name)
{
    (void)name;
}

unsigned fault_calls_print_wrong(void)
{
    return 0;
}
#endif
