/* SPDX-License-Identifier: MIT */
/*
 * error.h - the error text of the calling thread.
 *
 * Room support: what the operating system provides (memory, threads, files, clocks, libraries),
 * errors, options and names. No other room calls the system. Knows no other room.
 */
#ifndef KT_SUPPORT_ERROR_H
#define KT_SUPPORT_ERROR_H

#include <kerntime/status.h>

/* Lets the compiler check the format at parameter `which` against the arguments from `first` on. */
#if defined(__GNUC__)
#define KT_PRINTF(which, first) __attribute__((format(printf, which, first)))
#else
#define KT_PRINTF(which, first)
#endif

/* Longest error text, including the terminating zero. Longer texts, such as build logs, are cut. */
#define KT_ERROR_TEXT_BYTES 4096

/* Sets the thread's error text and returns `status`, for use as `return kt_fail(...)`. */
kt_status kt_fail(kt_status status, const char *format, ...) KT_PRINTF(2, 3);

#ifdef __clang_analyzer__
/* The analyzer cannot see status.c; without this macro it assumes that kt_fail() may return
 * KT_OK. */
#define kt_fail(status, ...) ((kt_fail)(status, __VA_ARGS__), (status))
#endif

#endif
