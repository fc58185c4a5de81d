/* SPDX-License-Identifier: MIT */
/*
 * backend.h - the contract between a backend and the core, which is the rooms above.
 *
 * Room backends: a folder for each API, which no other room includes. May know: support.
 *
 * There are two structs: kt_backend for the benchmark API, kt_instrumentation for the
 * instrumentation API. The core guarantees:
 *
 * - Arguments are valid: checked against the public contract and the limits of the device.
 * - Private memory (`void *lib`, `device`, ...) is zeroed and has the size that the backend names.
 * - Each *_init is followed by exactly one *_fini, also after a failure. So all cleaning up is in
 *   the fini, which must handle any partial state.
 * - Children are finished before their parents.
 * - After KT_TIMEOUT nothing of the device is called any more, not even a fini. The driver may
 *   still use the memory, so the core does not free it.
 * - init and fini of lib, device, memory and program, memory_read and memory_write run one at a
 *   time per device. job_* may run concurrently for different jobs, and clock_pair concurrently
 *   with all of them.
 *
 * A backend reports raw ticks or raw elapsed times, and computes no statistics. It never prints,
 * exits or reads files. It fails by kt_fail(status, sentence). NULL for a function means that the
 * API cannot do it; the core then returns KT_UNSUPPORTED. A function marked (required) must not be
 * NULL.
 */
#ifndef KT_BACKEND_H
#define KT_BACKEND_H

#include "support/error.h"

#include <kerntime/clock.h>
#include <kerntime/device.h>
#include <kerntime/program.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/state.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Timestamps of one step, as the driver returned them. */
typedef struct kt_timestamp {
    kt_timestamp_state state;
    uint32_t clock; /* index into the device's clocks */
    bool has_queue_timestamps;
    uint64_t queued_ticks, submitted_ticks; /* valid if has_queue_timestamps */
    uint64_t start_ticks, end_ticks;
    /* Of an elapsed-only clock (kt_method_is_elapsed_only()), in place of all ticks: the driver's
     * floats, NaN if it wrote none. */
    float elapsed_ms; /* from this step's start to its end */
    float gap_ms; /* from the end of the previous step of the job to this start; 0 for the first */
    /* If has_context: the same step by the device's context clock (kt_clock_info). */
    bool has_context;
    uint32_t context_clock;
    uint64_t context_start_ticks, context_end_ticks;
} kt_timestamp;

typedef struct kt_backend_arg {
    void *memory; /* private memory of a kt_memory, or NULL */
    void *value;  /* argument value, copied by the job; NULL without a memory: local memory */
    size_t value_bytes;
    kt_arg_place place;
    uint32_t set, binding, offset; /* as in kt_arg */
    /* Part of the memory, at a multiple of KT_ARG_ALIGNMENT. 0 bytes: the whole memory, from 0. */
    size_t memory_offset, memory_bytes;
} kt_backend_arg;

typedef struct kt_backend_step {
    kt_step_kind kind;
    void *program;
    const kt_backend_arg *args;
    uint32_t arg_count;
    uint64_t local_bytes;              /* sum of the arguments that are local memory */
    uint32_t groups[3], group_size[3]; /* never 0 */
    /* For a copy or a map: private memories. One end of a map has kind host and offset 0. */
    void *src, *dst;
    size_t src_offset_bytes, dst_offset_bytes, copy_bytes;
} kt_backend_step;

/* What a backend says of a kernel, zeroed before. */
typedef struct kt_reflection {
    kt_program_info info;
    void **kept; /* memory behind `info`, which the core frees: see kt_keep() */
    uint32_t kept_count;
} kt_reflection;

/* Description of a job for the backend, valid as long as the job. */
typedef struct kt_backend_job {
    const kt_backend_step *steps;
    uint32_t step_count;
    bool repeatable; /* no input is an output, so repeated runs do the same */
    /* Of an empty job: the clock that should timestamp it, if the backend's jobs use several. */
    uint32_t clock;
} kt_backend_job;

/*
 * Contract of the instrumentation API, for the program's own device. native/NAME.h describes that
 * device to the program, timer.h has the objects, and timer/NAME.c passes the device on. No
 * function may wait, except that timer_context_init may test the timestamps for a few s.
 *
 * Threads, per timer context: timer_context_* and stream_init run one at a time. mark_* may run
 * concurrently for different marks, but mark_read one at a time. recording_* run one at a time per
 * recording.
 */
typedef struct kt_instrumentation {
    size_t timer_context_size, mark_size, recording_size;

    /*
     * Opens the driver, checks `desc` (of native/NAME.h) and describes the clocks of the
     * timestamps: at least one, in zeroed room for KT_CLOCKS_MAX. An entry with a name is in use.
     * Its period is known, unless it is an elapsed-only clock or timer_context_clock_pair reads it.
     */
    kt_status (*timer_context_init)(void *context, const void *desc, kt_clock_info *clocks);
    void (*timer_context_fini)(void *context);
    /* Takes a clock pair of a clock whose period timer_context_init left unknown (NaN). One at a
     * time per timer context, concurrently with everything else. */
    kt_status (*timer_context_clock_pair)(void *context, uint32_t clock, kt_clock_pair *pair);

    /* ---- Streams: a mark holds the two timestamps of a span ---- */

    /*
     * Checks that this queue belongs to the context's device and has readable timestamps. If so,
     * the driver keeps the queue until timer_context_fini. `in_order`: commands end in the order of
     * submission; any other queue gets no marks.
     */
    kt_status (*stream_init)(void *context, void *stream, bool *in_order);
    /* mark_start and mark_stop queue a timestamp in the stream. mark_start fills a zeroed mark. */
    kt_status (*mark_start)(void *context, void *stream, void *mark);
    kt_status (*mark_stop)(void *context, void *stream, void *mark);
    /* Fills a zeroed mark from an object of the API that the driver returned for one command. */
    kt_status (*mark_take)(void *context, void *object, void *mark);
    /* The reverse of mark_take: fills a zeroed mark and returns an object of the API, in which one
     * command of the program leaves its timestamps. */
    kt_status (*mark_hand_out)(void *context, void *mark, void **object);
    /* For APIs whose calls write the object of mark_take to memory that kerntime hands out: drops
     * the reference that such a call gave to the program. */
    void (*object_release)(void *context, void *object);
    /*
     * Fills `descriptor` of the API, so that a pass in the program's `commands` leaves its
     * timestamps in a zeroed mark. Each mark is for one pass. Passes begin in the order of these
     * calls. KT_LIMIT: no room.
     */
    kt_status (*mark_fill)(void *context, void *commands, void *descriptor, void *mark);
    /* The pass of `descriptor` is not timed: removes what mark_fill put there for another pass, if
     * anything. Also called after a failed mark_fill. */
    void (*mark_unfill)(void *context, void *descriptor);
    /* Puts the first timestamp of a zeroed mark into an encoder of `commands`. mark_stop adds the
     * second one, with that encoder as the stream. Otherwise as mark_fill. */
    kt_status (*mark_encode)(void *context, void *commands, void *encoder, void *mark);

    /*
     * Adds to `commands` what makes the timestamps of its marks readable. No marks follow.
     * KT_INVALID: done before, and still valid. After any other failure its marks are finished
     * unread. KT_OK for commands without marks, here and below.
     */
    kt_status (*commands_resolve)(void *context, void *commands);
    /* `commands` have been submitted, so their marks may be read. KT_INVALID: not resolved, or
     * already called. */
    kt_status (*commands_submitted)(void *context, void *commands);
    /*
     * Reads the timestamps of a mark, with their state. KT_NOT_READY without a sentence: not
     * complete yet. Any other failure concerns this mark alone.
     *
     * APIs without commands_submitted: called as soon as a mark is filled, encoded or taken. It
     * asks the API whether the commands, which the mark keeps alive, are complete. Commands end in
     * any order, and the program may still submit them after the mark's timer is gone.
     */
    kt_status (*mark_read)(void *context, void *mark, kt_timestamp *timestamp);
    /* Optional: around one or more mark_read, on the thread that reads. */
    void (*reading_begin)(void *context);
    void (*reading_end)(void *context);
    /* Optional: whether the second timestamp of a mark, which was read, was taken as soon as it was
     * enqueued, as in an idle queue; false: it was not, or that is unknown. `timestamp` is what
     * mark_read filled. Sets its queued_ticks to when the second timestamp was enqueued. */
    bool (*mark_stopped_at_once)(void *context, const void *mark, kt_timestamp *timestamp);
    /* Releases what a mark owns, in any state of the mark. */
    void (*mark_fini)(void *context, void *mark);

    /* ---- Recordings: spans by number, from 0 on ---- */

    kt_status (*recording_init)(void *recording, void *context, uint32_t spans_max);
    void (*recording_fini)(void *recording);
    /* Begins a recording in the program's `commands`, which were begun with the flags `usage`.
     * Forgets all earlier spans. */
    kt_status (*recording_begin)(void *recording, void *commands, uint32_t usage);
    kt_status (*recording_timestamp)(void *recording, uint32_t span, bool end);
    /* Replaces the first timestamp of a span: returns an object for one command, as mark_hand_out
     * does. The second timestamp makes the object's contents readable. */
    kt_status (*recording_hand_out)(void *recording, uint32_t span, void **object);
    /* The commands are about to be submitted, and no run of them is in flight. KT_DRIVER_ERROR,
     * KT_NO_MEMORY, KT_DEVICE_LOST: this run is not timed. */
    kt_status (*recording_submit)(void *recording);
    /* The program says that no run of the recording is in flight, even after recording_submit. */
    void (*recording_reset)(void *recording);
    /*
     * Reads the timestamps of spans 0 .. count - 1. A span that is not complete is
     * KT_TIMESTAMP_NOT_READY. Timestamps may still be those of the previous run, but not of an
     * elapsed-only clock, where two runs may have equal times. `beside`: the program may be
     * submitting at this moment, so a driver that cannot be asked then is not asked.
     * KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY.
     */
    kt_status (*recording_read)(void *recording, uint32_t count, bool beside,
                                kt_timestamp *timestamps);
} kt_instrumentation;

/* Contract of the benchmark API. */
struct kt_backend {
    const char *name;  /* name in device ids: "opencl" */
    const char *title; /* name in messages: "OpenCL" */
    bool simulated;    /* the backend is used only if the user names it */
    size_t lib_size, device_size, memory_size, program_size, job_size;

    /*
     * (required) Opens the driver and counts its devices. Without a driver or device:
     * KT_UNAVAILABLE with a sentence, quickly. Must not create queues or compile. May block while a
     * driver loads.
     */
    kt_status (*lib_init)(void *lib, uint32_t *device_count);
    void (*lib_fini)(void *lib);

    /*
     * (required) Describes device `index` without opening it: no queue, no kernel. The core has set
     * id and backend. `scenario`: text after the second colon of the id, else NULL; always NULL
     * without takes_scenario.
     */
    kt_status (*device_info)(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
    bool takes_scenario;
    /* kt_language whose arguments have places (kt_arg_place) and whose programs have constants */
    uint32_t languages_with_places;
    uint32_t languages_with_local; /* kt_language whose kernels take local memory as arguments */

    /* (required) Opens the device. `info`, from device_info, lives as long as the device. */
    kt_status (*device_init)(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host);
    void (*device_fini)(void *device);

    /* Corrects device_info by what opening the device showed. Called once after device_init, before
     * anything else. */
    void (*device_found)(void *device, kt_device_info *info);

    /* Replaces the context's host clock, for devices with a time of their own. Called after
     * device_init. */
    void (*device_host_clock)(void *device, kt_host_clock *host);

    /*
     * Sets the number of this run, from 0. Each run is a process of its own. A device's
     * pseudo-random numbers must differ between runs and be equal for equal numbers. Real devices
     * differ by themselves. Called after device_init, before anything else.
     */
    void (*device_run)(void *device, uint32_t run);

    /* Adds what the device itself reports of its state to what the room state found, by
     * kt_state_set() and kt_state_miss(); `brief` as in kt_state_source. May run concurrently with
     * everything but itself. Waits for nothing but work of its own. */
    kt_status (*device_state)(void *device, bool brief, kt_device_state *state);

    /* Takes a clock pair. May be slow (some us at best), but must not hang. KT_UNSUPPORTED if the
     * driver cannot, also if only the call shows it. */
    kt_status (*clock_pair)(void *device, uint32_t clock, kt_clock_pair *pair);
    /* Clock resolution in ticks as the driver reports it, 0 if unknown. Used only if measured
     * timestamps agree. */
    uint64_t (*clock_step)(void *device, uint32_t clock);

    /* (required) `kind` is one of info->memory_kinds, never KT_MEMORY_DEFAULT. 1 <= bytes <=
     * max_memory_bytes. */
    kt_status (*memory_init)(void *memory, void *device, kt_memory_kind kind, size_t bytes);
    void (*memory_fini)(void *memory);
    /* (required) Within the memory's bounds. Return when done, or KT_TIMEOUT after timeout_ns. */
    kt_status (*memory_read)(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns);
    kt_status (*memory_write)(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns);

    /* (required) Compiles the program completely. desc->language is one of info->languages. */
    kt_status (*program_init)(void *program, void *device, const kt_program_desc *desc);
    void (*program_fini)(void *program);
    /* Describes the kernel by what the driver says; what it leaves is unknown. */
    kt_status (*program_reflect)(void *program, kt_reflection *reflection);

    /* (required) Allocates, compiles and records everything that submitting needs. */
    kt_status (*job_init)(void *job, void *device, const kt_backend_job *desc);
    void (*job_fini)(void *job);
    /*
     * (required) Submits the whole job, each step's kernel or copy `trials` times in a row; once if
     * a step is a map. If `timestamped`, job_read can read the span of each step. Must not wait,
     * allocate, or lock for long.
     */
    kt_status (*job_submit)(void *job, bool timestamped, uint32_t trials);
    /* (required) Waits for the last submission, once per submission. Reads nothing back. KT_OK,
     * KT_DRIVER_ERROR, KT_DEVICE_LOST, or KT_TIMEOUT after timeout_ns. */
    kt_status (*job_wait)(void *job, int64_t timeout_ns);
    /*
     * Evicts the job's memories from the caches of its device, as far as API and device allow.
     * Called between two submissions, outside of any timed span. May allocate and compile when
     * first called, and may lock, to share resources between jobs. Returns when done: KT_OK,
     * KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST, KT_TIMEOUT after timeout_ns, or KT_UNSUPPORTED
     * if no way is known for this device.
     */
    kt_status (*job_flush_caches)(void *job, int64_t timeout_ns);
    /*
     * (required) Returns one timestamp per step of the last timestamped submission, each with its
     * state. Waits for nothing. A device without clocks returns KT_TIMESTAMP_LOST for all. A
     * driver's error on one timestamp is that timestamp's state, not a failure of the call.
     */
    kt_status (*job_read)(void *job, kt_timestamp *timestamps);

    /* For the instrumentation API; NULL: programs cannot have timers on devices of this API. */
    const kt_instrumentation *instrumentation;
};

typedef struct kt_backend kt_backend;

/* Declares functions of a backend, named by its prefix and their slots. */
#define KT_DECLARE_SLOTS(prefix)                                                           \
    kt_status kt_##prefix##_device_info(void *, uint32_t, const char *, kt_device_info *); \
    kt_status kt_##prefix##_device_init(void *, void *, uint32_t, const char *,            \
                                        const kt_device_info *, const kt_host_clock *);    \
    void kt_##prefix##_device_fini(void *);                                                \
    void kt_##prefix##_device_found(void *, kt_device_info *);                             \
    void kt_##prefix##_device_host_clock(void *, kt_host_clock *);                         \
    void kt_##prefix##_device_run(void *, uint32_t);                                       \
    kt_status kt_##prefix##_device_state(void *, bool, kt_device_state *);                 \
    kt_status kt_##prefix##_clock_pair(void *, uint32_t, kt_clock_pair *);                 \
    uint64_t kt_##prefix##_clock_step(void *, uint32_t);                                   \
    kt_status kt_##prefix##_memory_init(void *, void *, kt_memory_kind, size_t);           \
    void kt_##prefix##_memory_fini(void *);                                                \
    kt_status kt_##prefix##_memory_read(void *, size_t, void *, size_t, int64_t);          \
    kt_status kt_##prefix##_memory_write(void *, size_t, const void *, size_t, int64_t);   \
    kt_status kt_##prefix##_program_init(void *, void *, const kt_program_desc *);         \
    void kt_##prefix##_program_fini(void *);                                               \
    kt_status kt_##prefix##_program_reflect(void *, kt_reflection *);                      \
    kt_status kt_##prefix##_job_init(void *, void *, const kt_backend_job *);              \
    void kt_##prefix##_job_fini(void *);                                                   \
    kt_status kt_##prefix##_job_submit(void *, bool, uint32_t);                            \
    kt_status kt_##prefix##_job_wait(void *, int64_t);                                     \
    kt_status kt_##prefix##_job_flush_caches(void *, int64_t);                             \
    kt_status kt_##prefix##_job_read(void *, kt_timestamp *);

#define KT_DECLARE_TIMER_SLOTS(prefix)                                                   \
    kt_status kt_##prefix##_timer_context_init(void *, const void *, kt_clock_info *);   \
    void kt_##prefix##_timer_context_fini(void *);                                       \
    kt_status kt_##prefix##_timer_context_clock_pair(void *, uint32_t, kt_clock_pair *); \
    kt_status kt_##prefix##_stream_init(void *, void *, bool *);                         \
    kt_status kt_##prefix##_mark_start(void *, void *, void *);                          \
    kt_status kt_##prefix##_mark_stop(void *, void *, void *);                           \
    kt_status kt_##prefix##_mark_take(void *, void *, void *);                           \
    kt_status kt_##prefix##_mark_hand_out(void *, void *, void **);                      \
    void kt_##prefix##_object_release(void *, void *);                                   \
    kt_status kt_##prefix##_mark_fill(void *, void *, void *, void *);                   \
    void kt_##prefix##_mark_unfill(void *, void *);                                      \
    kt_status kt_##prefix##_mark_encode(void *, void *, void *, void *);                 \
    kt_status kt_##prefix##_commands_resolve(void *, void *);                            \
    kt_status kt_##prefix##_commands_submitted(void *, void *);                          \
    kt_status kt_##prefix##_mark_read(void *, void *, kt_timestamp *);                   \
    bool kt_##prefix##_mark_stopped_at_once(void *, const void *, kt_timestamp *);       \
    void kt_##prefix##_mark_fini(void *, void *);                                        \
    kt_status kt_##prefix##_recording_init(void *, void *, uint32_t);                    \
    void kt_##prefix##_recording_fini(void *);                                           \
    kt_status kt_##prefix##_recording_begin(void *, void *, uint32_t);                   \
    kt_status kt_##prefix##_recording_timestamp(void *, uint32_t, bool);                 \
    kt_status kt_##prefix##_recording_hand_out(void *, uint32_t, void **);               \
    kt_status kt_##prefix##_recording_submit(void *);                                    \
    void kt_##prefix##_recording_reset(void *);                                          \
    kt_status kt_##prefix##_recording_read(void *, uint32_t, bool, kt_timestamp *);

/* Fills the slots that every backend has. */
#define KT_SLOTS(prefix)                                                                  \
    .device_size = sizeof(prefix##_device), .memory_size = sizeof(prefix##_memory),       \
    .program_size = sizeof(prefix##_program), .job_size = sizeof(prefix##_job),           \
    .device_info = kt_##prefix##_device_info, .device_init = kt_##prefix##_device_init,   \
    .memory_init = kt_##prefix##_memory_init, .memory_fini = kt_##prefix##_memory_fini,   \
    .memory_read = kt_##prefix##_memory_read, .memory_write = kt_##prefix##_memory_write, \
    .program_init = kt_##prefix##_program_init, .job_init = kt_##prefix##_job_init,       \
    .job_fini = kt_##prefix##_job_fini, .job_submit = kt_##prefix##_job_submit,           \
    .job_wait = kt_##prefix##_job_wait, .job_read = kt_##prefix##_job_read

/* For device_info: allows copies from `src` to `dst`. */
static inline void kt_offer_copy(kt_device_info *info, kt_memory_kind src, kt_memory_kind dst)
{
    info->copies[src] |= 1u << dst;
}

/* For device_info: allows copies between all kinds of memory that the device has. */
static inline void kt_offer_all_copies(kt_device_info *info)
{
    for (int kind = 0; kind < KT_MEMORY_KIND_COUNT; kind++)
        info->copies[kind] = info->memory_kinds & 1u << kind ? info->memory_kinds : 0;
}

#define KT_UUID_BYTES 16

/* For device_info: a UUID, its bytes in the order of the API's array. Zeros are none. */
static inline void kt_tell_uuid(kt_device_info *info, const void *uuid)
{
    const unsigned char *bytes = uuid;
    size_t length = 0;
    unsigned any = 0;
    for (size_t i = 0; i < KT_UUID_BYTES; i++) {
        any |= bytes[i];
        length += (size_t)snprintf(info->uuid + length, sizeof info->uuid - length, "%s%02x",
                                   i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    }
    if (!any)
        info->uuid[0] = '\0';
}

/* For device_info: an address on the PCI bus. One that no bus has is left out. */
static inline void kt_tell_pci_address(kt_device_info *info, uint32_t domain, uint32_t bus,
                                       uint32_t slot, uint32_t function)
{
    if (bus <= 0xff && slot <= 0x1f && function <= 7)
        snprintf(info->pci_address, sizeof info->pci_address, "%04x:%02x:%02x.%x", domain, bus,
                 slot, function);
}

/* Sets the error text of a timeout, the same for all APIs. Returns KT_TIMEOUT. */
static inline kt_status kt_fail_timeout(int64_t timeout_ns)
{
    return kt_fail(KT_TIMEOUT, "the device did not answer within %g s", (double)timeout_ns * 1e-9);
}
/* KT_INVALID if source and destination overlap, for APIs that leave the result undefined. */
static inline kt_status kt_check_overlap(const char *title, const kt_backend_step *copy)
{
    size_t src = copy->src_offset_bytes, dst = copy->dst_offset_bytes;
    bool overlap =
        copy->src == copy->dst && src < dst + copy->copy_bytes && dst < src + copy->copy_bytes;
    return overlap ? kt_fail(KT_INVALID, "%s does not copy between parts that overlap", title)
                   : KT_OK;
}
/*
 * Known defect of Mesa's compiler for CPUs (rusticl, lavapipe) by version: "22.3.6" or "Mesa 22.3.6
 * (LLVM 15.0.6)". Present in 22.3.6, absent in 25.0.7 (LP_MAX_TGSI_LOOP_ITERATIONS). Nothing is
 * said of versions between, which are untested.
 */
static inline const char *kt_quirk_of_llvmpipe(const char *version)
{
    unsigned major = 0;
    while (*version && (*version < '0' || *version > '9'))
        version++;
    for (; *version >= '0' && *version <= '9' && major < 100; version++)
        major = 10 * major + (unsigned)(*version - '0');
    return major > 0 && major <= 22
               ? "it ends the loops of a work-item, without an error, once their iterations "
                 "together are 65,535"
               : "";
}

/* registry.h has the list of backends. */
#define KT_DECLARE_BACKEND(name, id) extern const kt_backend kt_backend_##name;
KT_BACKENDS_(KT_DECLARE_BACKEND)
#undef KT_DECLARE_BACKEND

#endif
