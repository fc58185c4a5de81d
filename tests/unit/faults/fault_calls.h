/* SPDX-License-Identifier: MIT */
/* fault_calls.h - which calls of an API were made to fail, and which never were. */
#ifndef FAULT_CALLS_H
#define FAULT_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/* The call that has failed, as it stands in the table of functions. */
void fault_calls_note(const char *name);

/* A function that cannot fail here, or all whose names begin so ("vkCmd*"); the last one has no
 * name. */
typedef struct fault_reason {
    const char *name, *reason;
} fault_reason;

/* Prints each function of the list that could have failed and never did, or that did and could not.
 * How many there are. */
unsigned fault_calls_count_wrong(const char *const *names, size_t count, const fault_reason *sure);

/* Fails unless each call of the list has failed, and no other. */
void fault_calls_expect_all(const char *const *names, size_t count);

/* Prints each function of the vulkan backend that could have failed and never did, or that did and
 * could not by what is said here. How many there are. Made for a driver that runs on the CPU. */
unsigned fault_calls_print_wrong(void);
/* The same of those that timers in the program's own commands take. */
unsigned fault_calls_print_wrong_of_timers(void);

/* The same of the functions that the benchmark API of CUDA or HIP calls, by a driver that has them
 * all, or an early one. */
unsigned fault_calls_print_wrong_of_cuda(bool is_hip, bool is_early);
/* What a sentence about this call says: its symbol in the API, of a compiler's what both call it.
 * NULL: no such call. */
const char *fault_calls_cuda_symbol(const char *name, bool is_hip);

/* The same of those that the benchmark API of Level Zero calls; an early driver tells an event's time
 * of one tile. */
unsigned fault_calls_print_wrong_of_level_zero(bool is_early);

/* The same of what the benchmark API sends to objects of Metal; a GPU samples at the stages of passes,
 * or between their commands. */
unsigned fault_calls_print_wrong_of_metal(bool has_stages);

#endif
