/* SPDX-License-Identifier: MIT */
/* names.h - numbers texts or other bytes in order of arrival, and stores each once. */
#ifndef KT_TRACE_NAMES_H
#define KT_TRACE_NAMES_H

#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kt_name kt_name;

/* A set of names with numbers. A zeroed struct has no names. */
typedef struct kt_names {
    char *bytes; /* all names, one after another */
    size_t used, room;
    kt_name *names;
    uint32_t count;
    size_t names_room;
    uint32_t *places;     /* hash table, linear probing: number of a name + 1; 0: free entry */
    uint32_t place_count; /* a power of two, at least twice the number of names */
} kt_names;

/* Number of these bytes, from 0. Adds them if they are new. KT_NO_MEMORY. */
kt_status kt_names_add(kt_names *names, const void *bytes, size_t length, uint32_t *number);
/* As kt_names_add(), for a text with its terminating zero. */
kt_status kt_names_add_text(kt_names *names, const char *text, uint32_t *number);

/* Name of that number. Valid until the next name is added. */
const char *kt_names_get(const kt_names *names, uint32_t number);

void kt_names_fini(kt_names *names);

#endif
