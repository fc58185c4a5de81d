/* SPDX-License-Identifier: MIT */
/* instance.h - what the Vulkan programs of the tests share: an instance, and what the validation
 * layer says of it. */
#ifndef TESTS_TRACERS_VULKAN_INSTANCE_H
#define TESTS_TRACERS_VULKAN_INSTANCE_H

#define VK_NO_PROTOTYPES
#include <stdbool.h>
#include <vulkan/vulkan.h>

extern VkInstance instance;
extern VkPhysicalDevice physical; /* the first one */
extern bool is_checked;           /* messages of the validation layer are counted */

/* A function of the instance, or before there is one. */
PFN_vkVoidFunction instance_function(const char *name);
#define OF_INSTANCE(name) ((PFN_##name)instance_function(#name))

/* Ends the program unless `good`. */
void expect(bool good, const char *what);
#define EXPECT(call) expect((call) == VK_SUCCESS, #call)

/* Ends the program with 77 if there is no loader or device. */
void open_instance(uint32_t version, bool checked);
void close_instance(void);
/* Prints the number of messages, and returns the exit code. */
int tell_messages(void);

#endif
