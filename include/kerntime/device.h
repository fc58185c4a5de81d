/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Contexts, backends and devices of this machine.
 */
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
 * A context: owns the opened drivers.
 *
 * - Ownership: context -> device -> memory and program -> job. Destroy children first.
 * - Threads: create and destroy on one thread at a time per context. Different jobs may be measured
 *   on different threads at once.
 */
typedef struct kt_context kt_context;

/** An opened device. Close it before its context is destroyed. */
typedef struct kt_device kt_device;

/** Time limit where 0 is given for one, in ns. */
#define KT_TIMEOUT_DEFAULT_NS INT64_C(30000000000)

/** Options of a context. Zero everything but `size` for the defaults. */
typedef struct kt_context_options {
    size_t size;              /**< sizeof(kt_context_options) */
    kt_host_clock host_clock; /**< `now` NULL: the system's clock */
    const char *backends; /**< backends to load: "cpu,opencl"; NULL: KERNTIME_BACKENDS, else all */
    int64_t timeout_ns;   /**< limit of each transfer for set-up and checking; 0: 30 s */
    /** Number of this run among several, from 0. A simulated device adds it to its seed; other
     * devices ignore it. */
    uint32_t run;
} kt_context_options;

/**
 * Creates a context.
 *
 * It opens no driver: a driver is opened when its backend is first asked for.
 *
 * @param[out] out the context; destroy it with kt_context_destroy()
 * @param options NULL: the defaults
 * @return KT_OK, or
 * - KT_INVALID: `backends` or KERNTIME_BACKENDS names an unknown backend, or a time limit is below
 *   0
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_context_create(kt_context **out, const kt_context_options *options);

/**
 * Destroys a context. Close its devices first.
 *
 * @param context address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_context_destroy(kt_context **context);

/** A backend that this library was built with. Strings live as long as the context. */
typedef struct kt_backend_info {
    const char *name;      /**< "opencl", as in device ids */
    const char *title;     /**< "OpenCL" */
    int simulated;         /**< 1: no real devices; used only when named */
    kt_status status;      /**< KT_OK: its driver is here; KT_UNAVAILABLE: it is not */
    const char *reason;    /**< one sentence if `status` is not KT_OK, else empty */
    uint32_t device_count; /**< number of devices; 0 unless `status` is KT_OK */
} kt_backend_info;

/**
 * Number of backends of this library, with or without their drivers.
 *
 * @param context any context
 * @return number of backends
 */
KT_API uint32_t kt_backend_count(const kt_context *context);

/**
 * One backend; opens its driver on first use.
 *
 * @param context owner of the backend
 * @param index number of the backend, from 0
 * @return the backend, which lives as long as the context, or NULL if `index` is out of range
 */
KT_API const kt_backend_info *kt_backend_get(kt_context *context, uint32_t index);

/** Type of a device. */
typedef enum kt_device_type {
    KT_DEVICE_OTHER = 0,   /**< none of the others, or unknown */
    KT_DEVICE_CPU,         /**< a CPU */
    KT_DEVICE_GPU,         /**< a GPU */
    KT_DEVICE_ACCELERATOR, /**< a dedicated accelerator */
    KT_DEVICE_SIMULATED    /**< a script; no hardware */
} kt_device_type;

/**
 * Name of a device type, such as "gpu".
 *
 * Threads: any.
 *
 * @param type any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_device_type_name(kt_device_type type);

/** Kind of memory. */
typedef enum kt_memory_kind {
    KT_MEMORY_DEFAULT = 0, /**< the kind that kernels of the device work on fastest */
    KT_MEMORY_HEAP,   /**< ordinary memory of the process, not allocated by the driver; it may have
                           been registered with the driver (Vulkan) */
    KT_MEMORY_HOST,   /**< host memory allocated by the driver (pinned) */
    KT_MEMORY_DEVICE, /**< memory of the device */
    KT_MEMORY_SHARED, /**< memory with one address for host and device */
    KT_MEMORY_KIND_COUNT /**< number of kinds */
} kt_memory_kind;

/**
 * Name of a kind of memory, such as "heap".
 *
 * Threads: any.
 *
 * @param kind any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_memory_kind_name(kt_memory_kind kind);

/** Languages of kernels; a bit mask in kt_device_info. program.h describes each one. */
typedef enum kt_language {
    KT_LANGUAGE_C_FUNCTION = 1,    /**< a function of this process (kt_c_kernel) */
    KT_LANGUAGE_OPENCL_C = 2,      /**< OpenCL C 1.2 source */
    KT_LANGUAGE_SPIRV_SHADER = 4,  /**< SPIR-V of a GLCompute shader */
    KT_LANGUAGE_WGSL = 8,          /**< source in WebGPU's shading language */
    KT_LANGUAGE_PTX = 16,          /**< NVIDIA's PTX, as text */
    KT_LANGUAGE_CUDA_C = 32,       /**< CUDA C++ source as NVRTC and hiprtc accept it */
    KT_LANGUAGE_SPIRV_KERNEL = 64, /**< SPIR-V of an OpenCL kernel */
    KT_LANGUAGE_MSL = 128          /**< source in Metal's shading language */
} kt_language;

/** Abilities of the queues of a group; a bit mask in kt_queue_group. */
typedef enum kt_queue_kind {
    KT_QUEUE_COMPUTE = 1,     /**< kernels */
    KT_QUEUE_COPY = 2,        /**< copies */
    KT_QUEUE_COOPERATIVE = 4, /**< kernels whose groups wait for each other */
    KT_QUEUE_METRICS = 8      /**< queries of hardware counters */
} kt_queue_kind;

/**
 * Name of a queue ability, such as "compute".
 *
 * Threads: any.
 *
 * @param kind any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_queue_kind_name(kt_queue_kind kind);

/** Queues of a device with the same abilities. */
typedef struct kt_queue_group {
    uint32_t kinds;       /**< bit mask of kt_queue_kind */
    uint32_t queue_count; /**< number of physical queues */
} kt_queue_group;

/** Largest number of queue groups reported of one device. */
#define KT_QUEUE_GROUPS_MAX 8

/** Properties of a device. An unknown number is 0, where 0 is no valid value. */
typedef struct kt_device_info {
    char id[512];                        /**< "opencl:0"; with the scenario of a simulated device */
    char backend[16];                    /**< "opencl" */
    char name[256];                      /**< name of the device */
    char vendor[128];                    /**< name of the vendor */
    char driver[256];                    /**< name and version of the driver */
    uint32_t vendor_id;                  /**< vendor id of the API */
    kt_device_type type;                 /**< type of the device */
    kt_clock_info clocks[KT_CLOCKS_MAX]; /**< clock_count clocks */
    uint32_t clock_count;  /**< 0: the driver gives no timestamps, so there are only wall times */
    uint32_t languages;    /**< bit mask of kt_language */
    uint32_t memory_kinds; /**< bit `1 << kind` for each kind of memory it has */
    /** Directions of KT_STEP_COPY: copies[src] has the bit `1 << dst` for each. */
    uint32_t copies[KT_MEMORY_KIND_COUNT];
    uint32_t maps;             /**< bit `1 << kind` for each kind that KT_STEP_MAP maps */
    uint32_t compute_units;    /**< number of compute units */
    uint32_t max_group_size;   /**< work-items in one group */
    uint64_t memory_bytes;     /**< memory of the device, in bytes */
    uint64_t max_memory_bytes; /**< largest allocation, in bytes */
    /** Largest memory that a kernel works on, in bytes; 0: as max_memory_bytes. */
    uint64_t max_argument_bytes;
    uint64_t local_memory_bytes;                      /**< local memory of a group, in bytes */
    kt_queue_group queue_groups[KT_QUEUE_GROUPS_MAX]; /**< queue_group_count groups */
    uint32_t queue_group_count; /**< 0: the API has none, or does not report them */
    /** Address on the bus: "0000:3b:00.0", domain, bus, device and function; empty: unknown. */
    char pci_address[24];
    char uuid[40];   /**< 36 characters in lower case, bytes in the API's order; of Metal, which has
                          none, "registry-0x..." of the GPU's registry ID; empty: unknown */
    char serial[64]; /**< serial number of the board; empty: unknown */
    char quirk[200]; /**< one sentence on a known silent fault of this driver, else empty */
} kt_device_info;

/**
 * Describes a device without opening it: no queue is made, no kernel built.
 *
 * @param context owner of the drivers
 * @param id id of the device: "opencl:0"
 * @param[out] info properties; owned by the caller
 * @return KT_OK, or
 * - KT_INVALID: not an id
 * - KT_UNAVAILABLE: no such driver or device
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_device_describe(kt_context *context, const char *id, kt_device_info *info);

/**
 * Opens a device for work.
 *
 * @param context owner of the device; must outlive it
 * @param id id of the device: "opencl:0"
 * @param[out] out the device; close it with kt_device_close()
 * @return KT_OK, or
 * - KT_INVALID: not an id
 * - KT_UNAVAILABLE: no such driver or device
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_NO_MEMORY: the host or the device is out of memory
 */
KT_API kt_status kt_device_open(kt_context *context, const char *id, kt_device **out);

/**
 * Closes a device. Destroy its jobs, programs and memories, and close its clocks, first.
 *
 * Of a device that hung nothing is freed, since the driver may still use it.
 *
 * @param device address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_device_close(kt_device **device);

/**
 * Properties of an opened device.
 *
 * @param device any device
 * @return properties, which live as long as the device
 */
KT_API const kt_device_info *kt_device_get_info(const kt_device *device);

/** Timer limits of a clock that does not time all steps. Its resolution is that of the device. */
typedef struct kt_clock_limits {
    char name[24];      /**< name of the clock; empty: unused entry */
    double min_span_ns; /**< shortest measurable span, as that of kt_timer_limits */
    char reason[200];   /**< one sentence if the clock is untrusted, else empty */
} kt_clock_limits;

/**
 * Timer limits of a device, measured with empty steps. All times are ns; NaN: not measurable.
 */
typedef struct kt_timer_limits {
    double resolution_ns; /**< clock resolution: the step in which timestamps move */
    /** Shortest measurable span: the median span of an empty step. If that is 0, the clock
     * resolution times the share of empty steps that are not 0; NaN: all are 0. */
    double min_span_ns;
    /** Timestamp overhead: wall time that timestamps add to an empty submission; below 0 where the
     * noise is larger. */
    double timestamp_overhead_ns;
    /** Half the 95 % interval of timestamp_overhead_ns, which is below noise if not above this. */
    double timestamp_overhead_error_ns;
    double overhead_ns; /**< median wall time of an empty submission without timestamps */
    int trusted;        /**< 0: untrusted timestamps, so device times are dropped */
    char reason[200];   /**< one sentence if not trusted, else empty */
    /** Of each clock that times other steps than empty ones; the other entries have no name. */
    kt_clock_limits clocks[KT_CLOCKS_MAX];
} kt_timer_limits;

/**
 * Shortest measurable span of a clock.
 *
 * @param limits timer limits of the device
 * @param clock name of the clock; NULL: the clock of empty steps
 * @return span in ns; NaN if not measurable
 */
KT_API double kt_timer_limits_get_min_span(const kt_timer_limits *limits, const char *clock);

/**
 * Timer limits of a device.
 *
 * @param device any device
 * @return timer limits, which live as long as the device, or NULL before its first measurement
 */
KT_API const kt_timer_limits *kt_device_get_timer_limits(const kt_device *device);

/**
 * Measures what the driver does not report of the device's clocks, and writes it into its info.
 *
 * - Measured are period, domain and relation to the host's clock, by kt_clock_open() for each
 *   clock.
 * - A clock that cannot be measured stays unknown, and that is no failure.
 * - The first measurement on a device does it, too.
 * - Threads: any.
 *
 * @param device any device
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_TIMEOUT: no answer within the time limit of the context
 * - KT_DEVICE_LOST: the device hung or stopped working
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_NO_MEMORY: the host or the device is out of memory
 */
KT_API kt_status kt_device_find_clocks(kt_device *device);

/**
 * Reads a clock of the device between two readings of the host's clock.
 *
 * Threads: any, also while the device is measured on.
 *
 * @param device any device
 * @param clock number of the clock, from 0, in kt_device_info.clocks
 * @param[out] out the clock pair; owned by the caller
 * @return KT_OK, or
 * - KT_INVALID: no such clock
 * - KT_UNSUPPORTED: the device has no clock, the API has no such call, or the driver cannot answer
 *   it
 * - KT_TIMEOUT: no answer within the time limit of the context
 * - KT_DEVICE_LOST: the device hung or stopped working
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_device_clock_pair(kt_device *device, uint32_t clock, kt_clock_pair *out);

#ifdef __cplusplus
}
#endif

#endif
