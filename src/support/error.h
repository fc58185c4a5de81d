/*
 * error.h - the sentence behind a failure, one per thread.
 *
 * Room support: what the system gives (memory, threads, files, clocks, libraries), errors, options
 * and names. Nobody else knows the system. Knows no other room.
 */
#ifndef KT_SUPPORT_ERROR_H
#define KT_SUPPORT_ERROR_H

#include <kerntime/status.h>

/* Has the compiler check a format (the number of its parameter) against its arguments. */
#if defined(__GNUC__)
#define KT_PRINTF(which, first) __attribute__((format(printf, which, first)))
#else
#define KT_PRINTF(which, first)
#endif

/* Longest text kept, with its terminating zero; a build log's end is cut off beyond it. */
#define KT_ERROR_TEXT_BYTES 4096

/* Sets this thread's text and answers `status`: a call can end with `return kt_fail(...)`. */
kt_status kt_fail(kt_status status, const char *format, ...) KT_PRINTF(2, 3);

#ifdef __clang_analyzer__
/* The analyzer cannot look into status.c, and would follow paths on which a failure answers
 * KT_OK. */
#define kt_fail(status, ...) ((kt_fail)(status, __VA_ARGS__), (status))
#endif

#endif
