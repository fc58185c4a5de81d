/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Registry of durations by name: any thread records one in a few ns.
 *
 * Statistics are read with snapshots (snapshot.h).
 */
#ifndef KERNTIME_REGISTRY_H
#define KERNTIME_REGISTRY_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/cycles.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Calls X(name, NAME) for each backend, in the order in which devices are shown: its name in device
 * ids, and the end of its kt_backend_id.
 */
#define KT_BACKENDS_(X)       \
    X(cpu, CPU)               \
    X(cuda, CUDA)             \
    X(hip, HIP)               \
    X(level_zero, LEVEL_ZERO) \
    X(metal, METAL)           \
    X(opencl, OPENCL)         \
    X(vulkan, VULKAN)         \
    X(webgpu, WEBGPU)         \
    X(sim, SIM)

/**
 * Backend that did the work: KT_BACKEND_CPU, KT_BACKEND_CUDA, KT_BACKEND_HIP,
 * KT_BACKEND_LEVEL_ZERO, KT_BACKEND_METAL, KT_BACKEND_OPENCL, KT_BACKEND_VULKAN, KT_BACKEND_WEBGPU,
 * KT_BACKEND_SIM.
 *
 * One name on two backends is two rows.
 */
typedef enum kt_backend_id {
    KT_BACKEND_NONE = 0, /**< not given */
#define KT_BACKEND_ID_(name, NAME) KT_BACKEND_##NAME,
    KT_BACKENDS_(KT_BACKEND_ID_)
#undef KT_BACKEND_ID_
    /** number of ids, with KT_BACKEND_NONE */
    KT_BACKEND_ID_COUNT
} kt_backend_id;

/**
 * Name of a backend as in device ids, such as "cuda".
 *
 * Threads: any.
 *
 * @param id any value
 * @return static string, never NULL; "none" for KT_BACKEND_NONE, "unknown" for any other value
 */
KT_API const char *kt_backend_id_name(kt_backend_id id);

/**
 * A place in the program that records under one name. Define it with KT_SITE.
 *
 * - Lifetime: as long as it is recorded to. The registry copies the name and keeps no pointer, so
 *   the shared library of a site may be unloaded; its row stays as long as libkerntime is loaded.
 * - Memory: a row is never freed. It takes about 14 KiB, as much again for each thread that records
 *   to it, twice that for a thread that did so before a snapshot, and 14 KiB in each snapshot. So
 *   use names for kinds of work, not for single frames.
 */
typedef struct kt_site {
    const char *name;      /**< name of the row */
    kt_backend_id backend; /**< backend of the row */
    uint32_t row;          /**< the registry's own; 0 before the first record */
    uint32_t cycles_row;   /**< the registry's own; 0 before the first kt_record_cycles() */
} kt_site;

#ifndef KT_COMPILED_OUT
/**
 * Defines a site, at file scope or in a function: `KT_SITE(blur, "blur", KT_BACKEND_CUDA);`
 *
 * @param variable name of the static variable
 * @param name name of the row, a string literal
 * @param backend a kt_backend_id
 */
#define KT_SITE(variable, name, backend) static kt_site variable = {name, backend, 0, 0}
#endif

/**
 * Adds one duration to the row of a site.
 *
 * - Cost: a few ns. It takes no lock and looks nothing up; it allocates only when a thread first
 *   records to a row.
 * - Threads: any number at once, also to one site. Not from signal handlers.
 * - fork(): a child may record, take snapshots and write files, whatever other threads of the
 *   parent were doing. It begins with the parent's records, but without those of a thread in a row
 *   that this thread was just recording to. It must not use devices and timer contexts of the
 *   parent.
 * - exit() in a signal handler: a snapshot after it leaves out the row that the interrupted thread
 *   was just recording to, by that thread.
 * - While the registry is disabled nothing is recorded.
 * - Counted as dropped: a duration below 0, not finite, or above 1e18 ns (31 years), a site without
 *   a name or with an unknown backend, no memory left, and rows beyond 65,536.
 *
 * @param site the site
 * @param duration_ns duration in ns
 */
KT_API void kt_record(kt_site *site, double duration_ns);

/**
 * Adds the time between two readings of kt_cycles_now() to the row of a site.
 *
 * - It is kept so that a period of the counter that is known better later corrects it: a snapshot
 *   applies the mean period known by then.
 * - If the clock changed between the readings, the span is counted as discarded, as
 *   KT_TIMESTAMP_AMBIGUOUS.
 * - Cost, threads, fork() and what is counted as dropped: as of kt_record(). A row that both calls
 *   record to takes twice the memory, and its `last_ns` is of kt_record().
 * - Spans of the system's clock and of hours or more are recorded in ns, as by kt_record().
 *
 * @param site the site
 * @param begin earlier reading
 * @param end later reading
 */
KT_API void kt_record_cycles(kt_site *site, uint64_t begin, uint64_t end);

/**
 * Adds one duration by name, for names made at run time.
 *
 * It is kt_record() but for a look-up of the name, which takes a lock.
 *
 * @param name name of the row, copied
 * @param backend backend of the row
 * @param duration_ns duration in ns
 */
KT_API void kt_record_name(const char *name, kt_backend_id backend, double duration_ns);

/**
 * Enables recording, as it is when a program starts.
 *
 * Threads: any; other threads see it a moment later.
 */
KT_API void kt_enable(void);

/**
 * Disables recording.
 *
 * Threads: any; other threads see it a moment later.
 */
KT_API void kt_disable(void);

/**
 * Whether recording is enabled.
 *
 * Threads: any.
 *
 * @return not 0 if it is enabled
 */
KT_API int kt_is_enabled(void);

/**
 * Forgets everything recorded; sites stay valid.
 *
 * - Spans of timers that are not collected yet count afterwards. kt_timer_context_wait() before it
 *   collects them.
 * - Threads: any. What other threads record meanwhile counts as before or as after.
 */
KT_API void kt_reset(void);

#ifndef KT_COMPILED_OUT

/** Not 0 while recording is enabled. Written by kt_enable() and kt_disable() only. */
extern KT_API int kt_registry_enabled;

/** @cond */
#if defined(__GNUC__)
#define KT_ENABLED_NOW_() __atomic_load_n(&kt_registry_enabled, __ATOMIC_RELAXED)
#else
#define KT_ENABLED_NOW_() (*(volatile int *)&kt_registry_enabled)
#endif

/* While recording is disabled, no call is made. */
#define kt_is_enabled()       KT_ENABLED_NOW_()
#define kt_record(...)        (KT_ENABLED_NOW_() ? kt_record(__VA_ARGS__) : (void)0)
#define kt_record_cycles(...) (KT_ENABLED_NOW_() ? kt_record_cycles(__VA_ARGS__) : (void)0)

/* State of KT_SCOPE. */
typedef struct kt_scope {
    kt_site *site;
    uint64_t begin; /* a reading of kt_cycles_now(); 0: recording was disabled */
} kt_scope;

static inline kt_scope kt_scope_begin_(kt_site *site)
{
    kt_scope scope = {site, 0};
    if (kt_is_enabled())
        scope.begin = kt_cycles_now();
    return scope;
}

static inline void kt_scope_end_(const kt_scope *scope)
{
    if (scope->begin)
        (kt_record_cycles)(scope->site, scope->begin, kt_cycles_now());
}
/** @endcond */

#if defined(__GNUC__)
/**
 * Records the time from here to the end of the enclosing block: `KT_SCOPE("blur");`
 *
 * - Clock: kt_cycles_now(), the CPU's counter where it is fit. Backend: KT_BACKEND_CPU.
 * - It records however the block is left, but not by longjmp() or exit().
 * - Compilers: only those with GNU's attributes.
 *
 * @param name name of the row, a string literal
 */
#define KT_SCOPE(name) KT_SCOPE_AT_(name, __LINE__)
#endif
/** @cond */
#define KT_SCOPE_AT_(name, line) KT_SCOPE_IN_(name, line)
#define KT_SCOPE_IN_(name, line)                                                  \
    static kt_site kt_site_##line##_ = {name, KT_BACKEND_CPU, 0, 0};              \
    kt_scope kt_scope_##line##_ __attribute__((cleanup(kt_scope_end_), unused)) = \
        kt_scope_begin_(&kt_site_##line##_)
/** @endcond */

#endif

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_REGISTRY_
#include <kerntime/compiled_out.h>
#endif

#endif
