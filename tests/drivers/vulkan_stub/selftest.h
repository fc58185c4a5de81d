/* What the two files of the selftest share. */
#ifndef VULKAN_STUB_SELFTEST_H
#define VULKAN_STUB_SELFTEST_H

#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stub is opened at run time, as kerntime opens it. */
struct api {
#define API_MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    ALL_ENTRIES(API_MEMBER)
#undef API_MEMBER
};

extern struct api vk;

enum { BYTES = 256, QUERIES = 4 };

/* A buffer that the host sees, if there is a type that it sees. */
struct room {
    VkBuffer buffer;
    VkDeviceMemory memory;
    unsigned char *host;
};

struct world {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries;
    struct room a, b;
};

/* Rooms of memory type `type`. */
void world_open(struct world *world, uint32_t type);
void world_close(struct world *world);

void begin(const struct world *world);
void copy(const struct world *world, VkBuffer src, VkBuffer dst);
/* To whatever comes next, and to the host. */
void barrier(const struct world *world);
void timestamp(const struct world *world, VkPipelineStageFlagBits stage, uint32_t query);
VkResult submit(const struct world *world);
/* Ends, submits and waits. */
void run(const struct world *world);
/* Both timestamps of the first two queries, with their availability. */
VkResult results(const struct world *world, uint64_t values[4]);

struct test_case {
    const char *script; /* KT_STUB_VULKAN */
    void (*run)(struct world *world);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
    uint32_t type;      /* of the memory */
};

extern const struct test_case cases[]; /* ends with run == NULL */

#endif
