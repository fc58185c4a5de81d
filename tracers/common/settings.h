/* SPDX-License-Identifier: MIT */
/*
 * settings.h - what the launcher tells the tracers: a file in the trace folder, mapped by both.
 *
 * The trace folder is private to one run of `kerntime trace`, and named by KERNTIME_TRACE. It holds
 * the file "settings" and one process file of each traced process (process_file.h). Launcher and
 * tracers are of the same version of kerntime, which both check.
 *
 * Room tracers/common: the files by which tracers and launcher exchange data. May know: support,
 * statistics.
 */
#ifndef TRACERS_COMMON_SETTINGS_H
#define TRACERS_COMMON_SETTINGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define TRACE_VARIABLE       "KERNTIME_TRACE" /* names the trace folder */
#define TRACE_SETTINGS_FILE  "settings"
#define TRACE_NESTED_FILE    "nested" /* made by a launcher that another one runs */
#define TRACE_SETTINGS_MAGIC UINT64_C(0x327465732d74656b) /* changes with the struct */

#define TRACE_GLOBS_BYTES   4096
#define TRACE_RANK_BYTES    64
#define TRACE_VERSION_BYTES 32
#define TRACE_FAILURE_BYTES 160

typedef struct trace_settings {
    uint64_t magic;
    char version[TRACE_VERSION_BYTES]; /* of kerntime */
    /* ---- constant while processes run ---- */
    uint64_t memory_bytes; /* memory for events of the time line, per process; 0: no time line */
    uint64_t skip, count;  /* kernels to pass over first, and to record then; count 0: all */
    int64_t root;          /* number of the only process to trace; 0: all that inherit */
    bool by_size;          /* rows are split by the size of launches */
    bool exact;            /* Vulkan: barriers around each command, which changes the program */
    /* Globs, each ended by 0, the last by another 0. None wanted: all. */
    char wanted[TRACE_GLOBS_BYTES], unwanted[TRACE_GLOBS_BYTES];
    /* Ranks to trace, as "0,4-7"; "": all. */
    char ranks[TRACE_GLOBS_BYTES];
    char rank_variable[TRACE_RANK_BYTES]; /* variable of the environment; "": the known ones */
    /* ---- changes while processes run ---- */
    _Atomic(uint32_t) paused; /* the launcher's: 1: nothing is recorded */
    _Atomic(uint64_t)
        kernels; /* kernels seen by all processes; only counted if skip or count is set */
    /* Disk space that process files may take in all, and have taken. The first is a quarter of what
     * was free; 0: no file was made yet. */
    _Atomic(uint64_t) most_bytes, taken_bytes;
    /* Why a process could not be recorded: the sentence of the first one. */
    _Atomic(uint32_t) failures;
    char failure[TRACE_FAILURE_BYTES];
} trace_settings;

#endif
