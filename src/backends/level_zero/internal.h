/* SPDX-License-Identifier: MIT */
/* internal.h - state of a Level Zero device, shared by the files of this folder. timer_context.h
 * has the instrumentation API's. Both APIs use a `base`: the functions, and the context and device
 * that nearly every call takes. */
#ifndef KT_LEVEL_ZERO_INTERNAL_H
#define KT_LEVEL_ZERO_INTERNAL_H

#include "backend.h"
#include "backends/level_zero/api.h"
#include "backends/level_zero/timestamps.h"
#include "support/thread.h"

#include <stdatomic.h>

/* ---- for the benchmark API and the instrumentation API ---- */

/* Loads and initialises the loader and its drivers. KT_UNAVAILABLE with an error text: no driver,
 * or no device. */
kt_status kt_level_zero_open(ze_api *api);

/* The name of a driver's code: "ZE_RESULT_ERROR_DEVICE_LOST", or "unknown code". */
const char *kt_level_zero_code_name(ze_result_t code);
/* Sets an error text with the driver call and its code. Returns KT_NO_MEMORY, KT_DEVICE_LOST or
 * KT_DRIVER_ERROR. */
kt_status kt_level_zero_fail(const char *call, ze_result_t code);

static inline kt_status level_zero_check(const char *call, ze_result_t code)
{
    return code == ZE_RESULT_SUCCESS ? KT_OK : kt_level_zero_fail(call, code);
}

/* Makes a driver call and returns a kt_status; a failure sets the error text. */
#define ZE_DO(api, function, ...) level_zero_check(#function, ZE_CODE(api, function, __VA_ARGS__))

typedef struct level_zero_base {
    const ze_api *api;
    ze_context_handle_t context;
    ze_device_handle_t device;
} level_zero_base;

/* Queries the device's properties, with the timer in cycles per second if the driver can. */
kt_status kt_level_zero_properties(const ze_api *api, ze_device_handle_t device,
                                   ze_device_properties_t *out);
/* Lists the device's queue groups, at most KT_QUEUE_GROUPS_MAX. */
kt_status kt_level_zero_groups(const ze_api *api, ze_device_handle_t device,
                               ze_command_queue_group_properties_t *groups, uint32_t *count);
/* Sets *found if the driver has the extension. The caller sets *found to false before. */
kt_status kt_level_zero_find_extension(const ze_api *api, ze_driver_handle_t driver,
                                       const char *name, bool *found);

/* Finds the number of tiles that a kernel may be split over, 1 if unknown, and whether events have
 * a result for each tile. */
kt_status kt_level_zero_find_tiles(const ze_api *api, ze_driver_handle_t driver,
                                   ze_device_handle_t device, uint32_t *tiles, bool *by_tile);

/* Reads the device's global timestamp between two readings of the clock `host`, a few times, and
 * returns the narrowest pair. Any failure is KT_UNSUPPORTED with an error text: only submissions
 * show whether a device is lost. */
kt_status kt_level_zero_read_global(const ze_api *api, ze_device_handle_t device,
                                    const kt_host_clock *host, kt_clock_pair *out);

/* Host-visible events of one pool. */
typedef struct level_zero_events {
    ze_event_pool_handle_t pool;
    ze_event_handle_t *events;
    uint32_t count;
} level_zero_events;

/* Creates host-visible events in a pool with `flags`. The caller destroys the events even after a
 * failure; a zeroed level_zero_events may be destroyed. */
kt_status kt_level_zero_events_create(const level_zero_base *base, ze_event_pool_flags_t flags,
                                      uint32_t count, level_zero_events *out);
void kt_level_zero_events_destroy(const level_zero_base *base, level_zero_events *events);

/* Appends a barrier: the list's earlier commands end before its later commands begin, which see
 * their writes. The barrier signals the event `signal` unless that is NULL. */
kt_status kt_level_zero_barrier(const ze_api *api, ze_command_list_handle_t list,
                                ze_event_handle_t signal);

/* Reads the timestamps of one command's event, over all tiles if `by_tile`. KT_TIMESTAMP_NOT_READY:
 * the event is not signalled. KT_TIMESTAMP_ERROR: the driver call failed. Timestamps of 0: the call
 * succeeded and wrote nothing. */
kt_timestamp_state kt_level_zero_read_event(const level_zero_base *base, ze_event_handle_t event,
                                            bool by_tile, uint32_t valid_bits,
                                            ze_kernel_timestamp_result_t *out);

/* Allocates uninitialised host memory that the device can access. The caller frees *out even after
 * a failure; NULL may be freed. */
kt_status kt_level_zero_host_alloc(const level_zero_base *base, size_t bytes, void **out);
void kt_level_zero_free(const level_zero_base *base, void *memory);

/* ---- the benchmark API ---- */

/* A root device that can compute. */
typedef struct level_zero_place {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    uint32_t ordinal;          /* queue group that runs jobs */
    bool copies;               /* the queue group `ordinal` can also copy */
    uint32_t transfer_ordinal; /* queue group of fills and copies for set-up and checking */
} level_zero_place;

typedef struct level_zero_lib {
    ze_api api;
    level_zero_place *places;
} level_zero_lib;

/* An immediate command list, for set-up and checking: one command at a time. */
typedef struct level_zero_immediate {
    ze_command_list_handle_t list;
    level_zero_events done; /* one event, which the latest command signals */
} level_zero_immediate;

/* Objects that flush the device's caches, created by the first flush. */
typedef struct level_zero_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    level_zero_immediate commands;
    void *buffer;
    size_t bytes;
    unsigned char pattern; /* the byte that the latest flush wrote */
} level_zero_caches;

typedef struct level_zero_device {
    level_zero_base base;
    const level_zero_place *place;
    const kt_device_info *info;
    kt_host_clock host;
    uint32_t groups_max[3];
    uint32_t group_max[3]; /* most work-items of a group in each dimension */
    bool by_tile;          /* events give a result for each tile */
    bool heap_args;        /* kernels accept heap memory */
    atomic_bool timer_fails;
    level_zero_immediate transfer;
    void *staging; /* host buffer for transfers of device memory; NULL before the first */
    level_zero_caches caches;
} level_zero_device;

typedef struct level_zero_memory {
    level_zero_device *device;
    kt_memory_kind kind;
    void *address; /* device address; also the host address unless the kind is device */
} level_zero_memory;

typedef struct level_zero_program {
    level_zero_device *device;
    ze_module_handle_t module;
    char *entry;
} level_zero_program;

/* A command list that is recorded once and executed often. */
typedef struct level_zero_list {
    ze_command_list_handle_t list;
    uint32_t trials; /* number of trials that the list was recorded for; 0: not recorded */
} level_zero_list;

/* A step, prepared for recording. */
typedef struct level_zero_step {
    const kt_backend_step *desc;
    ze_kernel_handle_t kernel; /* the step's own kernel, with its arguments and group size */
} level_zero_step;

typedef struct level_zero_job {
    level_zero_device *device;
    level_zero_step *steps;
    uint32_t step_count;
    ze_command_queue_handle_t queue;
    level_zero_list lists[2]; /* [0] without, [1] with timestamps */
    level_zero_events done;   /* one event, signalled behind all commands */
    bool is_global;           /* the job has copies, so it uses global timestamps, not events */
    /* One event per step for its first trial, then one event per step for its last trial. The
     * list writes the events' timestamps to `results`; if that is NULL, the host queries them. */
    level_zero_events timestamps;
    ze_kernel_timestamp_result_t *results;
    uint64_t *slots; /* global timestamps: start and end of each step */
    uint32_t trials; /* trials of the latest timestamped submission */
    bool in_flight;  /* a submission may still run: its end was not seen */
} level_zero_job;

/* The caller destroys queues and lists even after a failure; zeroed ones may be destroyed. */
kt_status kt_level_zero_queue_create(const level_zero_device *device,
                                     ze_command_queue_handle_t *out);
kt_status kt_level_zero_list_create(const level_zero_device *device, ze_command_list_handle_t *out);
kt_status kt_level_zero_immediate_create(const level_zero_device *device,
                                         level_zero_immediate *out);
void kt_level_zero_immediate_destroy(const level_zero_base *base, level_zero_immediate *immediate);
/* Submits a job's command list. No other submission of the job may be in flight. */
kt_status kt_level_zero_submit(level_zero_job *job, const level_zero_list *list);
/* Waits for the job's latest submission. KT_TIMEOUT: the submission has not ended. KT_OK,
 * KT_DRIVER_ERROR, KT_NO_MEMORY or KT_DEVICE_LOST: the submission has ended. */
kt_status kt_level_zero_wait(level_zero_job *job, int64_t timeout_ns);
/* Runs one copy, or one fill of a whole buffer, and waits as kt_level_zero_wait() does. */
kt_status kt_level_zero_copy_now(const level_zero_base *base, const level_zero_immediate *commands,
                                 void *to, const void *from, size_t bytes, int64_t timeout_ns);
kt_status kt_level_zero_fill_now(const level_zero_base *base, const level_zero_immediate *commands,
                                 void *to, unsigned char pattern, size_t bytes, int64_t timeout_ns);

kt_status kt_level_zero_memory_allocate(const level_zero_device *device, kt_memory_kind kind,
                                        size_t bytes, void **out);

KT_DECLARE_SLOTS(level_zero)

/* Creates a kernel with group size and arguments of its own. KT_INVALID: the program has no kernel
 * of that name. */
kt_status kt_level_zero_kernel_create(const level_zero_program *program, ze_kernel_handle_t *out);

kt_status kt_level_zero_caches_init(level_zero_caches *caches);
void kt_level_zero_caches_fini(const level_zero_base *base, level_zero_caches *caches);

#endif
