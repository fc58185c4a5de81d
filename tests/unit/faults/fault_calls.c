/* SPDX-License-Identifier: MIT */
#include "tests/unit/faults/fault_calls.h"

#include "tests/unit/testing.h"

#include <stdio.h>

/* ---- what has failed ---- */

/* Names, each once. They live as long as the program. */
static const char *failed[512];
static size_t failed_count;

static bool has_failed(const char *name)
{
    for (size_t i = 0; i < failed_count; i++)
        if (strcmp(failed[i], name) == 0)
            return true;
    return false;
}

void fault_calls_note(const char *name)
{
    if (has_failed(name))
        return;
    if (failed_count == sizeof failed / sizeof failed[0])
        abort();
    failed[failed_count++] = name;
}

static const char *reason_of(const char *name, const fault_reason *sure)
{
    for (; sure->name; sure++) {
        size_t length = strlen(sure->name) - 1;
        if (sure->name[length] == '*' ? strncmp(name, sure->name, length) == 0
                                      : strcmp(name, sure->name) == 0)
            return sure->reason;
    }
    return NULL;
}

unsigned fault_calls_count_wrong(const char *const *names, size_t count, const fault_reason *sure)
{
    unsigned wrong = 0, hit = 0;
    for (size_t i = 0; i < count; i++) {
        const char *reason = reason_of(names[i], sure);
        bool has = has_failed(names[i]);
        hit += has;
        if (has != !reason) {
            printf("%s %s\n", names[i], reason ? "failed, which it could not" : "never failed");
            wrong++;
        }
    }
    printf("%u of %zu functions have failed, each at least once\n", hit, count);
    return wrong;
}

void fault_calls_expect_all(const char *const *names, size_t count)
{
    static const fault_reason none[] = {{NULL, NULL}};
    assert_int_equal(fault_calls_count_wrong(names, count, none), 0);
    assert_int_equal(failed_count, count);
}

/* ---- Vulkan ---- */

#if defined(KT_HAVE_VULKAN) && KT_HAVE_VULKAN
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
    VULKAN_TIMER_CONTEXT_OPTIONAL(NAME)
    "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", "vkGetCalibratedTimestampsEXT"};
/* clang-format on */
static const char *const timer_names[] = {VULKAN_TIMER_CONTEXT(NAME)
                                              VULKAN_TIMER_CONTEXT_OPTIONAL(NAME)};

/* Those that cannot fail. */
static const fault_reason sure[] = {
    {"vkCmd*", "it answers nothing"},
    {"vkDestroy*", "it answers nothing"},
    {"vkFreeMemory*", "it answers nothing"},
    {"vkGetPhysicalDeviceProperties*", "it answers nothing"},
    {"vkGetPhysicalDeviceFeatures*", "it answers nothing"},
    {"vkGetPhysicalDeviceQueueFamilyProperties*", "it answers nothing"},
    {"vkGetPhysicalDeviceMemoryProperties*", "it answers nothing"},
    {"vkGetBufferMemoryRequirements*", "it answers nothing"},
    {"vkGetDeviceQueue*", "it answers nothing"},
    {"vkUpdateDescriptorSets*", "it answers nothing"},
    {"vkResetQueryPool*", "it answers nothing"},
    {"vkGetDeviceProcAddr*", "it answers a function, or that there is none"},
    {"vkGetFenceStatus*", "devices that run on the CPU are waited for, not asked"},
    {"vkFlushMappedMemoryRanges*", "all memory of such devices is coherent"},
    {"vkInvalidateMappedMemoryRanges*", "all memory of such devices is coherent"},
    {NULL, NULL},
};

unsigned fault_calls_print_wrong(void)
{
    return fault_calls_count_wrong(names, sizeof names / sizeof names[0], sure);
}

unsigned fault_calls_print_wrong_of_timers(void)
{
    return fault_calls_count_wrong(timer_names, sizeof timer_names / sizeof timer_names[0], sure);
}
#else
unsigned fault_calls_print_wrong(void)
{
    return 0;
}

unsigned fault_calls_print_wrong_of_timers(void)
{
    return 0;
}
#endif
