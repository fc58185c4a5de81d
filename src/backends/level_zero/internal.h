/*
 * internal.h - the state of a device of Level Zero, and what the files of this folder share;
 * native.h is the instrumentation API's. Both APIs need a `base`: the functions, and the context and
 * device that nearly every call takes.
 */
#ifndef KT_LEVEL_ZERO_INTERNAL_H
#define KT_LEVEL_ZERO_INTERNAL_H

#include "backend.h"
#include "backends/level_zero/api.h"
#include "backends/level_zero/stamps.h"
#include "support/thread.h"

#include <stdatomic.h>

/* ---- for both APIs ---- */

/* Opens and initialises the loader and its drivers: KT_UNAVAILABLE with a sentence if there is
 * none, or no device. */
kt_status level_zero_open(ze_api *api);

/* "ZE_RESULT_ERROR_DEVICE_LOST", or "unknown code". */
const char *level_zero_code_name(ze_result_t code);
/* Fails with the call and its code in the text: KT_NO_MEMORY, KT_DEVICE_LOST or KT_DRIVER_ERROR. */
kt_status level_zero_fail(const char *call, ze_result_t code);

static inline kt_status level_zero_check(const char *call, ze_result_t code)
{
    return code == ZE_RESULT_SUCCESS ? KT_OK : level_zero_fail(call, code);
}

/* A call that answers a code, as a kt_status, with the sentence if it fails. */
#define ZE_DO(api, function, ...) level_zero_check(#function, ZE_CODE(api, function, __VA_ARGS__))

typedef struct level_zero_base {
    const ze_api *api;
    ze_context_handle_t context;
    ze_device_handle_t device;
} level_zero_base;

/* Asked in a way that the timer is told in cycles a second, by drivers that know it. */
kt_status level_zero_properties(const ze_api *api, ze_device_handle_t device,
                                ze_device_properties_t *out);
/* Its groups of queues, KT_QUEUE_GROUPS_MAX at most. */
kt_status level_zero_groups(const ze_api *api, ze_device_handle_t device,
                            ze_command_queue_group_properties_t *groups, uint32_t *count);
/* Whether its driver has an extension: `found` is false before. */
kt_status level_zero_find_extension(const ze_api *api, ze_driver_handle_t driver, const char *name,
                                    bool *found);

/* How many tiles a kernel may be split over, 1 where nothing is told; and whether events give a
 * result for each. */
kt_status level_zero_find_tiles(const ze_api *api, ze_driver_handle_t driver,
                                ze_device_handle_t device, uint32_t *tiles, bool *by_tile);

/* Reads the device's clock of global stamps between two readings of `host`, the narrowest of a few.
 * KT_UNSUPPORTED with a sentence, whatever failed: only what is submitted shows whether a device is
 * lost. */
kt_status level_zero_read_global(const ze_api *api, ze_device_handle_t device,
                                 const kt_host_clock *host, kt_clock_pair *out);

/* Events of one pool, which the host sees. */
typedef struct level_zero_events {
    ze_event_pool_handle_t pool;
    ze_event_handle_t *events;
    uint32_t count;
} level_zero_events;

/* `flags` beside that the host sees them. Destroy them also after a failure, or zeroed. */
kt_status level_zero_events_create(const level_zero_base *base, ze_event_pool_flags_t flags,
                                   uint32_t count, level_zero_events *out);
void level_zero_events_destroy(const level_zero_base *base, level_zero_events *events);

/* All that came before in the list is done and seen by what comes after. */
kt_status level_zero_barrier(const ze_api *api, ze_command_list_handle_t list,
                             ze_event_handle_t signal);

/* What the event of one command says, of each tile of the device if `by_tile`. Its state is
 * KT_STAMP_NOT_READY where it was not signalled, KT_STAMP_ERROR where the driver fails; zeros where
 * it succeeds and writes nothing. */
kt_stamp_state level_zero_read_event(const level_zero_base *base, ze_event_handle_t event,
                                     bool by_tile, uint32_t valid_bits,
                                     ze_kernel_timestamp_result_t *out);

/* Of the host, which the device sees, with any content. Free it also after a failure, or NULL. */
kt_status level_zero_host_alloc(const level_zero_base *base, size_t bytes, void **out);
void level_zero_free(const level_zero_base *base, void *memory);

/* ---- the benchmark API ---- */

/* A root device that can compute. */
typedef struct level_zero_place {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    uint32_t ordinal;          /* of the queue group that the work goes to */
    bool copies;               /* that group does */
    uint32_t transfer_ordinal; /* of the one that fills and copies for set-up and checking */
} level_zero_place;

typedef struct level_zero_lib {
    ze_api api;
    level_zero_place *places;
} level_zero_lib;

/* Commands that run as they are appended, one at a time: set-up and checking. */
typedef struct level_zero_immediate {
    ze_command_list_handle_t list;
    level_zero_events done; /* one */
} level_zero_immediate;

/* What flushing the device's caches needs; made when that is first asked for. */
typedef struct level_zero_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    level_zero_immediate commands;
    void *buffer;
    size_t bytes;
    unsigned char pattern; /* of the latest flush */
} level_zero_caches;

typedef struct level_zero_device {
    level_zero_base base;
    const level_zero_place *place;
    const kt_device_info *info;
    kt_host_clock host;
    uint32_t groups_max[3];
    uint32_t group_max[3]; /* work-items of one, in each dimension */
    bool by_tile;          /* events give a result for each tile */
    bool heap_args;        /* kernels take memory of the process */
    atomic_bool timer_fails;
    level_zero_immediate transfer;
    void *staging; /* between the host and memory that it cannot see; NULL: there was none yet */
    level_zero_caches caches;
} level_zero_device;

typedef struct level_zero_memory {
    level_zero_device *device;
    kt_memory_kind kind;
    void *address; /* for the device, and for the host unless the kind is device */
} level_zero_memory;

typedef struct level_zero_program {
    level_zero_device *device;
    ze_module_handle_t module;
    char *entry;
} level_zero_program;

/* A list that is recorded once and executed often. */
typedef struct level_zero_list {
    ze_command_list_handle_t list;
    uint32_t trials; /* it was recorded for that many; 0: not yet */
} level_zero_list;

/* A step with what recording it needs. */
typedef struct level_zero_step {
    const kt_backend_step *desc;
    ze_kernel_handle_t kernel; /* with its arguments and group size */
} level_zero_step;

typedef struct level_zero_job {
    level_zero_device *device;
    level_zero_step *steps;
    uint32_t step_count;
    ze_command_queue_handle_t queue;
    level_zero_list lists[2]; /* without and with stamps */
    level_zero_events done;   /* one, signalled behind all else */
    bool is_global;           /* stamped by global stamps, for it has copies; else by events */
    /* Of events: those of each step's first trial, then those of the last; and what the list writes
     * of them, NULL: the host asks. */
    level_zero_events stamps;
    ze_kernel_timestamp_result_t *results;
    uint64_t *slots; /* of global stamps: a step's start and end */
    uint32_t trials; /* of the latest stamped submission */
    bool in_flight;  /* a submission that nobody has seen end */
} level_zero_job;

/* commands.c. Destroy them also after a failure, or zeroed. */
kt_status level_zero_queue_create(const level_zero_device *device, ze_command_queue_handle_t *out);
kt_status level_zero_list_create(const level_zero_device *device, ze_command_list_handle_t *out);
kt_status level_zero_immediate_create(const level_zero_device *device, level_zero_immediate *out);
void level_zero_immediate_destroy(const level_zero_base *base, level_zero_immediate *immediate);
/* Executes a list; nothing else of the job is in flight. */
kt_status level_zero_submit(level_zero_job *job, const level_zero_list *list);
/* KT_OK, KT_DRIVER_ERROR, KT_NO_MEMORY, KT_DEVICE_LOST: it has ended, whatever went wrong.
 * KT_TIMEOUT. */
kt_status level_zero_wait(level_zero_job *job, int64_t timeout_ns);
/* One copy, or one fill of a whole buffer, waited for as above. */
kt_status level_zero_copy_now(const level_zero_base *base, const level_zero_immediate *commands,
                              void *to, const void *from, size_t bytes, int64_t timeout_ns);
kt_status level_zero_fill_now(const level_zero_base *base, const level_zero_immediate *commands,
                              void *to, unsigned char pattern, size_t bytes, int64_t timeout_ns);

kt_status level_zero_memory_allocate(const level_zero_device *device, kt_memory_kind kind,
                                     size_t bytes, void **out);

kt_status level_zero_device_info(void *lib, uint32_t index, const char *scenario,
                                 kt_device_info *info);
kt_status level_zero_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                                 const kt_device_info *info, const kt_host_clock *host);
void level_zero_device_fini(void *device);
kt_status level_zero_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);

kt_status level_zero_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void level_zero_memory_fini(void *memory);
kt_status level_zero_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                 int64_t timeout_ns);
kt_status level_zero_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                  int64_t timeout_ns);

/* A kernel of a program, whose group size and arguments are its own. KT_INVALID: there is none of
 * that name. */
kt_status level_zero_kernel_create(const level_zero_program *program, ze_kernel_handle_t *out);
kt_status level_zero_program_init(void *program, void *device, const kt_program_desc *desc);
void level_zero_program_fini(void *program);

kt_status level_zero_job_init(void *job, void *device, const kt_backend_job *desc);
void level_zero_job_fini(void *job);
kt_status level_zero_job_flush_caches(void *job, int64_t timeout_ns);
kt_status level_zero_job_submit(void *job, bool stamped, uint32_t trials);
kt_status level_zero_job_wait(void *job, int64_t timeout_ns);
kt_status level_zero_job_read(void *job, kt_stamp *stamps);

kt_status level_zero_caches_init(level_zero_caches *caches);
void level_zero_caches_fini(const level_zero_base *base, level_zero_caches *caches);

#endif
