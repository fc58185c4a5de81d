/* What every file of the stub shares: entering a call, objects with their lifetimes, and misuse. */
#ifndef VULKAN_STUB_H
#define VULKAN_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/frame/report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BINDINGS_MAX = 16, PUSH_MAX = 256, ATOM_BYTES = 64, EXTENSIONS_MAX = 3 };

/* ---- calls ---- */

/* Counts the call; the error that the script wants of it, or VK_SUCCESS. */
VkResult stub_enter(enum entry entry);
/* Returns the error that the script wants. */
#define ENTER(name)                                 \
    do {                                            \
        VkResult forced = stub_enter(ENTRY_##name); \
        if (forced != VK_SUCCESS)                   \
            return forced;                          \
    } while (0)

/* The struct's type is what its place says. */
#define EXPECT_TYPE(info, type)                                                   \
    EXPECT_USE((info)->sType == (type), "%s: sType of %s is %d", __func__, #info, \
               (int)(info)->sType)

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

/* A destroyed object keeps its header until exit, so that a late use is found rather than
 * undefined. */
struct object {
    uintptr_t loader; /* the first word of a handle belongs to the loader */
    uint32_t magic;
    enum kind kind;
    atomic_bool alive;
    atomic_uint pending; /* submissions that use it, and that nobody saw complete */
    atomic_bool busy;    /* a call that may not run twice at once is inside */
    atomic_uint children;
    struct object *parent, *next;
    struct object *newest_child, *sibling;
    void *owned[4]; /* freed with the object */
};

/* Any handle as the object behind it. */
#define OBJECT(handle)       ((void *)(uintptr_t)(handle))
#define HANDLE(type, object) ((type)(uintptr_t)(object))

/* Zeroed; NULL when out of memory. `parent` may be NULL. */
void *object_create(enum kind kind, size_t bytes, void *parent);
/* NULL is nothing to destroy. `caller` is for the sentence. */
void object_destroy(void *object, enum kind kind, const char *caller);
/* The object if it is alive and of that kind, else NULL and a misuse. */
void *object_use(void *object, enum kind kind, const char *caller);
#define USE(handle, kind) object_use(OBJECT(handle), kind, __func__)
/* All objects of a pool go with it. */
void objects_destroy_children(void *parent, const char *caller);

/* Around a call that needs external synchronisation of an object. */
void object_lock(void *object, const char *caller);
void object_unlock(void *object);

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
    atomic_bool stuck;                     /* by a submission that never completes */
    uint64_t order_epoch;                  /* begun by any barrier */
    uint64_t write_epoch;                  /* by one that makes writes visible */
    _Atomic(uint64_t) host_epoch;          /* by one that makes them visible to the host */
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
    unsigned char *data; /* what the device sees */
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
    uint32_t count;
    uint32_t bindings[BINDINGS_MAX];
};

struct layout {
    struct object base;
    uint32_t set_count, set_bindings; /* bindings of set 0 */
    uint32_t push_bytes;
};

struct dispatch;

struct kernel {
    const char *name;
    const uint32_t *words;
    size_t bytes;
    uint32_t bindings, push_bytes;
    uint32_t written; /* a bit for each binding */
    /* False: a memory is too small. */
    bool (*run)(const struct dispatch *dispatch);
    const struct group_kernel *by_groups; /* of what runs by groups */
};

struct shader {
    struct object base;
    const struct kernel *kernel; /* NULL: unknown */
    uint32_t *words;
    size_t count;
};

struct pipeline {
    struct object base;
    const struct kernel *kernel;
    uint32_t push_bytes, set_bindings;
};

struct descriptor {
    struct buffer *buffer;
    VkDeviceSize offset, range;
};

struct set_pool {
    struct object base;
    uint32_t sets, descriptors, sets_max, descriptors_max;
    VkDescriptorPoolCreateFlags flags;
};

struct set {
    struct object base;
    struct set_pool *pool;
    uint32_t count;
    struct descriptor descriptors[BINDINGS_MAX];
    uint64_t version;
};

struct fence {
    struct object base;
    atomic_bool signalled;
    _Atomic(uint64_t) late;        /* how often it will still be asked in vain */
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
    pthread_mutex_t mutex; /* the device writes while the host asks */
    struct query *queries;
};

struct command_pool {
    struct object base;
    uint32_t family;
    VkCommandPoolCreateFlags flags;
    struct commands *newest;
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
    struct commands *older; /* of the same pool */
    enum { COMMANDS_INITIAL, COMMANDS_RECORDING, COMMANDS_READY, COMMANDS_INVALID } state;
    VkCommandBufferUsageFlags flags;
    struct command *list;
    uint32_t count, room;
    struct command bound; /* pipeline, set and push constants as of now */
};

/* What a kernel works on. */
struct dispatch {
    void *memories[BINDINGS_MAX];
    VkDeviceSize bytes[BINDINGS_MAX];
    const unsigned char *push;
    const struct kernel *kernel;
    uint32_t groups;
};

extern const struct kernel kernels[];
const struct kernel *kernel_find(const uint32_t *words, size_t bytes);

/* ---- what the device is (physical.c) ---- */

/* How many there are, and their names. */
uint32_t device_extensions(const char *names[EXTENSIONS_MAX]);
uint32_t memory_type_count(void);
VkMemoryPropertyFlags memory_type_flags(uint32_t type);
uint32_t family_bits(uint32_t family);
VkQueueFlags family_flags(uint32_t family);

/* ---- time (clock.c) ---- */

/* Ticks of the device's clock as of now, in its width. */
uint64_t clock_now(uint32_t bits);
/* The simulated clock moves on; others do so by themselves. */
void clock_advance(uint64_t ticks);
/* Some ticks of noise between two commands, so that they have no common step. */
void clock_advance_noise(void);

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
