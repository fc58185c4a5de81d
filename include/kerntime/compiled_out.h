/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Replacements of the calls of registry.h, snapshot.h, timer.h and timer/X.h with
 * -DKT_COMPILED_OUT, and of kt_error_text(), kt_host_now_ns() and the calls of cycles.h.
 *
 * These headers include it after their declarations; a program does not.
 *
 * - A call that returns nothing leaves no code, also without optimisation.
 * - Other calls are constants: there are no durations, handles stay NULL, and what could fail
 *   returns KT_UNAVAILABLE. kt_snapshot_take() and kt_snapshot_compare() return KT_OK with NULL.
 * - The compiler checks arguments as usual. It evaluates only those of calls that write to an
 *   argument.
 * - Nothing of these calls has to be linked, so a program that only times itself needs no kerntime.
 *   What other headers declare stays as it is, and is linked where called.
 * - kt_error_text() and kt_host_now_ns() are those of the library where it is linked. If it has no
 *   error text, the text is "timers are compiled out". Without it the clock is that of the C
 *   library: CLOCK_MONOTONIC, or UTC where a program asks for C11 alone (-std=c11).
 * - kt_cycles_now() is that clock, so spans and places of its readings stay right.
 * - A macro takes any number of arguments, since a compound literal among them has commas of its
 *   own.
 * - A site stays a static variable, since a program may pass it to functions of its own, or give it
 *   the name of a function around it. Compilers remove it, but most do not at -O0.
 */
#ifndef KERNTIME_COMPILED_OUT_H
#define KERNTIME_COMPILED_OUT_H

#if defined(__GNUC__)
#define KT_GONE_INLINE_ static inline __attribute__((always_inline, unused))
#define KT_GONE_UNUSED_ __attribute__((unused))
#else
#define KT_GONE_INLINE_ static inline
#define KT_GONE_UNUSED_
#endif

#if defined(__GNUC__) && defined(__ELF__)
#define KT_GONE_WEAK_ 1 /* functions of the library may be missing */
#endif

#include <kerntime/status.h> /* behind what it needs of this file */
#include <math.h>
#include <stddef.h>
#include <string.h>

/* A function's result, unlike a constant, may be ignored without a warning. */
KT_GONE_INLINE_ kt_status kt_gone_unavailable_(void)
{
    return KT_UNAVAILABLE;
}

/* The call is in a branch that never runs. */
#define KT_GONE_VOID_(call)         (0 ? (call) : (void)0)
#define KT_GONE_VALUE_(call, value) (0 ? (call) : (value))
#define KT_GONE_STATUS_(call)       (0 ? (call) : kt_gone_unavailable_())

#endif

#if defined(KT_GONE_ERROR_TEXT_) && !defined(kt_error_text)
#ifdef KT_GONE_WEAK_
#pragma weak kt_error_text
#endif

KT_GONE_INLINE_ const char *kt_gone_error_text_(void)
{
#ifdef KT_GONE_WEAK_
    if (kt_error_text && kt_error_text()[0])
        return kt_error_text();
#endif
    return "timers are compiled out";
}

#define kt_error_text() kt_gone_error_text_()
#endif

#if defined(KT_GONE_HOST_NOW_) && !defined(kt_host_now_ns)
#include <stdint.h>
#include <time.h>
#ifdef KT_GONE_WEAK_
#pragma weak kt_host_now_ns
#endif

KT_GONE_INLINE_ int64_t kt_gone_host_now_ns_(void)
{
    struct timespec now;
#ifdef KT_GONE_WEAK_
    if (kt_host_now_ns)
        return kt_host_now_ns();
#endif
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#define kt_host_now_ns() kt_gone_host_now_ns_()
#endif

#if defined(KT_GONE_CYCLES_) && !defined(kt_cycles_now)

KT_GONE_INLINE_ uint64_t kt_gone_cycles_read_(int ordered)
{
    (void)ordered;
    return (uint64_t)kt_host_now_ns() | KT_CYCLES_SYSTEM;
}

KT_GONE_INLINE_ double kt_gone_cycles_span_ns_(uint64_t begin, uint64_t end, double *uncertainty_ns)
{
    int known =
        begin >= KT_CYCLES_SYSTEM && end >= KT_CYCLES_SYSTEM; /* else of a file that has timers */
    if (uncertainty_ns)
        *uncertainty_ns = known ? 1 : NAN;
    return known ? (double)(int64_t)(end - begin) : NAN;
}

KT_GONE_INLINE_ kt_status kt_gone_cycles_to_host_(uint64_t cycles, int64_t *host_ns,
                                                  double *uncertainty_ns)
{
    if (!host_ns)
        return KT_INVALID;
    if (cycles < KT_CYCLES_SYSTEM) /* of a file that has timers */
        return KT_NOT_READY;
    *host_ns = (int64_t)(cycles & ~KT_CYCLES_SYSTEM);
    if (uncertainty_ns)
        *uncertainty_ns = 1;
    return KT_OK;
}

#define kt_cycles_now()         kt_gone_cycles_read_(0)
#define kt_cycles_now_ordered() kt_gone_cycles_read_(1)
#define kt_cycles_read(ordered) kt_gone_cycles_read_(ordered)
#define kt_cycles_span_ns(...)  kt_gone_cycles_span_ns_(__VA_ARGS__)
#define kt_cycles_to_host(...)  kt_gone_cycles_to_host_(__VA_ARGS__)
#define kt_cycles_update()      ((void)0)
#define kt_cycles_get_info(...) KT_GONE_STATUS_((kt_cycles_get_info)(__VA_ARGS__))
#endif

#if defined(KT_GONE_REGISTRY_) && !defined(kt_record)
#define KT_SITE(variable, name, backend) static kt_site variable KT_GONE_UNUSED_
#define KT_SCOPE(name)                   struct kt_scope
#define kt_backend_id_name(...)          KT_GONE_VALUE_((kt_backend_id_name)(__VA_ARGS__), "none")
#define kt_record(...)                   KT_GONE_VOID_((kt_record)(__VA_ARGS__))
#define kt_record_cycles(...)            KT_GONE_VOID_((kt_record_cycles)(__VA_ARGS__))
#define kt_record_name(...)              KT_GONE_VOID_((kt_record_name)(__VA_ARGS__))
#define kt_enable()                      ((void)0)
#define kt_disable()                     ((void)0)
#define kt_is_enabled()                  0
#define kt_reset()                       ((void)0)
#endif

#if defined(KT_GONE_SNAPSHOT_) && !defined(kt_snapshot_take)

KT_GONE_INLINE_ kt_status kt_gone_snapshot_take_(kt_snapshot **out)
{
    *out = NULL;
    return KT_OK;
}

KT_GONE_INLINE_ kt_status kt_gone_snapshot_compare_(const kt_snapshot *before,
                                                    const kt_snapshot *after, kt_comparison **out)
{
    (void)before;
    (void)after;
    *out = NULL;
    return KT_OK;
}

#define kt_snapshot_take(...)       kt_gone_snapshot_take_(__VA_ARGS__)
#define kt_snapshot_destroy(...)    KT_GONE_VOID_((kt_snapshot_destroy)(__VA_ARGS__))
#define kt_snapshot_count(...)      KT_GONE_VALUE_((kt_snapshot_count)(__VA_ARGS__), 0u)
#define kt_snapshot_row(...)        KT_GONE_VALUE_((kt_snapshot_row)(__VA_ARGS__), NULL)
#define kt_snapshot_find(...)       KT_GONE_VALUE_((kt_snapshot_find)(__VA_ARGS__), NULL)
#define kt_snapshot_dropped(...)    KT_GONE_VALUE_((kt_snapshot_dropped)(__VA_ARGS__), 0u)
#define kt_row_percentile(...)      KT_GONE_VALUE_((kt_row_percentile)(__VA_ARGS__), NAN)
#define kt_snapshot_write(...)      KT_GONE_STATUS_((kt_snapshot_write)(__VA_ARGS__))
#define kt_snapshot_write_file(...) KT_GONE_STATUS_((kt_snapshot_write_file)(__VA_ARGS__))
#define kt_registry_print(...)      KT_GONE_STATUS_((kt_registry_print)(__VA_ARGS__))
#define kt_report_at_exit(...)      KT_GONE_STATUS_((kt_report_at_exit)(__VA_ARGS__))
#define kt_snapshot_compare(...)    kt_gone_snapshot_compare_(__VA_ARGS__)
#define kt_comparison_destroy(...)  KT_GONE_VOID_((kt_comparison_destroy)(__VA_ARGS__))
#define kt_comparison_count(...)    KT_GONE_VALUE_((kt_comparison_count)(__VA_ARGS__), 0u)
#define kt_comparison_row(...)      KT_GONE_VALUE_((kt_comparison_row)(__VA_ARGS__), NULL)
#define kt_comparison_write(...)    KT_GONE_STATUS_((kt_comparison_write)(__VA_ARGS__))
#endif

#if defined(KT_GONE_TIMER_) && !defined(kt_collect)

KT_GONE_INLINE_ void kt_gone_counts_(const kt_timer_context *context, kt_timer_context_counts *out)
{
    (void)context;
    memset(out, 0, sizeof *out);
}

KT_GONE_INLINE_ kt_status kt_gone_timer_create_(kt_timer_context *context, const char *name,
                                                kt_timer **out)
{
    (void)context;
    (void)name;
    *out = NULL;
    return KT_UNAVAILABLE;
}

KT_GONE_INLINE_ kt_status kt_gone_recording_create_(kt_timer_context *context,
                                                    const kt_recording_options *options,
                                                    kt_recording **out)
{
    (void)context;
    (void)options;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_close(...) KT_GONE_VOID_((kt_timer_context_close)(__VA_ARGS__))
#define kt_timer_context_get_clock(...) \
    KT_GONE_VALUE_((kt_timer_context_get_clock)(__VA_ARGS__), NULL)
#define kt_timer_context_calibrate(...) KT_GONE_STATUS_((kt_timer_context_calibrate)(__VA_ARGS__))
#define kt_timer_context_get_clock_state(...) \
    KT_GONE_STATUS_((kt_timer_context_get_clock_state)(__VA_ARGS__))
#define kt_collect(...)                  KT_GONE_STATUS_((kt_collect)(__VA_ARGS__))
#define kt_timer_context_get_counts(...) kt_gone_counts_(__VA_ARGS__)
#define kt_timer_create(...)             kt_gone_timer_create_(__VA_ARGS__)
#define kt_timer_destroy(...)            KT_GONE_VOID_((kt_timer_destroy)(__VA_ARGS__))
#define kt_timer_start(...)              KT_GONE_STATUS_((kt_timer_start)(__VA_ARGS__))
#define kt_timer_stop(...)               KT_GONE_STATUS_((kt_timer_stop)(__VA_ARGS__))
#define kt_timer_elapsed(...)            KT_GONE_STATUS_((kt_timer_elapsed)(__VA_ARGS__))
#define kt_timer_wait(...)               KT_GONE_STATUS_((kt_timer_wait)(__VA_ARGS__))
#define kt_timer_context_wait(...)       KT_GONE_STATUS_((kt_timer_context_wait)(__VA_ARGS__))
#define kt_recording_create(...)         kt_gone_recording_create_(__VA_ARGS__)
#define kt_recording_destroy(...)        KT_GONE_VOID_((kt_recording_destroy)(__VA_ARGS__))
#define kt_recording_start(...)          KT_GONE_STATUS_((kt_recording_start)(__VA_ARGS__))
#define kt_recording_stop(...)           KT_GONE_STATUS_((kt_recording_stop)(__VA_ARGS__))
#define kt_recording_submit(...)         KT_GONE_STATUS_((kt_recording_submit)(__VA_ARGS__))
#define kt_recording_reset(...)          KT_GONE_STATUS_((kt_recording_reset)(__VA_ARGS__))
#endif

#if defined(KT_GONE_CPU_) && !defined(kt_timer_context_import_cpu)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_cpu_(kt_timer_context **out)
{
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_cpu(...) kt_gone_timer_context_import_cpu_(__VA_ARGS__)
#endif

#if defined(KT_GONE_CUDA_) && !defined(kt_timer_context_import_cuda)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_cuda_(const kt_cuda_import *desc,
                                                             kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_cuda(...) kt_gone_timer_context_import_cuda_(__VA_ARGS__)
#define kt_timer_context_add_cuda_stream(...) \
    KT_GONE_STATUS_((kt_timer_context_add_cuda_stream)(__VA_ARGS__))
#endif

#if defined(KT_GONE_HIP_) && !defined(kt_timer_context_import_hip)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_hip_(const kt_hip_import *desc,
                                                            kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_hip(...) kt_gone_timer_context_import_hip_(__VA_ARGS__)
#define kt_timer_context_add_hip_stream(...) \
    KT_GONE_STATUS_((kt_timer_context_add_hip_stream)(__VA_ARGS__))
#endif

#if defined(KT_GONE_LEVEL_ZERO_) && !defined(kt_timer_context_import_level_zero)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_level_zero_(const kt_level_zero_import *desc,
                                                                   kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_level_zero(...) \
    kt_gone_timer_context_import_level_zero_(__VA_ARGS__)
#define kt_timer_context_add_level_zero_list(...) \
    KT_GONE_STATUS_((kt_timer_context_add_level_zero_list)(__VA_ARGS__))
#define kt_timer_context_remove_level_zero_list(...) \
    KT_GONE_STATUS_((kt_timer_context_remove_level_zero_list)(__VA_ARGS__))
#define kt_timer_event_level_zero(...) \
    KT_GONE_VALUE_((kt_timer_event_level_zero)(__VA_ARGS__), NULL)
#define kt_recording_begin_level_zero(...) \
    KT_GONE_STATUS_((kt_recording_begin_level_zero)(__VA_ARGS__))
#define kt_recording_event_level_zero(...) \
    KT_GONE_VALUE_((kt_recording_event_level_zero)(__VA_ARGS__), NULL)
#endif

#if defined(KT_GONE_METAL_) && !defined(kt_timer_context_import_metal)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_metal_(const kt_metal_import *desc,
                                                              kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_metal(...) kt_gone_timer_context_import_metal_(__VA_ARGS__)

#define kt_timer_pass_metal(...)         KT_GONE_STATUS_((kt_timer_pass_metal)(__VA_ARGS__))
#define kt_timer_start_metal(...)        KT_GONE_STATUS_((kt_timer_start_metal)(__VA_ARGS__))
#define kt_timer_stop_metal(...)         KT_GONE_STATUS_((kt_timer_stop_metal)(__VA_ARGS__))
#define kt_timer_add_metal_commands(...) KT_GONE_STATUS_((kt_timer_add_metal_commands)(__VA_ARGS__))
#define kt_timer_context_discard_metal(...) \
    KT_GONE_STATUS_((kt_timer_context_discard_metal)(__VA_ARGS__))
#endif

#if defined(KT_GONE_OPENCL_) && !defined(kt_timer_context_import_opencl)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_opencl_(const kt_opencl_import *desc,
                                                               kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_opencl(...) kt_gone_timer_context_import_opencl_(__VA_ARGS__)
#define kt_timer_context_add_opencl_queue(...) \
    KT_GONE_STATUS_((kt_timer_context_add_opencl_queue)(__VA_ARGS__))
#define kt_timer_event_opencl(...)     KT_GONE_VALUE_((kt_timer_event_opencl)(__VA_ARGS__), NULL)
#define kt_timer_add_opencl_event(...) KT_GONE_STATUS_((kt_timer_add_opencl_event)(__VA_ARGS__))
#endif

#if defined(KT_GONE_VULKAN_) && !defined(kt_timer_context_import_vulkan)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_vulkan_(const kt_vulkan_import *desc,
                                                               kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_vulkan(...) kt_gone_timer_context_import_vulkan_(__VA_ARGS__)

#define kt_recording_begin_vulkan(...) KT_GONE_STATUS_((kt_recording_begin_vulkan)(__VA_ARGS__))
#endif

#if defined(KT_GONE_WEBGPU_) && !defined(kt_timer_context_import_webgpu)

KT_GONE_INLINE_ kt_status kt_gone_timer_context_import_webgpu_(const kt_webgpu_import *desc,
                                                               kt_timer_context **out)
{
    (void)desc;
    *out = NULL;
    return KT_UNAVAILABLE;
}

#define kt_timer_context_import_webgpu(...) kt_gone_timer_context_import_webgpu_(__VA_ARGS__)

#define kt_timer_pass_webgpu(...) KT_GONE_VALUE_((kt_timer_pass_webgpu)(__VA_ARGS__), NULL)
#define kt_timer_context_resolve_webgpu(...) \
    KT_GONE_STATUS_((kt_timer_context_resolve_webgpu)(__VA_ARGS__))
#define kt_timer_context_submitted_webgpu(...) \
    KT_GONE_STATUS_((kt_timer_context_submitted_webgpu)(__VA_ARGS__))
#define kt_timer_context_discard_webgpu(...) \
    KT_GONE_STATUS_((kt_timer_context_discard_webgpu)(__VA_ARGS__))
#endif
