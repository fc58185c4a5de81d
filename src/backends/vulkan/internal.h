/* internal.h - the state of a Vulkan device, and its error texts. */
#ifndef KT_VULKAN_INTERNAL_H
#define KT_VULKAN_INTERNAL_H

#include "backend.h"
#include "backends/vulkan/api.h"
#include "backends/vulkan/spirv.h"
#include "support/dl.h"
#include "support/thread.h"

#include <stdatomic.h>

/* A device that can compute, and the family of queues that does. */
typedef struct vulkan_place {
    VkPhysicalDevice device;
    uint32_t version; /* of the API, that instance and device both know */
    uint32_t family;
    uint32_t stamp_bits; /* width of the family's stamps; 0: it gives none */
} vulkan_place;

typedef struct vulkan_lib {
    vulkan_api api;
    VkInstance instance;
    uint32_t version; /* of the API, that the instance was made for */
    vulkan_place *places;
} vulkan_lib;

/* Whether the call reads the clock that is behind the stamps. */
enum { VULKAN_NOT_CHECKED, VULKAN_AGREES, VULKAN_DISAGREES, VULKAN_FAILS };

/* A call that reads the device's clock: VK_KHR_calibrated_timestamps, or EXT. */
typedef struct vulkan_timer {
    const char *extension;        /* which it comes from; NULL: the device has none */
    const char *domains, *stamps; /* the names of its functions */
    bool here;
    bool gives_raw; /* it can read the host's clock in the same call */
    vulkan_timer_api api;
    kt_mutex *mutex; /* one thread checks it, others wait */
    atomic_int checked;
} vulkan_timer;

/* Commands that are recorded, submitted and waited for by one thread at a time. */
typedef struct vulkan_commands {
    VkCommandPool pool;
    VkCommandBuffer buffer;
    VkFence fence;
} vulkan_commands;

typedef struct vulkan_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize bytes;
    void *host; /* where the host finds it; NULL where it cannot */
    void *heap; /* the process's own, of which the memory is a part; NULL: the driver's */
    bool coherent;
} vulkan_buffer;

/* A kernel with its memories. */
typedef struct vulkan_pipeline {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipeline pipeline;
    uint32_t push_bytes;
} vulkan_pipeline;

/* What flushing the device's caches needs; made when that is first asked for. */
typedef struct vulkan_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    vulkan_buffer buffer;
    VkShaderModule module;
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
    kt_mutex *queue_mutex; /* a queue is for one thread at a time */
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceSize heap_alignment;         /* of what the driver takes of the process's memory */
    uint32_t capabilities;               /* those of spirv_capability that it was made with */
    VkPipelineStageFlagBits first_stage; /* of a step's first stamp */
    bool on_host;                        /* its kernels run on the host's cores */
    kt_host_clock host;
    vulkan_timer timer;
    vulkan_commands transfer; /* for set-up and checking, one at a time */
    vulkan_buffer staging;    /* between the host and memory that it cannot see; made when needed */
    vulkan_caches caches;
} vulkan_device;

typedef struct vulkan_memory {
    vulkan_device *device;
    vulkan_buffer buffer;
} vulkan_memory;

typedef struct vulkan_program {
    vulkan_device *device;
    VkShaderModule module;
    char *entry;
    spirv_kernel kernel;
} vulkan_program;

/* A step with what recording it needs. */
typedef struct vulkan_step {
    const kt_backend_step *desc;
    vulkan_pipeline pipeline;
    unsigned char *push; /* push constants */
} vulkan_step;

typedef struct vulkan_job {
    vulkan_device *device;
    vulkan_step *steps;
    uint32_t step_count;
    vulkan_commands commands[2]; /* without and with stamps, ... */
    uint32_t recorded[2];        /* ... recorded for that many trials; 0: not yet */
    int latest;                  /* which of them was submitted last */
    VkQueryPool queries;         /* two for each step; none where the device gives no stamps */
    uint64_t *results;           /* room for their values, each with its availability */
} vulkan_job;

/* The program's own device. */
typedef struct vulkan_native {
    vulkan_native_api api;
    VkDevice device;
    bool resets;     /* queries from the host */
    bool not_beside; /* queries are not to be asked while another thread submits */
} vulkan_native;

/* Two queries for each span. */
typedef struct vulkan_recording {
    const vulkan_native *native;
    VkQueryPool queries;
    uint32_t query_count;
    VkCommandBuffer commands; /* of the program */
    uint64_t *results;        /* room for their values, each with its availability */
    bool has_shown;           /* a stamp, so that its queries were reset at some time */
} vulkan_recording;

/* "VK_ERROR_DEVICE_LOST", or "unknown code". */
const char *vulkan_code_name(VkResult code);
/* Fails with the call and its code in the text. */
kt_status vulkan_fail(const char *call, VkResult code);

/* The clock of a family's stamps. */
kt_clock_info vulkan_clock(const VkPhysicalDeviceLimits *limits, uint32_t bits);
/* What the queries 2 * pair and 2 * pair + 1 say; each result is a value and whether it is
 * there. */
kt_stamp vulkan_stamp_of(const uint64_t *results, uint32_t pair);

/* Opens the loader: from then on there is the function that finds all others. */
kt_status vulkan_open(vulkan_lib *lib);
/* The functions of lib->instance. */
kt_status vulkan_load_instance(vulkan_lib *lib);
/* The functions of a device, as far as the driver has them. KT_DRIVER_ERROR names one that it
 * lacks. */
kt_status vulkan_load_device(const vulkan_api *api, VkDevice device, const kt_dl_symbol *symbols,
                             size_t count, void *table);

/* The type of memory that a kind is of, out of those in `allowed` (a bit for each), if there is
 * one. KT_MEMORY_DEFAULT: any that the host sees. */
bool vulkan_find_kind(const VkPhysicalDeviceMemoryProperties *memory, uint32_t allowed,
                      kt_memory_kind kind, uint32_t *type);
/* Destroy it also after a failure. KT_MEMORY_DEFAULT: any that the host sees, for staging. */
kt_status vulkan_buffer_create(vulkan_device *device, kt_memory_kind kind, VkDeviceSize bytes,
                               vulkan_buffer *out);
void vulkan_buffer_destroy(vulkan_device *device, vulkan_buffer *buffer);

/* Destroy them also after a failure. What was submitted is waited for before anything else is
 * done. */
kt_status vulkan_commands_create(vulkan_device *device, vulkan_commands *out);
void vulkan_commands_destroy(vulkan_device *device, vulkan_commands *commands);
kt_status vulkan_commands_begin(vulkan_device *device, const vulkan_commands *commands);
kt_status vulkan_commands_end(vulkan_device *device, const vulkan_commands *commands);
/* All that came before is done and seen by what comes after. */
void vulkan_barrier(const vulkan_device *device, VkCommandBuffer buffer);
/* The same for what the host reads after the end. */
void vulkan_barrier_to_host(const vulkan_device *device, VkCommandBuffer buffer);
kt_status vulkan_commands_submit(vulkan_device *device, const vulkan_commands *commands);
/* KT_OK, KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY: they have ended, whatever went wrong.
 * KT_TIMEOUT. */
kt_status vulkan_commands_wait(vulkan_device *device, const vulkan_commands *commands,
                               int64_t timeout_ns);

/* What a pipeline is made of. */
typedef struct vulkan_pipeline_desc {
    VkShaderModule module;
    const char *entry;
    const vulkan_buffer *const *buffers; /* at the bindings 0, 1, ... */
    uint32_t buffer_count;
    uint32_t push_bytes;
    const uint32_t *group_size;
} vulkan_pipeline_desc;

/* Destroy it also after a failure. */
kt_status vulkan_pipeline_create(vulkan_device *device, const vulkan_pipeline_desc *desc,
                                 vulkan_pipeline *out);
void vulkan_pipeline_destroy(vulkan_device *device, vulkan_pipeline *pipeline);
void vulkan_pipeline_bind(const vulkan_device *device, VkCommandBuffer buffer,
                          const vulkan_pipeline *pipeline, const void *push);
kt_status vulkan_module_create(vulkan_device *device, const uint32_t *words, size_t bytes,
                               VkShaderModule *out);

/* Whether a device has an extension, or the loader if `device` is NULL. KT_NO_MEMORY. */
kt_status vulkan_find_extension(const vulkan_api *api, VkPhysicalDevice device, const char *name,
                                bool *found);

/* The extension that the device is to be made with for its timer. */
kt_status vulkan_timer_find(vulkan_device *device, const vulkan_lib *lib);
/* After the device was made with that extension. */
kt_status vulkan_timer_init(vulkan_device *device, const vulkan_lib *lib);
void vulkan_timer_fini(vulkan_device *device);

kt_status vulkan_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status vulkan_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host);
void vulkan_device_fini(void *device);
kt_status vulkan_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);

kt_status vulkan_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void vulkan_memory_fini(void *memory);
kt_status vulkan_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns);
kt_status vulkan_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns);

kt_status vulkan_program_init(void *program, void *device, const kt_program_desc *desc);
void vulkan_program_fini(void *program);

kt_status vulkan_job_init(void *job, void *device, const kt_backend_job *desc);
void vulkan_job_fini(void *job);
kt_status vulkan_job_flush_caches(void *job, int64_t timeout_ns);
kt_status vulkan_job_submit(void *job, bool stamped, uint32_t trials);
kt_status vulkan_job_wait(void *job, int64_t timeout_ns);
kt_status vulkan_job_read(void *job, kt_stamp *stamps);

kt_status vulkan_native_init(void *native, const void *desc, kt_clock_info *clocks);
kt_status vulkan_recording_init(void *recording, void *native, uint32_t spans_max);
void vulkan_recording_fini(void *recording);
kt_status vulkan_recording_begin(void *recording, void *commands, uint32_t usage);
kt_status vulkan_recording_stamp(void *recording, uint32_t span, bool end);
kt_status vulkan_recording_read(void *recording, uint32_t count, bool beside, kt_stamp *stamps);

kt_status vulkan_caches_init(vulkan_device *device);
void vulkan_caches_fini(vulkan_device *device);

#endif
