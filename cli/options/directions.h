/* directions.h - the ways between two memories, as people name them. */
#ifndef CLI_DIRECTIONS_H
#define CLI_DIRECTIONS_H

#include "workloads/copy/copy.h"

/* All that any device may offer, in the order in which they are shown. */
size_t directions_all(copy_direction out[COPY_DIRECTIONS_MAX]);

bool direction_same(const copy_direction *a, const copy_direction *b);
bool direction_offered(const kt_device_info *info, const copy_direction *direction);
/* From memory of the process to such memory: what the host itself copies. */
bool direction_is_memcpy(const copy_direction *direction);

/* ", " between their names; what finds no room is left out. Returns `text`. */
char *directions_text(char *text, size_t bytes, const copy_direction *directions, size_t count);
/* The same of all that a device offers, "no copies" if there are none. */
char *directions_text_of(char *text, size_t bytes, const kt_device_info *info);

/* What --direction and --kind take: "heap-device,device-heap", and "heap,host" as bits 1 << kind.
 * What is given is added to what was there. 0, or -1 with what is wrong in `why`, of
 * PARSE_WHY_BYTES. */
int directions_parse(const char *text, copy_direction out[COPY_DIRECTIONS_MAX], size_t *count,
                     char *why);
int kinds_parse(const char *text, uint32_t *kinds, char *why);

#endif
