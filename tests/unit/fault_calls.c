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
    VULKAN_DEVICE_OPTIONAL(NAME)
    VULKAN_NATIVE_OPTIONAL(NAME)
    "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", "vkGetCalibratedTimestampsEXT"};
/* clang-format on */
#define COUNT (sizeof names / sizeof names[0])
static const char *const timer_names[] = {VULKAN_NATIVE(NAME) VULKAN_NATIVE_OPTIONAL(NAME)};

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
    {"vkResetQueryPool", "it answers nothing"},
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

static bool has_failed(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return failed[i];
    return false;
}

static unsigned print_wrong(const char *const *list, size_t count)
{
    unsigned wrong = 0, hit = 0;
    for (size_t i = 0; i < count; i++) {
        const char *why = reason(list[i]);
        bool has = has_failed(list[i]);
        hit += has;
        if (has != !why) {
            printf("%s %s\n", list[i], why ? "failed, which it could not" : "never failed");
            wrong++;
        }
    }
    printf("%u of %zu functions have failed, each at least once\n", hit, count);
    return wrong;
}

unsigned fault_calls_print_wrong(void)
{
    return print_wrong(names, COUNT);
}

unsigned fault_calls_print_wrong_of_timers(void)
{
    return print_wrong(timer_names, sizeof timer_names / sizeof timer_names[0]);
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

unsigned fault_calls_print_wrong_of_timers(void)
{
    return 0;
}
#endif
