/* SPDX-License-Identifier: MIT */
/* imports.h - what the command imports from JavaScript in WebAssembly, besides WASI. Those marked
 * as suspending return when a promise is settled. */
#ifndef CLI_WASI_IMPORTS_H
#define CLI_WASI_IMPORTS_H

#include <stddef.h>
#include <stdint.h>

#define IMPORTED(name) __attribute__((import_module("kerntime"), import_name(#name)))

/* Shows a row: up to three texts with tabs between. One with the same id is replaced; id 0: a
 * lasting one of its own. */
IMPORTED(progress_row) void import_progress_row(uintptr_t id, const char *row, int is_final);
/* Shows the completed share, 0..1, and the remaining time, negative if it is not known yet. */
IMPORTED(progress_bar) void import_progress_bar(double share, double left_ns, const char *label);

/* Suspending: lets JavaScript handle what has happened meanwhile, such as a request to stop. */
IMPORTED(yield) void import_yield(void);

/* Starts this command again in an instance of its own. Returns its number. */
IMPORTED(spawn) int import_spawn(const char *const *words, size_t count);
/* Suspending: reads from standard output of the process. Returns the bytes read; 0: it has ended;
 * -1: nothing came within the limit. */
IMPORTED(read_output)
int import_read_output(int process, char *text, size_t room, double limit_ms);
/* Suspending: waits for the end, which is forced if `forced`. Returns the exit code; 256: it
 * trapped. */
IMPORTED(finish) int import_finish(int process, int forced);

#endif
