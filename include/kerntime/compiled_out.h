/*
 * compiled_out.h - what registry.h, snapshot.h, timer.h and native/ are with -DKT_COMPILED_OUT. They include it, each when
 * it has declared its calls; do not include it yourself.
 *
 * Calls that return nothing leave no code, also where nothing is optimised. The others are constants: there are no
 * durations, handles stay NULL, and what could fail answers KT_UNAVAILABLE. Arguments are checked by the compiler as ever, but not
 * evaluated; only what a call writes to is written. So nothing of these calls has to be linked.
 *
 * A site stays a static variable, since a program may hand it to functions of its own, or give it the name of a function
 * around it. Compilers throw it out, but at -O0 most do not.
 */
#ifndef KERNTIME_COMPILED_OUT_H
#define KERNTIME_COMPILED_OUT_H

#include <kerntime/status.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#if defined(__GNUC__)
#define KT_GONE_INLINE_ static inline __attribute__((always_inline, unused))
#define KT_GONE_UNUSED_ __attribute__((unused))
#else
#define KT_GONE_INLINE_ static inline
#define KT_GONE_UNUSED_
#endif

/* Unlike a plain constant, what a function returns may be ignored without a warning. */
KT_GONE_INLINE_ kt_status kt_gone_unavailable_(void)
{
    return KT_UNAVAILABLE;
}

KT_GONE_INLINE_ kt_status kt_gone_ok_(void)
{
    return KT_OK;
}

/* The call stands where nothing gets to. */
#define KT_GONE_VOID_(call)         (0 ? (call) : (void)0)
#define KT_GONE_VALUE_(call, value) (0 ? (call) : (value))
#define KT_GONE_STATUS_(call)       (0 ? (call) : kt_gone_unavailable_())
#define KT_GONE_HANDLE_(call, out)  (*(out) = NULL, 0 ? (call) : kt_gone_unavailable_())
#define KT_GONE_EMPTY_(call, out)   (*(out) = NULL, 0 ? (call) : kt_gone_ok_())

#endif

#if defined(KT_GONE_REGISTRY_) && !defined(kt_record)
#define KT_SITE(variable, name, backend) static kt_site variable KT_GONE_UNUSED_
#define KT_SCOPE(name)                   struct kt_scope
#define kt_backend_id_name(id)           KT_GONE_VALUE_((kt_backend_id_name)(id), "none")
#define kt_record(site, duration_ns)     KT_GONE_VOID_((kt_record)(site, duration_ns))
#define kt_record_name(name, backend, duration_ns) \
    KT_GONE_VOID_((kt_record_name)(name, backend, duration_ns))
#define kt_enable()     ((void)0)
#define kt_disable()    ((void)0)
#define kt_is_enabled() 0
#define kt_reset()      ((void)0)
#endif

#if defined(KT_GONE_SNAPSHOT_) && !defined(kt_snapshot_take)
#define kt_snapshot_take(out)            KT_GONE_EMPTY_((kt_snapshot_take)(out), out)
#define kt_snapshot_destroy(snapshot)    KT_GONE_VOID_((kt_snapshot_destroy)(snapshot))
#define kt_snapshot_count(snapshot)      KT_GONE_VALUE_((kt_snapshot_count)(snapshot), 0u)
#define kt_snapshot_row(snapshot, index) KT_GONE_VALUE_((kt_snapshot_row)(snapshot, index), NULL)
#define kt_snapshot_find(snapshot, name, backend) \
    KT_GONE_VALUE_((kt_snapshot_find)(snapshot, name, backend), NULL)
#define kt_snapshot_dropped(snapshot)   KT_GONE_VALUE_((kt_snapshot_dropped)(snapshot), 0u)
#define kt_row_percentile(row, percent) KT_GONE_VALUE_((kt_row_percentile)(row, percent), NAN)
#define kt_snapshot_write(snapshot, format, sink) \
    KT_GONE_STATUS_((kt_snapshot_write)(snapshot, format, sink))
#define kt_snapshot_write_file(snapshot, format, path) \
    KT_GONE_STATUS_((kt_snapshot_write_file)(snapshot, format, path))
#define kt_snapshot_compare(before, after, out) \
    KT_GONE_EMPTY_((kt_snapshot_compare)(before, after, out), out)
#define kt_comparison_destroy(comparison) KT_GONE_VOID_((kt_comparison_destroy)(comparison))
#define kt_comparison_count(comparison)   KT_GONE_VALUE_((kt_comparison_count)(comparison), 0u)
#define kt_comparison_row(comparison, index) \
    KT_GONE_VALUE_((kt_comparison_row)(comparison, index), NULL)
#define kt_comparison_write(comparison, sink) \
    KT_GONE_STATUS_((kt_comparison_write)(comparison, sink))
#endif

#if defined(KT_GONE_TIMER_) && !defined(kt_collect)
KT_GONE_INLINE_ void kt_gone_counts_(kt_native_counts *out)
{
    memset(out, 0, sizeof *out);
}
#define kt_native_close(native)     KT_GONE_VOID_((kt_native_close)(native))
#define kt_native_get_clock(native) KT_GONE_VALUE_((kt_native_get_clock)(native), NULL)
#define kt_collect(native)          KT_GONE_STATUS_((kt_collect)(native))
#define kt_native_get_counts(native, out) \
    (0 ? (kt_native_get_counts)(native, out) : kt_gone_counts_(out))
#define kt_timer_create(native, name, out) \
    KT_GONE_HANDLE_((kt_timer_create)(native, name, out), out)
#define kt_timer_destroy(timer)             KT_GONE_VOID_((kt_timer_destroy)(timer))
#define kt_timer_start(timer, stream)       KT_GONE_STATUS_((kt_timer_start)(timer, stream))
#define kt_timer_stop(timer, stream)        KT_GONE_STATUS_((kt_timer_stop)(timer, stream))
#define kt_timer_elapsed(timer, elapsed_ns) KT_GONE_STATUS_((kt_timer_elapsed)(timer, elapsed_ns))
#define kt_timer_wait(timer, timeout_ns)    KT_GONE_STATUS_((kt_timer_wait)(timer, timeout_ns))
#define kt_native_wait(native, timeout_ns)  KT_GONE_STATUS_((kt_native_wait)(native, timeout_ns))
#define kt_recording_create(native, options, out) \
    KT_GONE_HANDLE_((kt_recording_create)(native, options, out), out)
#define kt_recording_destroy(recording)      KT_GONE_VOID_((kt_recording_destroy)(recording))
#define kt_recording_start(recording, timer) KT_GONE_STATUS_((kt_recording_start)(recording, timer))
#define kt_recording_stop(recording, timer)  KT_GONE_STATUS_((kt_recording_stop)(recording, timer))
#define kt_recording_submit(recording)       KT_GONE_STATUS_((kt_recording_submit)(recording))
#define kt_recording_reset(recording)        KT_GONE_STATUS_((kt_recording_reset)(recording))
#endif

#if defined(KT_GONE_CPU_) && !defined(kt_native_import_cpu)
#define kt_native_import_cpu(out) KT_GONE_HANDLE_((kt_native_import_cpu)(out), out)
#endif

#if defined(KT_GONE_OPENCL_) && !defined(kt_native_import_opencl)
#define kt_native_import_opencl(desc, out) \
    KT_GONE_HANDLE_((kt_native_import_opencl)(desc, out), out)
#define kt_native_add_opencl_queue(native, queue) \
    KT_GONE_STATUS_((kt_native_add_opencl_queue)(native, queue))
#define kt_timer_add_opencl_event(timer, event) \
    KT_GONE_STATUS_((kt_timer_add_opencl_event)(timer, event))
#endif

#if defined(KT_GONE_VULKAN_) && !defined(kt_native_import_vulkan)
#define kt_native_import_vulkan(desc, out) \
    KT_GONE_HANDLE_((kt_native_import_vulkan)(desc, out), out)
#define kt_recording_begin_vulkan(recording, commands, usage) \
    KT_GONE_STATUS_((kt_recording_begin_vulkan)(recording, commands, usage))
#endif
