/* internal.h - the state of a Metal device, and what the files of this folder share. */
#ifndef KT_METAL_INTERNAL_H
#define KT_METAL_INTERNAL_H

#include "backend.h"
#include "backends/metal/samples.h"
#include "backends/metal/trial.h"

#include <math.h>

#define METAL_DEVICES_MAX 16

typedef struct metal_lib {
    metal_api api;
    objc_id devices[METAL_DEVICES_MAX];
    uint32_t device_count;
} metal_lib;

/* Numbers of the clocks of a device with samples; one without has that of command buffers alone. */
enum { METAL_GPU_CLOCK = 0 };

/* What flushing the device's caches needs; made when that is first asked for. */
typedef struct metal_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    objc_id buffer, pipeline;
    uint32_t line_count;
} metal_caches;

typedef struct metal_device {
    const metal_api *api;
    objc_id device; /* the library's */
    const kt_device_info *info;
    kt_host_clock host;
    bool is_hung; /* while it was opened: nothing is released */
    metal_work work;
    metal_pairs pairs;
    metal_sampling sampling;
    metal_samples samples;
    objc_id staging; /* between the host and memory that it cannot see; NULL: there was none yet */
    metal_caches caches;
} metal_device;

typedef struct metal_memory {
    metal_device *device;
    kt_memory_kind kind;
    objc_id buffer;
    char *address; /* for the host; NULL: it cannot see it */
    void *heap;    /* ours, under a buffer of kind heap */
    size_t heap_bytes;
} metal_memory;

typedef struct metal_program {
    metal_device *device;
    objc_id pipeline;
    char *entry;
    size_t max_threads; /* of a group */
} metal_program;

typedef struct metal_job {
    metal_device *device;
    const kt_backend_step *steps;
    uint32_t step_count;
    bool has_copies;
    objc_id queue, own_queue; /* that of the device, or the job's own */
    objc_id fence;            /* between the steps; NULL: there is but one */
    metal_strategy strategy;  /* of the next stamped submission */
    /* The latest submission. */
    bool stamped;
    metal_strategy stamped_by;
    uint32_t trials;
    objc_id *commands; /* retained until it was read; room for one of each step */
    uint32_t commands_count;
    metal_range *ranges; /* each for METAL_STEPS of the steps */
    uint32_t range_count;
    uint64_t *values; /* of one range */
    /* submissions by samples, the latest ones, with more bad stamps than good ones */
    uint32_t bad_in_row;
} metal_job;

/* Steps whose two samples one buffer has room for. */
#define METAL_STEPS (METAL_SAMPLES / 2)

/* Between two messages, everything that a slot of the contract does: what is answered on the way
 * goes with it. */
#define METAL_WITHIN_POOL(api, status, call) \
    do {                                     \
        void *pool_ = metal_pool_push(api);  \
        (status) = (call);                   \
        metal_pool_pop(api, pool_);          \
    } while (0)

/* ---- clocks ---- */

/* Both have no period, width or domain told but what is said here: the core finds them. */
static inline kt_clock_info metal_gpu_clock(void)
{
    return (kt_clock_info){.name = "gpu",
                           .method = KT_METHOD_DEVICE_TIMESTAMP,
                           .period_ns = NAN,
                           .frequency_hz = NAN,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN};
}

/* GPUStartTime and GPUEndTime, seconds as double, turned into ticks of 1 ns. */
static inline kt_clock_info metal_commands_clock(void)
{
    return (kt_clock_info){.name = "command-buffer",
                           .method = KT_METHOD_COMMAND_BUFFER,
                           .period_ns = 1,
                           .frequency_hz = NAN,
                           .valid_bits = 64,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN,
                           .period_source = KT_SOURCE_TOLD};
}

/* ---- device.c ---- */

/* Whether the GPU's memory is the host's. Where that is not told, before macOS 10.15, it is so of
 * GPUs of low power and of Apple's. */
bool metal_is_unified(const metal_api *api, objc_id device);
/* Number of the clock of command buffers. */
uint32_t metal_commands_index(const metal_device *device);

/* ---- memory.c ---- */

/* What is copied is a multiple of this, on macOS. */
#define METAL_WORD 4
/* Memory of the process that a buffer lies over is of whole pages: those of arm64, which are the
 * larger ones. */
#define METAL_PAGE 16384

/* A buffer of whole words, of METAL_STORAGE_SHARED or _PRIVATE. Owned. KT_NO_MEMORY. */
kt_status metal_buffer_create(const metal_device *device, size_t bytes, size_t options,
                              objc_id *out);

/* ---- slots of the contract ---- */

kt_status metal_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status metal_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                            const kt_device_info *info, const kt_host_clock *host);
void metal_device_fini(void *device);
void metal_device_found(void *device, kt_device_info *info);
kt_status metal_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);

kt_status metal_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void metal_memory_fini(void *memory);
kt_status metal_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                            int64_t timeout_ns);
kt_status metal_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                             int64_t timeout_ns);

kt_status metal_program_init(void *program, void *device, const kt_program_desc *desc);
void metal_program_fini(void *program);

kt_status metal_job_init(void *job, void *device, const kt_backend_job *desc);
void metal_job_fini(void *job);
kt_status metal_job_submit(void *job, bool stamped, uint32_t trials);
kt_status metal_job_wait(void *job, int64_t timeout_ns);
kt_status metal_job_flush_caches(void *job, int64_t timeout_ns);
kt_status metal_job_read(void *job, kt_stamp *stamps);

kt_status metal_caches_init(metal_caches *caches);
void metal_caches_fini(const metal_api *api, metal_caches *caches);

#endif
