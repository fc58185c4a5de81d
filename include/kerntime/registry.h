/* registry.h - durations by name: recorded from any thread in a few ns, read as statistics
 * (snapshot.h). */
#ifndef KERNTIME_REGISTRY_H
#define KERNTIME_REGISTRY_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** All backends, in the order in which devices are shown: the name in device ids, and that of the
 * id below. */
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

/** The backend that did the work: KT_BACKEND_CPU, KT_BACKEND_CUDA and so on. One name on two of
 * them is two rows. */
typedef enum kt_backend_id {
    KT_BACKEND_NONE = 0, /**< not said */
#define KT_BACKEND_ID_(name, NAME) KT_BACKEND_##NAME,
    KT_BACKENDS_(KT_BACKEND_ID_)
#undef KT_BACKEND_ID_
        KT_BACKEND_ID_COUNT
} kt_backend_id;

/** "cuda", as in device ids; "none"; "unknown" if it is no id. Never NULL. */
KT_API const char *kt_backend_id_name(kt_backend_id id);

/**
 * A place in the program that records under one name: a variable that lives as long as it is
 * recorded to. Make it with KT_SITE. The registry copies the name and keeps nothing of a site, so
 * the shared library that it is in may be unloaded; its row stays as long as libkerntime itself is
 * loaded.
 *
 * A row is never freed, and takes about 14 KiB for each thread that records to it, as much again
 * from the first snapshot on, and in each snapshot: names are for kinds of work, not for single
 * frames.
 */
typedef struct kt_site {
    const char *name;
    kt_backend_id backend;
    uint32_t row; /**< the registry's; 0 before the first record */
} kt_site;

/** Defines a site, at file scope or in a function: KT_SITE(blur, "blur", KT_BACKEND_CUDA); */
#ifndef KT_COMPILED_OUT
#define KT_SITE(variable, name, backend) static kt_site variable = {name, backend, 0}
#endif

/**
 * Adds one duration to the row of a site. A few ns: no lock, no look-up, nothing is allocated but
 * when a thread first records to a row. Any number of threads at once, also to one site; not from
 * signal handlers. A child of fork() may record, too, if there were other threads to what its own
 * recorded to before, but should take no snapshots: a lock or a thread that these wait for may not
 * be there. Nothing is
 * recorded while the registry is disabled. A duration that is below 0 or not finite, whose site has
 * no name or a backend that kt_backend_id does not have, or that there is no memory for, or no row,
 * of which there are 65,536 at most, is counted as dropped.
 */
KT_API void kt_record(kt_site *site, double duration_ns);

/** The same without a site, for names that are made at run time; looks the name up, which takes a
 * lock. */
KT_API void kt_record_name(const char *name, kt_backend_id backend, double duration_ns);

/** Recording is on when a program starts. Any thread; others see it a moment later. */
KT_API void kt_enable(void);
KT_API void kt_disable(void);
KT_API int kt_is_enabled(void);

/** Forgets all that was recorded; sites stay valid. Spans of timers that were not taken in yet
 * count afterwards: kt_native_wait() before it takes them in. Any thread; what others record
 * meanwhile counts as before or
 * as after. */
KT_API void kt_reset(void);

#ifndef KT_COMPILED_OUT

/** Not 0 while recording is on: kt_enable() and kt_disable() write it, nobody else may. */
extern KT_API int kt_registry_enabled;

#if defined(__GNUC__)
#define KT_ENABLED_NOW_() __atomic_load_n(&kt_registry_enabled, __ATOMIC_RELAXED)
#else
#define KT_ENABLED_NOW_() (*(volatile int *)&kt_registry_enabled)
#endif

/* While recording is off, no call is made. */
#define kt_is_enabled() KT_ENABLED_NOW_()
#define kt_record(...)  (KT_ENABLED_NOW_() ? kt_record(__VA_ARGS__) : (void)0)

/** What KT_SCOPE keeps. */
typedef struct kt_scope {
    kt_site *site;
    int64_t begin_ns; /**< host clock; INT64_MIN: recording was off */
} kt_scope;

static inline kt_scope kt_scope_begin_(kt_site *site)
{
    kt_scope scope = {site, INT64_MIN};
    if (kt_is_enabled())
        scope.begin_ns = kt_host_now_ns();
    return scope;
}

static inline void kt_scope_end_(const kt_scope *scope)
{
    if (scope->begin_ns != INT64_MIN)
        kt_record(scope->site, (double)(kt_host_now_ns() - scope->begin_ns));
}

#if defined(__GNUC__)
/**
 * Records the time from here to the end of the enclosing block, however it is left but by longjmp()
 * or exit(), on the host's clock under KT_BACKEND_CPU: KT_SCOPE("blur"); Compilers with GNU's
 * attributes only.
 */
#define KT_SCOPE(name) KT_SCOPE_AT_(name, __LINE__)
#endif
#define KT_SCOPE_AT_(name, line) KT_SCOPE_IN_(name, line)
#define KT_SCOPE_IN_(name, line)                                                  \
    static kt_site kt_site_##line##_ = {name, KT_BACKEND_CPU, 0};                 \
    kt_scope kt_scope_##line##_ __attribute__((cleanup(kt_scope_end_), unused)) = \
        kt_scope_begin_(&kt_site_##line##_)

#endif

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_REGISTRY_
#include <kerntime/compiled_out.h>
#endif

#endif
