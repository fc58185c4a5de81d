/* SPDX-License-Identifier: MIT */
/* raw_cuda.h - what is timed by hand over CUDA, and over HIP by its names: see raw.h. */
#ifndef BENCH_RAW_CUDA_H
#define BENCH_RAW_CUDA_H

#include "bench/by_hand/raw.h"

#include <kerntime/device.h>

/* As open() of the two: of a device by its number in the driver's order. `library` NULL: the usual
 * one. */
void *raw_cuda_open(const char *library, int device);
void *raw_hip_open(const char *library, int device);
/* What failed last by hand, as one sentence; empty: nothing. */
const char *raw_cuda_reason(void);
/* Whether that library is here and has a device, without a word if not. */
bool raw_cuda_is_here(const char *library);
bool raw_hip_is_here(const char *library);

/* What make_copy() makes from now on, in place of heap and device. False: there is no such
 * memory. */
bool raw_cuda_copy_kinds(void *opened, kt_memory_kind src, kt_memory_kind dst);

/* Builds the kernel that spins, of a text in PTX; its parameters are an address and a duration in
 * ns. It runs in so many groups of so many threads, and fills `bytes` of memory of the device.
 * False if the driver fails. */
bool raw_cuda_make_spin(void *opened, const char *text, const char *entry, uint32_t groups,
                        uint32_t group_size, size_t bytes);
/* Clears the memory, runs the kernel between two events, tells their distance and the wall time,
 * and reads the memory. */
bool raw_cuda_spin(void *opened, uint64_t duration_ns, double *elapsed_ns, double *wall_ns,
                   void *timestamps);

/* The stream of dispatch(), and its parts for timers around them: the launch alone, and the wait
 * alone. */
void *raw_cuda_stream(void *opened);
bool raw_cuda_launch(void *opened);
bool raw_cuda_wait(void *opened);

/* The highest clock of the device and of its memory as the driver tells them, 0 where it does
 * not. */
void raw_cuda_clocks(void *opened, int *clock_khz, int *memory_khz);
/* "0000:3b:00.0". False: the driver does not tell. */
bool raw_cuda_bus(void *opened, char *text, int bytes);

#endif
