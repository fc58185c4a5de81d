/* native/cpu.h - timers on the host's own clock. */
#ifndef KERNTIME_NATIVE_CPU_H
#define KERNTIME_NATIVE_CPU_H

#include <kerntime/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Gives a native whose timers read the host's clock (kt_host_now_ns()) at start and stop, for what
 * the calling thread does or waits for in between, parallel regions among it. Their spans are in
 * the registry when kt_timer_stop() returns; streams are NULL. KT_NO_MEMORY.
 */
KT_API kt_status kt_native_import_cpu(kt_native **out);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_CPU_
#include <kerntime/compiled_out.h>
#endif

#endif
