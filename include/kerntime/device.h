/* device.h - contexts, the backends of this machine, and their devices. */
#ifndef KERNTIME_DEVICE_H
#define KERNTIME_DEVICE_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Holds the opened drivers. Objects: context -> device -> memory, program -> job. Destroy children
 * first. Every destroy takes the address of a handle, sets it to NULL, and accepts NULL in it.
 * Creating and destroying is for one thread at a time per context; different jobs may be measured
 * on different threads at once.
 */
typedef struct kt_context kt_context;
typedef struct kt_device kt_device;

/** What a time limit is where 0 is given for it. */
#define KT_TIMEOUT_DEFAULT_NS INT64_C(30000000000)

/** Options of a context. Zero everything but `size` for the defaults. */
typedef struct kt_context_options {
    size_t size;              /**< sizeof(kt_context_options) */
    kt_host_clock host_clock; /**< .now NULL: the system's clock */
    const char *backends; /**< "cpu,opencl": load no others; NULL: KERNTIME_BACKENDS, else all */
    int64_t timeout_ns;   /**< of each transfer for set-up and checking; 0: 30 s */
    uint32_t run;         /**< number of this run of several, from 0: a simulated device adds it to
                               its seed; on others nothing depends on it */
} kt_context_options;

/**
 * Makes a context. Opens no driver yet: that happens when a backend is first asked for.
 * KT_INVALID: `backends` (or KERNTIME_BACKENDS) names one that does not exist. KT_NO_MEMORY.
 */
KT_API kt_status kt_context_create(kt_context **out, const kt_context_options *options);
KT_API void kt_context_destroy(kt_context **context);

/** A backend that this library was built with. Strings live as long as the context. */
typedef struct kt_backend_info {
    const char *name;      /**< "opencl", as in device ids */
    const char *title;     /**< "OpenCL" */
    int simulated;         /**< not a real device: used only when named */
    kt_status status;      /**< KT_OK: its driver is here; KT_UNAVAILABLE: it is not */
    const char *why;       /**< one sentence if status is not KT_OK, else empty */
    uint32_t device_count; /**< 0 unless status is KT_OK */
} kt_backend_info;

/** How many backends this library has, whether or not their drivers are here. */
KT_API uint32_t kt_backend_count(const kt_context *context);

/** The backend at `index`; opens its driver on first use. NULL if index is out of range. */
KT_API const kt_backend_info *kt_backend_get(kt_context *context, uint32_t index);

typedef enum kt_device_type {
    KT_DEVICE_OTHER = 0,
    KT_DEVICE_CPU,
    KT_DEVICE_GPU,
    KT_DEVICE_ACCELERATOR,
    KT_DEVICE_SIMULATED
} kt_device_type;

/** "gpu". Never NULL. */
KT_API const char *kt_device_type_name(kt_device_type type);

/** Kinds of memory; KT_MEMORY_DEFAULT is what kernels of the device work on fastest. */
typedef enum kt_memory_kind {
    KT_MEMORY_DEFAULT = 0,
    KT_MEMORY_HEAP,   /**< ordinary memory of the process, that the driver has not allocated; it may
                           have been told of it (Vulkan) */
    KT_MEMORY_HOST,   /**< host memory that the driver allocated (pinned) */
    KT_MEMORY_DEVICE, /**< memory of the device */
    KT_MEMORY_SHARED, /**< one address for host and device */
    KT_MEMORY_KIND_COUNT
} kt_memory_kind;

/** "heap". Never NULL. */
KT_API const char *kt_memory_kind_name(kt_memory_kind kind);

/** Languages in which a device takes kernels; a bit mask in kt_device_info. */
typedef enum kt_language {
    KT_LANGUAGE_C_FUNCTION = 1,   /**< a function of this process, see kt_c_kernel in program.h */
    KT_LANGUAGE_OPENCL_C = 2,     /**< OpenCL C 1.2 source */
    KT_LANGUAGE_SPIRV_SHADER = 4, /**< SPIR-V of a GLCompute shader, see program.h */
    KT_LANGUAGE_WGSL = 8,         /**< WebGPU's shading language, see program.h */
    KT_LANGUAGE_PTX = 16,         /**< NVIDIA's PTX, as text, see program.h */
    KT_LANGUAGE_CUDA_C = 32,      /**< CUDA C++ source as NVRTC and hiprtc take it, see program.h */
    KT_LANGUAGE_SPIRV_KERNEL = 64, /**< SPIR-V of an OpenCL kernel, see program.h */
    KT_LANGUAGE_MSL = 128          /**< source in Metal's shading language, see program.h */
} kt_language;

/** What the queues of a group can do; a bit mask in kt_queue_group. */
typedef enum kt_queue_kind {
    KT_QUEUE_COMPUTE = 1,     /**< kernels */
    KT_QUEUE_COPY = 2,        /**< copies */
    KT_QUEUE_COOPERATIVE = 4, /**< kernels whose groups wait for each other */
    KT_QUEUE_METRICS = 8      /**< queries of hardware counters */
} kt_queue_kind;

/** "compute". Never NULL. */
KT_API const char *kt_queue_kind_name(kt_queue_kind kind);

/** Queues of a device that are alike. */
typedef struct kt_queue_group {
    uint32_t kinds;       /**< or of kt_queue_kind */
    uint32_t queue_count; /**< physical ones */
} kt_queue_group;

/** Most groups that are told of one device. */
#define KT_QUEUE_GROUPS_MAX 8

/** What a device says of itself. Unknown numbers are 0 here, where 0 can be no answer. */
typedef struct kt_device_info {
    char id[512];     /**< "opencl:0"; with its scenario for a simulated device */
    char backend[16]; /**< "opencl" */
    char name[256];
    char vendor[128];
    char driver[256]; /**< name and version of the driver */
    uint32_t vendor_id;
    kt_device_type type;
    kt_clock_info clocks[KT_CLOCKS_MAX];
    uint32_t clock_count;  /**< 0: its driver gives no stamps, so there are only wall times */
    uint32_t languages;    /**< or of kt_language */
    uint32_t memory_kinds; /**< bit 1 << kind for each kind it has */
    /** copies[src] has bit 1 << dst for each pair of kinds between which a KT_STEP_COPY copies */
    uint32_t copies[KT_MEMORY_KIND_COUNT];
    uint32_t maps; /**< bit 1 << kind for each kind that a KT_STEP_MAP maps */
    uint32_t compute_units;
    uint32_t max_group_size; /**< work-items in one group */
    uint64_t memory_bytes;
    uint64_t max_memory_bytes; /**< of one allocation */
    /** of one memory that a kernel works on; 0: as max_memory_bytes */
    uint64_t max_argument_bytes;
    uint64_t local_memory_bytes;
    kt_queue_group queue_groups[KT_QUEUE_GROUPS_MAX];
    uint32_t queue_group_count; /**< 0: its API has none, or does not tell */
    char quirk[200]; /**< one sentence about what this driver is known to do wrong without a word,
                          else empty */
} kt_device_info;

/**
 * What device `id` ("opencl:0") is, without opening it: no queue is made, no kernel built. `info`
 * is written only on KT_OK. KT_INVALID: not an id; KT_UNAVAILABLE: no such driver or device.
 */
KT_API kt_status kt_device_describe(kt_context *context, const char *id, kt_device_info *info);

/**
 * Opens a device for work. Errors as kt_device_describe(), and KT_DRIVER_ERROR.
 */
KT_API kt_status kt_device_open(kt_context *context, const char *id, kt_device **out);
KT_API void kt_device_close(kt_device **device);

/** What the opened device is; lives as long as the device. */
KT_API const kt_device_info *kt_device_get_info(const kt_device *device);

/**
 * How fine a device's rulers are, as measured on it with empty steps. All in ns, NaN if it could
 * not be measured.
 */
typedef struct kt_ruler {
    double grid_ns; /**< the step that stamps move in */
    /** median span of an empty step: nothing shorter can be told from it. Where that is 0, the
     * share of empty steps that are not, of a grid; NaN: none */
    double floor_ns;
    double stamp_cost_ns; /**< what stamping adds to the wall time of an empty submission; as
                               measured, so below 0 where noise is larger than the cost */
    double overhead_ns;   /**< median wall time of an empty submission without stamps */
    int believed;         /**< 0: the stamps are not to be believed, and no device time is kept */
    char why[200];        /**< one sentence if not believed, else empty */
    /** name of the clock that stamps all steps of a job with a copy, where that is not the one of
     * empty steps; else empty, and then without ... */
    char copy_clock[24];
    double copy_floor_ns; /**< ... the floor of what it stamps, as floor_ns */
    char copy_why[200];   /**< one sentence if its stamps are not believed, else empty */
} kt_ruler;

/** The floor of what the clock of that name stamps. NULL: floor_ns. */
KT_API double kt_ruler_get_floor(const kt_ruler *ruler, const char *clock);

/** The ruler of a device, or NULL before the first measurement on it. Lives as long as the
 * device. */
KT_API const kt_ruler *kt_device_get_ruler(const kt_device *device);

/**
 * Finds what the driver does not tell of the device's clocks (period, domain, relation to the
 * host's clock) and writes it into its info: kt_clock_open() for each of them. Done by the first
 * measurement on the device, too. Any thread. One that cannot be found stays unknown. KT_TIMEOUT,
 * KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY.
 */
KT_API kt_status kt_device_find_clocks(kt_device *device);

/**
 * Reads clock number `clock` of the device between two readings of the host's clock. Any thread,
 * also while the device is measured on. KT_UNSUPPORTED: this API has no such call, or the driver
 * cannot answer it. KT_INVALID: no such clock. KT_TIMEOUT, KT_DEVICE_LOST, KT_DRIVER_ERROR.
 */
KT_API kt_status kt_device_clock_pair(kt_device *device, uint32_t clock, kt_clock_pair *out);

#ifdef __cplusplus
}
#endif

#endif
