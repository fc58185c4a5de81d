/* SPDX-License-Identifier: MIT */
/* internal.h - the state of a Vulkan device, and declarations shared by the files of this
 * folder. */
#ifndef KT_VULKAN_INTERNAL_H
#define KT_VULKAN_INTERNAL_H

#include "backend.h"
#include "backends/vulkan/api.h"
#include "backends/vulkan/spirv.h"
#include "support/dl.h"
#include "support/thread.h"

#include <stdatomic.h>

/* A physical device and its compute queue family. */
typedef struct vulkan_place {
    VkPhysicalDevice device;
    uint32_t version; /* highest API version of both instance and device */
    uint32_t family;
    uint32_t timestamp_bits; /* bits of the family's timestamps; 0: it has none */
} vulkan_place;

typedef struct vulkan_lib {
    vulkan_api api;
    VkInstance instance;
    uint32_t version; /* API version of the instance */
    vulkan_place *places;
} vulkan_lib;

/* Whether calibrated timestamps read the clock of the timestamp queries. */
enum { VULKAN_NOT_CHECKED, VULKAN_AGREES, VULKAN_DISAGREES, VULKAN_FAILS };

/* Calls that read the device's clock: VK_KHR_calibrated_timestamps, or EXT. */
typedef struct vulkan_timer {
    const char *extension;            /* extension to enable; NULL: not supported */
    const char *domains, *timestamps; /* names of the extension's functions */
    bool here;
    bool gives_raw; /* one call reads the device clock and CLOCK_MONOTONIC_RAW */
    vulkan_timer_api api;
    kt_mutex *mutex; /* one thread checks the timestamps, others wait */
    atomic_int checked;
} vulkan_timer;

/* A command buffer that one thread at a time records, submits and waits for. */
typedef struct vulkan_commands {
    VkCommandPool pool;
    VkCommandBuffer buffer;
    VkFence fence;
} vulkan_commands;

typedef struct vulkan_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize bytes;
    void *host; /* host address of the memory; NULL: not host-visible */
    void *heap; /* imported process memory; NULL: allocated by the driver */
    bool coherent;
} vulkan_buffer;

#define VULKAN_SETS_MAX 32 /* most descriptor sets of a kernel; no device known has more */

/* A kernel with its bound memories. */
typedef struct vulkan_pipeline {
    VkDescriptorSetLayout set_layouts[VULKAN_SETS_MAX];
    VkDescriptorSet sets[VULKAN_SETS_MAX]; /* of `pool`; those without a buffer are empty */
    uint32_t set_count;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkPipeline pipeline;
    uint32_t push_bytes;
} vulkan_pipeline;

/* A specialisation constant. */
typedef struct vulkan_constant {
    uint32_t id, bytes;
    uint64_t data; /* its first `bytes` bytes in memory are the value */
} vulkan_constant;

typedef struct vulkan_program {
    struct vulkan_device *device;
    VkShaderModule module;
    char *entry;
    spirv_kernel kernel;
    vulkan_constant *constants; /* as given, which may include the group's size */
    uint32_t constant_count;
    uint32_t group_size[3]; /* dimensions that the constants set; 0: the others */
} vulkan_program;

/* State for flushing the device's caches, created on first use. */
typedef struct vulkan_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    vulkan_buffer buffer;
    vulkan_program program;
    vulkan_pipeline pipeline;
    vulkan_commands commands;
    bool ready;
} vulkan_caches;

typedef struct vulkan_device {
    vulkan_device_api api;
    const kt_device_info *info;
    const vulkan_place *place;
    VkDevice device;
    VkQueue queue;
    kt_mutex *queue_mutex; /* one thread at a time may use a queue */
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceSize heap_alignment;         /* alignment of imported process memory */
    uint32_t capabilities;               /* spirv_capability bits enabled at creation */
    VkPipelineStageFlagBits first_stage; /* stage of a step's start timestamp */
    bool on_host;                        /* kernels run on the host's cores */
    kt_host_clock host;
    vulkan_timer timer;
    vulkan_commands transfer; /* for set-up and checks, one at a time */
    /* buffer for copies to and from memory that is not host-visible; created on first use */
    vulkan_buffer staging;
    vulkan_caches caches;
} vulkan_device;

typedef struct vulkan_memory {
    vulkan_device *device;
    vulkan_buffer buffer;
} vulkan_memory;

/* A step and the state to record it. */
typedef struct vulkan_step {
    const kt_backend_step *desc;
    vulkan_pipeline pipeline;
    unsigned char *push;     /* push constants */
    vulkan_memory *uniforms; /* buffers of values */
    uint32_t uniform_count;
} vulkan_step;

typedef struct vulkan_job {
    vulkan_device *device;
    vulkan_step *steps;
    uint32_t step_count;
    vulkan_commands commands[2]; /* [0] records no timestamps, [1] records them */
    uint32_t recorded[2];        /* trials in commands[i]; 0: not recorded yet */
    int latest;                  /* index of the last submitted `commands` */
    VkQueryPool queries;         /* two queries per step; null: no timestamps */
    uint64_t *results;           /* per query its value and its availability */
} vulkan_job;

/* A timer context over the program's device. */
typedef struct vulkan_timer_context {
    vulkan_timer_context_api api;
    VkDevice device;
    bool resets;     /* the host can reset queries */
    bool not_beside; /* do not read queries while another thread submits */
} vulkan_timer_context;

/* Spans recorded in one command buffer of the program, two queries each. */
typedef struct vulkan_recording {
    const vulkan_timer_context *context;
    VkQueryPool queries;
    uint32_t query_count;
    VkCommandBuffer commands; /* the program's command buffer, being recorded */
    uint64_t *results;        /* per query its value and its availability */
    bool has_shown;           /* a query returned a timestamp: the queries have been reset */
} vulkan_recording;

/* Returns the name of a VkResult, such as "VK_ERROR_DEVICE_LOST", or "unknown code". */
const char *kt_vulkan_code_name(VkResult code);
/* Fails with an error text that names the call and its code. */
kt_status kt_vulkan_fail(const char *call, VkResult code);

/* Describes the clock of a queue family's timestamps, which have `bits` bits. */
kt_clock_info kt_vulkan_clock(const VkPhysicalDeviceLimits *limits, uint32_t bits);
/* Returns start and end of a span from the results of queries 2 * pair and 2 * pair + 1. Each
 * result is a value and its availability. */
kt_timestamp kt_vulkan_timestamp_of(const uint64_t *results, uint32_t pair);

/* Opens the loader and finds vkGetInstanceProcAddr(). */
kt_status kt_vulkan_open(vulkan_lib *lib);
/* Loads the functions of lib->instance. */
kt_status kt_vulkan_load_instance(vulkan_lib *lib);
/* Loads the functions of a device. KT_DRIVER_ERROR names a required one that the driver lacks. */
kt_status kt_vulkan_load_device(const vulkan_api *api, VkDevice device, const char *names,
                                void *table);

/* Finds the memory type of a kind among `allowed`, one bit per type. KT_MEMORY_DEFAULT: any
 * host-visible type. Returns false if no type fits. */
bool kt_vulkan_find_kind(const VkPhysicalDeviceMemoryProperties *memory, uint32_t allowed,
                         kt_memory_kind kind, uint32_t *type);
/* Creates a buffer. Call kt_vulkan_buffer_destroy() also after a failure. KT_MEMORY_DEFAULT: any
 * host-visible memory, for staging. */
kt_status kt_vulkan_buffer_create(vulkan_device *device, kt_memory_kind kind, VkDeviceSize bytes,
                                  vulkan_buffer *out);
void kt_vulkan_buffer_destroy(vulkan_device *device, vulkan_buffer *buffer);

/* Creates a command buffer. Call kt_vulkan_commands_destroy() also after a failure. Wait for submitted
 * commands before any other call. */
kt_status kt_vulkan_commands_create(vulkan_device *device, vulkan_commands *out);
void kt_vulkan_commands_destroy(vulkan_device *device, vulkan_commands *commands);
kt_status kt_vulkan_commands_begin(vulkan_device *device, const vulkan_commands *commands);
kt_status kt_vulkan_commands_end(vulkan_device *device, const vulkan_commands *commands);
/* Makes earlier commands complete, and their writes visible, before later commands start. */
void kt_vulkan_barrier(const vulkan_device *device, VkCommandBuffer buffer);
/* Makes the writes of earlier commands visible to host reads after the commands have ended. */
void kt_vulkan_barrier_to_host(const vulkan_device *device, VkCommandBuffer buffer);
kt_status kt_vulkan_commands_submit(vulkan_device *device, const vulkan_commands *commands);
/* Waits for the commands. KT_TIMEOUT, or they have ended: KT_OK, KT_DEVICE_LOST, KT_DRIVER_ERROR,
 * KT_NO_MEMORY. */
kt_status kt_vulkan_commands_wait(vulkan_device *device, const vulkan_commands *commands,
                                  int64_t timeout_ns);

/* A buffer and its place. No two of a kernel have the same place. */
typedef struct vulkan_binding {
    uint32_t set, binding; /* below VULKAN_SETS_MAX and SPIRV_BINDINGS_MAX */
    VkDescriptorType type;
    VkBuffer buffer;
    VkDeviceSize offset, bytes; /* part of the buffer; 0 bytes: up to its end */
} vulkan_binding;

/* Description of a pipeline to create. */
typedef struct vulkan_pipeline_desc {
    const vulkan_program *program;
    const vulkan_binding *bindings;
    uint32_t binding_count;
    uint32_t push_bytes;
    const uint32_t *group_size; /* for the dimensions that the program's constants leave open */
} vulkan_pipeline_desc;

/* Creates a pipeline. Call kt_vulkan_pipeline_destroy() also after a failure. */
kt_status kt_vulkan_pipeline_create(vulkan_device *device, const vulkan_pipeline_desc *desc,
                                    vulkan_pipeline *out);
void kt_vulkan_pipeline_destroy(vulkan_device *device, vulkan_pipeline *pipeline);
void kt_vulkan_pipeline_bind(const vulkan_device *device, VkCommandBuffer buffer,
                             const vulkan_pipeline *pipeline, const void *push);

/* Finds out whether a device, or the loader if `device` is NULL, has an extension. KT_NO_MEMORY. */
kt_status kt_vulkan_find_extension(const vulkan_api *api, VkPhysicalDevice device, const char *name,
                                   bool *found);

/* Finds the extension to enable for the device's timer. */
kt_status kt_vulkan_timer_find(vulkan_device *device, const vulkan_lib *lib);
/* Loads the timer's functions. Call it after the device was created with the timer's extension. */
kt_status kt_vulkan_timer_init(vulkan_device *device, const vulkan_lib *lib);
void kt_vulkan_timer_fini(vulkan_device *device);

KT_DECLARE_SLOTS(vulkan)
KT_DECLARE_TIMER_SLOTS(vulkan)

kt_status kt_vulkan_caches_init(vulkan_device *device);
void kt_vulkan_caches_fini(vulkan_device *device);

#endif
