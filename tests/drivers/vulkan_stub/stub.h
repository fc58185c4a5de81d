/* SPDX-License-Identifier: MIT */
/* What every file of the stub shares: entering a call, objects with their lifetimes, and misuse. */
#ifndef VULKAN_STUB_H
#define VULKAN_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/frame/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BINDINGS_MAX = 16, SETS_MAX = 4, ATOM_BYTES = 64, EXTENSIONS_MAX = 4 };

/* ---- calls ---- */

/* Enters the call; the error that the script wants of it, or VK_SUCCESS. `alone`: what no two
 * threads may use at once, or NULL. */
VkResult stub_enter(enum entry entry, const void *alone);
void stub_leave(const VkResult *code);

/* Until the function returns. */
#define ENTER_VOID(name, alone)                                                             \
    VkResult forced __attribute__((cleanup(stub_leave))) = stub_enter(ENTRY_##name, alone); \
    (void)forced
/* Returns the error that the script wants. */
#define ENTER_ALONE(name, alone) \
    ENTER_VOID(name, alone);     \
    if (forced != VK_SUCCESS)    \
    return forced
#define ENTER(name) ENTER_ALONE(name, NULL)

/* The struct's type is what its place says. */
#define EXPECT_TYPE(info, type) \
    EXPECT_USE((info)->sType == (type), "sType of %s is %d", #info, (int)(info)->sType)

/* ---- objects ---- */

enum kind {
    KIND_INSTANCE,
    KIND_PHYSICAL,
    KIND_DEVICE,
    KIND_QUEUE,
    KIND_MEMORY,
    KIND_BUFFER,
    KIND_SHADER,
    KIND_SET_LAYOUT,
    KIND_LAYOUT,
    KIND_PIPELINE,
    KIND_SET_POOL,
    KIND_SET,
    KIND_COMMAND_POOL,
    KIND_COMMANDS,
    KIND_FENCE,
    KIND_QUERIES,
    KIND_COUNT
};

/* Any handle as the object behind it. */
#define OBJECT(handle)       ((void *)(uintptr_t)(handle))
#define HANDLE(type, object) ((type)(uintptr_t)(object))
#define USE(handle, kind)    object_use(OBJECT(handle), kind)

/* A part of the device. */
void *stub_create(VkDevice device, enum kind kind, size_t bytes);
/* For functions that list things: how many of those that are there are written to `out`. */
uint32_t stub_fit(uint32_t *count, const void *out, uint32_t there);

struct physical {
    struct object base;
    uint32_t index;
};

struct instance {
    struct object base;
    struct physical *physical[DEVICES_MAX];
};

/*
 * Epochs: a barrier begins the next one. What a memory was last used in is kept with it, so two
 * uses in one epoch have no barrier between them.
 */
struct queue {
    struct object base;
    uint32_t family;
    bool stuck;                            /* by a submission that never completes */
    uint64_t order_epoch;                  /* begun by any barrier */
    uint64_t write_epoch;                  /* by one that makes writes visible */
    uint64_t host_epoch;                   /* by one that makes them visible to the host */
    struct submission *open;               /* that nobody saw complete */
    struct submission *held, *newest_held; /* in order, not executed to their end */
};

struct device {
    struct object base;
    struct queue *queue;
    uint32_t family;
    bool calibrated, resets_queries, takes_host_pointers;
};

struct memory {
    struct object base;
    uint32_t type;
    VkDeviceSize bytes;
    struct block *blocks[3]; /* with its contents */
    unsigned char *data;     /* what the device sees */
    /* What the host sees, and what that was when they were last made equal: `data`, unless the type
     * is not coherent. */
    unsigned char *host, *synced;
    unsigned char *imported; /* the process's own, in place of one of them */
    bool mapped;
    uint64_t host_epoch; /* when the device wrote it; 0: not yet */
    VkDeviceSize map_offset, map_bytes;
};

struct buffer {
    struct object base;
    VkDeviceSize bytes, offset;
    VkBufferUsageFlags usage;
    bool of_host_pointers; /* it may be bound to such memory, and to no other */
    struct memory *memory;
    uint64_t write_epoch, read_epoch; /* when the device did so; 0: not yet */
};

struct set_layout {
    struct object base;
    uint32_t count, end;                  /* of bindings; the highest, plus one */
    VkDescriptorType types[BINDINGS_MAX]; /* 0: there is none */
};

struct layout {
    struct object base;
    uint32_t set_bindings; /* of set 0 */
    uint32_t push_bytes;
};

struct shader {
    struct object base;
    const group_kernel *kernel; /* NULL: unknown */
    uint32_t *words;
    size_t count;
};

struct pipeline {
    struct object base;
    const group_kernel *kernel;
    uint32_t push_bytes, set_bindings, group_size[3];
};

struct descriptor {
    struct buffer *buffer;
    VkDeviceSize offset, range;
};

struct set_pool {
    struct object base;
    uint32_t sets, descriptors, sets_max, descriptors_max;
};

struct set {
    struct object base;
    uint32_t count;
    VkDescriptorType types[BINDINGS_MAX];
    struct descriptor descriptors[BINDINGS_MAX];
    uint64_t version;
};

struct fence {
    struct object base;
    bool signalled;
    uint64_t late;                 /* how often it will still be asked in vain */
    struct submission *submission; /* until somebody saw it complete */
};

struct query {
    uint64_t ticks, late;
    bool never; /* will never be available */
    enum { QUERY_UNDEFINED, QUERY_RESET, QUERY_WRITING, QUERY_WRITTEN } state;
};

struct queries {
    struct object base;
    uint32_t count;
    struct query *queries;
};

struct command_pool {
    struct object base;
    uint32_t family;
    VkCommandPoolCreateFlags flags;
};

enum op { OP_COPY, OP_BARRIER, OP_TIMESTAMP, OP_RESET, OP_DISPATCH };

struct command {
    enum op op;
    struct buffer *src, *dst;
    VkDeviceSize src_offset, dst_offset, bytes;
    uint32_t first, count; /* of queries */
    struct queries *queries;
    VkPipelineStageFlags stage; /* of a timestamp */
    bool visible, to_host;      /* what a barrier does with writes */
    struct pipeline *pipeline;
    struct set *set;
    uint64_t set_version;
    uint32_t groups[3], push_bytes;
    unsigned char push[PUSH_MAX];
};

struct commands {
    struct object base;
    struct command_pool *pool;
    enum { COMMANDS_INITIAL, COMMANDS_RECORDING, COMMANDS_READY, COMMANDS_INVALID } state;
    VkCommandBufferUsageFlags flags;
    struct command *list;
    uint32_t count, room;
    struct command bound; /* pipeline, set and push constants as of now */
};

/* NULL: unknown. */
const group_kernel *kernel_find(const uint32_t *words, size_t bytes);

/* ---- what the device is (physical.c) ---- */

/* How many there are, and their names. */
uint32_t device_extensions(const char *names[EXTENSIONS_MAX]);
uint32_t memory_type_count(void);
VkMemoryPropertyFlags memory_type_flags(uint32_t type);
uint32_t family_bits(uint32_t family);
VkQueueFlags family_flags(uint32_t family);

/* ---- execution ---- */

/* `worked` is kept from command to command of one buffer: whether any did since the latest
 * timestamp. */
void execute(const struct command *command, struct queue *queue, bool *worked);
void reset_queries(struct queries *queries, uint32_t first, uint32_t count);
void begin_timestamp(const struct command *command); /* not needed before write_timestamp() */
void write_timestamp(const struct command *command, const struct queue *queue, bool worked);
/* As many commands of the queue that was last submitted to. */
void execute_meanwhile(uint64_t commands);
/* The host sees something else where the device wrote, unless the memory is coherent. */
void memory_written(struct memory *memory, VkDeviceSize offset, VkDeviceSize bytes,
                    const struct queue *queue);

#endif
