/*
 * backend.h - the contract between a backend and the rooms above, in two halves.
 *
 * Room backends: a folder for each API, which nobody else sees into. May know: support.
 *
 * The two APIs need different things of a backend, so there are two structs: kt_backend for the
 * benchmark API, kt_instrumentation for the instrumentation API.
 *
 * What the core promises:
 *  - arguments are valid: checked against the public contract and the device's own limits;
 *  - private memory (`void *lib`, `device`, ...) is zeroed and of the size that the backend named;
 *  - every *_init is followed by exactly one *_fini, also after it failed, so that cleaning up
 *    lives in one place: a fini must cope with whatever its init had got done;
 *  - children are finished before their parents;
 *  - after KT_TIMEOUT nothing of that device is called any more, not even a fini: the driver may
 *    still use all of it, so the core lets it go without freeing it;
 *  - init and fini of lib, device, memory and program, memory_read and memory_write run one at a
 *    time per device; job_* may run at once for different jobs, and clock_pair beside all of them.
 * What it expects: a backend reports raw ticks, or raw distances, and knows no statistics; it never
 * prints, exits or reads files; a failure is kt_fail(status, sentence). A slot that is NULL means
 * "this API cannot", and the core answers KT_UNSUPPORTED. Slots marked (required) may not be NULL.
 */
#ifndef KT_BACKEND_H
#define KT_BACKEND_H

#include "support/error.h"

#include <kerntime/clock.h>
#include <kerntime/device.h>
#include <kerntime/program.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a step's stamps say, as the driver gave them. */
typedef struct kt_stamp {
    kt_stamp_state state;
    uint32_t clock; /* index into the device's clocks */
    bool has_queue_stamps;
    uint64_t queued_ticks, submitted_ticks; /* if has_queue_stamps */
    uint64_t start_ticks, end_ticks;
    /* Of a clock that gives distances (kt_method_gives_distances()), in place of all ticks: the
     * driver's floats as they are, NaN if it wrote none. */
    float elapsed_ms; /* from this step's start to its end */
    float gap_ms; /* from the end of the step before it in the job to its start; 0 of the first */
    /* If has_context: the same step by another clock of the device, one that pauses
     * (kt_clock_info). */
    bool has_context;
    uint32_t context_clock;
    uint64_t context_start_ticks, context_end_ticks;
} kt_stamp;

typedef struct kt_backend_arg {
    void *memory; /* private memory of kt_memory, or NULL */
    void *value;  /* the job's own copy */
    size_t value_bytes;
} kt_backend_arg;

typedef struct kt_backend_step {
    kt_step_kind kind;
    void *program;
    const kt_backend_arg *args;
    uint32_t arg_count;
    uint32_t groups[3], group_size[3]; /* never 0 */
    /* Of a copy or a map: private memories. One end of a map is of kind host; its offset is 0. */
    void *src, *dst;
    size_t src_offset_bytes, dst_offset_bytes, copy_bytes;
} kt_backend_step;

/* Valid as long as the job. */
typedef struct kt_backend_job {
    const kt_backend_step *steps;
    uint32_t step_count;
    bool repeatable; /* running it again changes nothing: its inputs are not its outputs */
    /* stamped as a job with a copy is, though it has none: only where copy_clock is not 0 */
    bool as_copy;
} kt_backend_job;

/*
 * The contract of the instrumentation API: the program's own device, of which native/NAME.h tells
 * (timer.h has the objects), and which timer/NAME.c hands on. Nothing of it may wait, but
 * native_init to try out the stamps, for a few s at most. Of one native: native_* and stream_init
 * run one at a time; mark_* at once for different marks, but mark_read one at a time; recording_*
 * one at a time per recording.
 */
typedef struct kt_instrumentation {
    size_t native_size, mark_size, recording_size;

    /* Opens the driver, checks `desc` (that of native/NAME.h) and describes the clocks of the
     * stamps: one at least, in zeroed room for KT_CLOCKS_MAX. Those that have a name are there.
     * Their periods are known, unless they give distances, or native_clock_pair reads them. */
    kt_status (*native_init)(void *native, const void *desc, kt_clock_info *clocks);
    void (*native_fini)(void *native);
    /* One reading of a clock whose period native_init left unknown (NaN), as clock_pair. One at a
     * time per native, but beside all else. */
    kt_status (*native_clock_pair)(void *native, uint32_t clock, kt_clock_pair *pair);

    /* ---- streams: a mark holds the two stamps of a span. ---- */

    /* Whether this queue is one of the native's device whose stamps can be read; if so the driver
     * keeps it until native_fini. Whether what is put into it ends in that order: else it gets no
     * marks. */
    kt_status (*stream_init)(void *native, void *stream, bool *in_order);
    /* Put a stamp into a queue. mark_start fills a zeroed mark. */
    kt_status (*mark_start)(void *native, void *stream, void *mark);
    kt_status (*mark_stop)(void *native, void *stream, void *mark);
    /* Fills a zeroed mark with what the driver handed out for one command. */
    kt_status (*mark_take)(void *native, void *object, void *mark);
    /* The other way round: fills a zeroed mark, and hands out an object of the API for one command
     * of the program, in which that leaves its stamps. */
    kt_status (*mark_hand_out)(void *native, void *mark, void **object);
    /* Fills `descriptor` of the API, so that a pass among `commands` of the program leaves its
     * stamps in a zeroed mark. Each mark is of one pass, and passes begin in the order in which
     * they are filled. KT_LIMIT: no room. */
    kt_status (*mark_fill)(void *native, void *commands, void *descriptor, void *mark);
    /* The pass of `descriptor` is not timed: takes out what mark_fill put there for another pass,
     * if that is there. Also after mark_fill failed. */
    void (*mark_unfill)(void *native, void *descriptor);
    /* Puts the first stamp of a zeroed mark into an encoder of `commands`, the second one is
     * mark_stop's with that encoder as the stream. As mark_fill. */
    kt_status (*mark_encode)(void *native, void *commands, void *encoder, void *mark);

    /* Puts among `commands` what brings the stamps of its marks to where they can be read; no more
     * marks in it after that. KT_INVALID: that was done before, and holds; after any other failure
     * its marks are finished unread. Of commands without marks, here and below: KT_OK. */
    kt_status (*commands_resolve)(void *native, void *commands);
    /* `commands` have been submitted: from now on their marks may be read. KT_INVALID: not
     * resolved, or said before. */
    kt_status (*commands_submitted)(void *native, void *commands);
    /* The stamps of a mark, with their state; KT_NOT_READY without a sentence: not yet. Any other
     * failure is that of this mark. Of marks among commands that have no commands_submitted it is
     * called as soon as they are filled, encoded or taken: it asks the API whether the commands,
     * which the mark keeps alive, are complete. They end in any order, and may be submitted whatever
     * became of the mark: the program may do so with what it encoded for a timer that is gone. */
    kt_status (*mark_read)(void *native, void *mark, kt_stamp *stamp);
    /* Gives back what a mark holds, however far it came. */
    void (*mark_fini)(void *native, void *mark);

    /* ---- recordings: spans by number, from 0 on. ---- */

    kt_status (*recording_init)(void *recording, void *native, uint32_t spans_max);
    void (*recording_fini)(void *recording);
    /* Begins in `commands` of the program, which it began with the flags `usage`; all that was
     * recorded before is forgotten. */
    kt_status (*recording_begin)(void *recording, void *commands, uint32_t usage);
    kt_status (*recording_stamp)(void *recording, uint32_t span, bool end);
    /* In place of the first stamp of a span: hands out an object for one of the commands, as
     * mark_hand_out. Its second stamp brings what that holds to where it can be read. */
    kt_status (*recording_hand_out)(void *recording, uint32_t span, void **object);
    /* The commands are to be submitted, and no run of them that it was told of is in flight.
     * KT_DRIVER_ERROR, KT_NO_MEMORY, KT_DEVICE_LOST: this run is not timed. */
    kt_status (*recording_submit)(void *recording);
    /* No run is in flight, as the program says, also if one was to be submitted. */
    void (*recording_reset)(void *recording);
    /* The stamps of the spans 0 .. count - 1 as far as they are there: else their state is
     * KT_STAMP_NOT_READY. Those of the run before may still be there, but not of a clock that gives
     * distances, which may be alike. `beside`: the program may submit at the same moment, and a
     * driver that cannot be asked then is not. KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY. */
    kt_status (*recording_read)(void *recording, uint32_t count, bool beside, kt_stamp *stamps);
} kt_instrumentation;

/* The contract of the benchmark API. */
struct kt_backend {
    const char *name;  /* "opencl": in device ids */
    const char *title; /* "OpenCL": for people */
    bool simulated;    /* used only when named */
    size_t lib_size, device_size, memory_size, program_size, job_size;
    /* The number of the clock that stamps all steps of a job with a copy, where that is not the
     * clock of empty steps; else 0. */
    uint32_t copy_clock;

    /* (required) Opens the driver and counts its devices. No driver or no device: KT_UNAVAILABLE
     * with a sentence, quickly. May not make queues or compile. May block while a driver loads. */
    kt_status (*lib_init)(void *lib, uint32_t *device_count);
    void (*lib_fini)(void *lib);

    /* (required) Describes device `index` without opening it: no queue, no kernel. `scenario` is
     * what stands behind a second colon of the id, else NULL; a backend that takes none is never
     * given one. The core has filled in id and backend. */
    kt_status (*device_info)(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
    bool takes_scenario;

    /* (required) Opens it. `info` is what device_info said and lives as long as the device. */
    kt_status (*device_init)(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host);
    void (*device_fini)(void *device);

    /* What only opening it showed: may correct what device_info said. Called once after
     * device_init, before anything else. */
    void (*device_found)(void *device, kt_device_info *info);

    /* A host clock of the device's own, in place of the context's: for devices that do not live in
     * this world's time. Called after device_init. */
    void (*device_host_clock)(void *device, kt_host_clock *host);

    /* The number of this run of several, from 0, each in a process of its own: what the device
     * makes of pseudo-random numbers is to differ from run to run, and to be the same in each run
     * of the same number. Real devices differ by themselves. Called after device_init, before
     * anything else. */
    void (*device_run)(void *device, uint32_t run);

    /* One reading of a clock between two of the host. Some us at best; however long it takes, it
     * may not hang. KT_UNSUPPORTED where this driver cannot, also if only the call shows it. */
    kt_status (*clock_pair)(void *device, uint32_t clock, kt_clock_pair *pair);
    /* In steps of how many ticks the driver says that the clock's stamps move; 0: it does not say.
     * Believed where stamps are seen to. */
    uint64_t (*clock_step)(void *device, uint32_t clock);

    /* (required) kind is one of info->memory_kinds, never KT_MEMORY_DEFAULT; 1 <= bytes <=
     * max_memory_bytes. */
    kt_status (*memory_init)(void *memory, void *device, kt_memory_kind kind, size_t bytes);
    void (*memory_fini)(void *memory);
    /* (required) Within the memory's bounds. Return when done, or KT_TIMEOUT after timeout_ns. */
    kt_status (*memory_read)(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns);
    kt_status (*memory_write)(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns);

    /* (required) desc->language is one of info->languages. Compiles all there is to compile. */
    kt_status (*program_init)(void *program, void *device, const kt_program_desc *desc);
    void (*program_fini)(void *program);

    /* (required) Allocates, compiles and records everything that submitting will need. */
    kt_status (*job_init)(void *job, void *device, const kt_backend_job *desc);
    void (*job_fini)(void *job);
    /* (required) Hands the whole job to the device, each step's kernel or copy `trials` times in a
     * row: once, if one of them is a map. Stamped: so that job_read can tell each step's span. Must
     * not wait, allocate or lock for long. */
    kt_status (*job_submit)(void *job, bool stamped, uint32_t trials);
    /* (required) Returns when the last submission has completed: KT_OK, KT_DRIVER_ERROR,
     * KT_DEVICE_LOST, or KT_TIMEOUT after timeout_ns. Reads nothing back. Called once per
     * submission. */
    kt_status (*job_wait)(void *job, int64_t timeout_ns);
    /* Empties the caches of the device that the job runs on of the job's memories, as far as the
     * API and the device allow. Called between two submissions, when nothing of the job runs and no
     * time is taken. Returns when done: KT_OK, KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST, or
     * KT_TIMEOUT after timeout_ns; KT_UNSUPPORTED: it is not known how, on this device. May
     * allocate and compile when first called, and may lock: what it needs can be shared by all jobs
     * of the device. */
    kt_status (*job_flush_caches)(void *job, int64_t timeout_ns);
    /* (required) One stamp per step of the last stamped submission, each in its state; a device
     * without clocks says KT_STAMP_LOST of all. Waits for nothing. A driver's error on one stamp is
     * that stamp's state, not a failure of the call. */
    kt_status (*job_read)(void *job, kt_stamp *stamps);

    /* What the instrumentation API needs; NULL: programs cannot have timers on devices of this API. */
    const kt_instrumentation *instrumentation;
};

typedef struct kt_backend kt_backend;

/* For device_info: copies between these kinds are possible. */
static inline void kt_offer_copy(kt_device_info *info, kt_memory_kind src, kt_memory_kind dst)
{
    info->copies[src] |= 1u << dst;
}

/* Between all kinds that the device has. */
static inline void kt_offer_all_copies(kt_device_info *info)
{
    for (int kind = 0; kind < KT_MEMORY_KIND_COUNT; kind++)
        info->copies[kind] = info->memory_kinds & 1u << kind ? info->memory_kinds : 0;
}

/* Sentences that are the same of every API. */
static inline kt_status kt_fail_timeout(int64_t timeout_ns)
{
    return kt_fail(KT_TIMEOUT, "the device did not answer within %g s", (double)timeout_ns * 1e-9);
}
/* Of a copy, for APIs that leave open what comes of one into itself: KT_INVALID. */
static inline kt_status kt_check_overlap(const char *title, const kt_backend_step *copy)
{
    size_t src = copy->src_offset_bytes, dst = copy->dst_offset_bytes;
    bool overlap =
        copy->src == copy->dst && src < dst + copy->copy_bytes && dst < src + copy->copy_bytes;
    return overlap ? kt_fail(KT_INVALID, "%s does not copy between parts that overlap", title)
                   : KT_OK;
}
/* What is known of Mesa's compiler for CPUs (rusticl, lavapipe) by its version, as in "22.3.6" or
 * "Mesa 22.3.6 (LLVM 15.0.6)". Seen in 22.3.6, not in 25.0.7 (LP_MAX_TGSI_LOOP_ITERATIONS); nothing
 * is said of versions between, which nobody has tried. */
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

/* The list of backends is that of registry.h. */
#define KT_DECLARE_BACKEND(name, id) extern const kt_backend kt_backend_##name;
KT_BACKENDS_(KT_DECLARE_BACKEND)
#undef KT_DECLARE_BACKEND

#endif
