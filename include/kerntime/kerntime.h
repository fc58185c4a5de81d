/* SPDX-License-Identifier: MIT */
/**
 * @file
 * All of kerntime but the imports of single APIs, and its version.
 *
 * A program that imports its own device or queue also includes one of kerntime/timer/: cpu.h,
 * cuda.h, hip.h, level_zero.h, metal.h, opencl.h, vulkan.h, webgpu.h. kerntime.hpp is for C++.
 */
/**
 * @mainpage API reference
 *
 * kerntime measures how long kernels and copies take on any compute API. It has two APIs:
 *
 * - Benchmark API: kerntime runs the work and measures it until its time is known. Create a context
 *   and a device (device.h), memory (memory.h), a program (program.h) and a job (job.h), then call
 *   kt_measure() (measure.h) and read the result (result.h).
 * - Instrumentation API: the program runs its own work, and kerntime times spans of it. Import a
 *   queue or device (timer/cuda.h and so on), put timers around the work (timer.h), and read
 *   statistics by name (registry.h, snapshot.h).
 *
 * Around them: compare.h compares measurements, trace.h writes time lines, transfer.h fits latency
 * and bandwidth of copies, clock.h places timestamps of a device on the host's clock, stats.h
 * summarises samples, diagnostic.h and host.h describe device and host.
 *
 * Conventions:
 *
 * - Durations are `double` ns. Instants of the host are `int64_t` ns.
 * - An unknown `double` is NaN.
 * - Zero a structure with a member `size`, set `size` to the sizeof of the structure, then set what
 *   differs from the defaults. Where a call takes a pointer to options, NULL means the defaults.
 * - A call with such a structure returns KT_INVALID if `size` is not set, and KT_UNSUPPORTED if the
 *   structure has a member set that this version of the library does not know.
 * - A destroy or close call takes the address of a handle, sets the handle to NULL, and accepts
 *   NULL in its place and in it.
 * - Pointers and handles must not be NULL, unless their description says so. A call that has a
 *   status refuses NULL with KT_INVALID. Other calls return 0, NULL or NaN, or do nothing.
 * - kt_record(), kt_record_cycles() and the functions of stats.h and transfer.h do not check their
 *   pointers.
 * - A call writes its outputs only on KT_OK, unless its description says otherwise.
 * - After a failure kt_error_text() has one sentence about it, per thread (status.h).
 * - Names of enumeration values are those of the result file.
 * - Each call states its threads. Without a statement: one thread at a time per object.
 *
 * With `-DKT_COMPILED_OUT` the instrumentation API leaves no code in the program: calls become
 * constants, handles stay NULL, and calls that can fail return KT_UNAVAILABLE.
 */
#ifndef KERNTIME_H
#define KERNTIME_H

#include <kerntime/clock.h>
#include <kerntime/compare.h>
#include <kerntime/cycles.h>
#include <kerntime/device.h>
#include <kerntime/diagnostic.h>
#include <kerntime/fleet.h>
#include <kerntime/host.h>
#include <kerntime/job.h>
#include <kerntime/measure.h>
#include <kerntime/memory.h>
#include <kerntime/program.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/snapshot.h>
#include <kerntime/state.h>
#include <kerntime/stats.h>
#include <kerntime/status.h>
#include <kerntime/timer.h>
#include <kerntime/trace.h>
#include <kerntime/transfer.h>
#include <kerntime/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The build reads the version from these three lines. */
#define KT_VERSION_MAJOR 0 /**< major version of these headers */
#define KT_VERSION_MINOR 1 /**< minor version of these headers */
#define KT_VERSION_PATCH 0 /**< patch version of these headers */

/**
 * Version of the library that is running.
 *
 * Threads: any.
 *
 * @return static string such as "0.1.0"
 */
KT_API const char *kt_version(void);

#ifdef __cplusplus
}
#endif

#endif
