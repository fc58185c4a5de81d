/* SPDX-License-Identifier: MIT */
/* commands.h - what --slurm and --again share. What they print comes from files that anybody may
 * have written, and a shell runs it. */
#ifndef CLI_FLEET_COMMANDS_H
#define CLI_FLEET_COMMANDS_H

#include "cli/fleet/fleet.h"

/* ---- commands.c ---- */

/* A device that a person should look at. */
typedef struct fleet_suspect {
    const fleet_device *device;
    char *reason; /* of all suspects of its node; in the first of them */
} fleet_suspect;

/* Sorted by node; the caller frees it. Says on standard error which devices are left out, and why.
 * NULL: out of memory. */
fleet_suspect *fleet_list_suspects(const fleet *of, size_t *count);
bool fleet_is_suspect(const fleet_device *device);
/* Whether the node has a name that a host can have. */
bool fleet_has_node(const fleet_device *device);
/* Whether the text has letters, digits and these others alone, and begins with none that is special. */
bool fleet_is_harmless(const char *text, const char *others);
#define FLEET_ID_OTHERS ":=,_.-" /* in ids of devices */

/* A sentence on standard error; what terminals would obey is replaced. */
void fleet_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- repeat.c ---- */

/* Whether a text has no control characters, which change what a terminal shows. */
bool fleet_is_word(const char *text);
/* Such a text as one word of a shell; false: it is none. */
bool fleet_put_word(FILE *file, const char *text);
/* The command of a result file, for a shell and without devices and outputs, kept by the fleet. NULL:
 * with a clause why it cannot be repeated in *why, or out of memory. */
const char *fleet_repeat(fleet *of, const kt_report_desc *desc, const char **why);

#endif
