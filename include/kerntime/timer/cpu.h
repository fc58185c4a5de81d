/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers on the host's fastest clock.
 */
#ifndef KERNTIME_TIMER_CONTEXT_CPU_H
#define KERNTIME_TIMER_CONTEXT_CPU_H

#include <kerntime/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Creates a timer context whose timers read the host's fastest clock (kt_cycles_now()) at start and
 * stop.
 *
 * - A span is what the calling thread does or waits for in between, including parallel regions.
 * - A span is in the registry when kt_timer_stop() returns.
 * - The `stream` of kt_timer_start() and kt_timer_stop() is NULL.
 *
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_timer_context_import_cpu(kt_timer_context **out);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_CPU_
#include <kerntime/compiled_out.h>
#endif

#endif
