/* SPDX-License-Identifier: MIT */
/* internal.h - the state of a Metal device, and declarations shared by the files of this folder. */
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

/* Clock numbers of a device with samples. A device without samples has only the command-buffer
 * clock. */
enum { METAL_GPU_CLOCK = 0 };

/* State for flushing the device's caches, created on first use. */
typedef struct metal_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    objc_id buffer, pipeline;
    uint32_t line_count;
} metal_caches;

typedef struct metal_device {
    const metal_api *api;
    objc_id device; /* owned by the library */
    const kt_device_info *info;
    kt_host_clock host;
    bool is_hung; /* opening the device timed out: release nothing */
    metal_work work;
    metal_pairs pairs;
    metal_sampling sampling;
    metal_samples samples;
    objc_id staging; /* buffer for copies to and from private memory; NULL until used */
    metal_caches caches;
} metal_device;

typedef struct metal_memory {
    metal_device *device;
    kt_memory_kind kind;
    objc_id buffer;
    char *address; /* host address of the memory; NULL: private memory */
    void *heap;    /* process memory of a KT_MEMORY_HEAP buffer, allocated here */
    size_t heap_bytes;
} metal_memory;

typedef struct metal_program {
    metal_device *device;
    objc_id library, pipeline;
    char *entry;
    size_t max_threads; /* most work-items per group of this kernel */
    size_t local_bytes; /* threadgroup memory that the text declares; 0: none, or unknown */
} metal_program;

typedef struct metal_job {
    metal_device *device;
    const kt_backend_step *steps;
    uint32_t step_count;
    bool has_copies;
    objc_id queue, own_queue; /* queue is the device's or own_queue */
    objc_id fence;            /* orders the steps; NULL for a single step */
    metal_strategy strategy;  /* timestamp source of the next timestamped submission */
    /* State of the latest submission. */
    bool timestamped;
    metal_strategy timestamped_by;
    uint32_t trials;
    objc_id *commands; /* retained until their times are read; up to one per step */
    uint32_t commands_count;
    metal_range *ranges; /* one range of samples per METAL_STEPS steps */
    uint32_t range_count;
    uint64_t *values; /* values of the samples of one range */
    /* number of consecutive submissions in which most sampled timestamps were bad */
    uint32_t bad_in_row;
} metal_job;

/* Steps per counter sample buffer, at two samples each. */
#define METAL_STEPS (METAL_SAMPLES / 2)

/* Runs one backend function inside an autorelease pool. The pool releases the objects that its
 * messages returned. */
#define METAL_WITHIN_POOL(api, status, call) \
    do {                                     \
        void *pool_ = metal_pool_push(api);  \
        (status) = (call);                   \
        metal_pool_pop(api, pool_);          \
    } while (0)

/* ---- clocks ---- */

/* The clock infos hold all that Metal reports. The core measures unknown period, width and
 * domain. */
static inline kt_clock_info metal_gpu_clock(void)
{
    return (kt_clock_info){.name = "gpu",
                           .method = KT_METHOD_DEVICE_TIMESTAMP,
                           .period_ns = NAN,
                           .frequency_hz = NAN,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN};
}

/* GPUStartTime and GPUEndTime are seconds as double; this backend converts them to ticks of 1
 * ns. */
static inline kt_clock_info metal_commands_clock(void)
{
    return (kt_clock_info){.name = "command-buffer",
                           .method = KT_METHOD_COMMAND_BUFFER,
                           .period_ns = 1,
                           .frequency_hz = NAN,
                           .valid_bits = 64,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN,
                           .period_source = KT_SOURCE_REPORTED};
}

/* ---- device.c ---- */

/* Whether GPU and host share memory. Before macOS 10.15 no call reports this: low-power GPUs and
 * Apple's do. */
bool kt_metal_is_unified(const metal_api *api, objc_id device);
/* Returns the clock number of the command-buffer clock. */
uint32_t kt_metal_commands_index(const metal_device *device);

/* ---- memory.c ---- */

/* On macOS, sizes and offsets of copies are multiples of this number of bytes. */
#define METAL_WORD 4
/* A buffer over process memory needs whole pages. 16 KiB is the page size of arm64, the largest. */
#define METAL_PAGE 16384

/* Creates a buffer of whole words with storage METAL_STORAGE_SHARED or _PRIVATE. The caller owns
 * it. KT_NO_MEMORY. */
kt_status kt_metal_buffer_create(const metal_device *device, size_t bytes, size_t options,
                                 objc_id *out);

/* ---- backend functions ---- */

KT_DECLARE_SLOTS(metal)

kt_status kt_metal_caches_init(metal_caches *caches);
void kt_metal_caches_fini(const metal_api *api, metal_caches *caches);

#endif
