/* names.h - small numbers for texts, or for any bytes: each is kept once, in the order of its first
 * coming. */
#ifndef KT_TRACE_NAMES_H
#define KT_TRACE_NAMES_H

#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kt_name kt_name;

/* Begins zeroed. */
typedef struct kt_names {
    char *bytes; /* of all, one after another */
    size_t used, room;
    kt_name *names;
    uint32_t count;
    size_t names_room;
    uint32_t *places; /* a name's number + 1 at its hash or, where others are, behind it; 0: free */
    uint32_t place_count; /* a power of two, at least twice as many as names */
} kt_names;

/* The number of these bytes, from 0, whether or not they were there. KT_NO_MEMORY. */
kt_status kt_names_add(kt_names *names, const void *bytes, size_t length, uint32_t *number);
/* The same of a text, with its terminating zero. */
kt_status kt_names_add_text(kt_names *names, const char *text, uint32_t *number);

/* What has that number, until something is added. */
const char *kt_names_get(const kt_names *names, uint32_t number);

void kt_names_fini(kt_names *names);

#endif
