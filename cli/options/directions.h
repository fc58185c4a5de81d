/* SPDX-License-Identifier: MIT */
/* directions.h - names and parses copy directions. */
#ifndef CLI_DIRECTIONS_H
#define CLI_DIRECTIONS_H

#include "workloads/copy/copy.h"

/* All directions that any device may offer, in display order. */
size_t directions_all(copy_direction out[COPY_DIRECTIONS_MAX]);

bool direction_same(const copy_direction *a, const copy_direction *b);
bool direction_offered(const kt_device_info *info, const copy_direction *direction);
/* Whether host memory alone is involved, so that the host copies by memcpy. */
bool direction_is_memcpy(const copy_direction *direction);

/* Joins their names with ", "; omits those that do not fit. Returns `text`. */
char *directions_text(char *text, size_t bytes, const copy_direction *directions, size_t count);
/* Joins the names of all directions of a device with ", "; "no copies" if the device has none. */
char *directions_text_of(char *text, size_t bytes, const kt_device_info *info);

/* Parses the values of --direction and --kind, "heap-device,device-heap" and "heap,host" (as bits 1
 * << kind), and adds them to the earlier values. 0, or -1 with a message in `reason`, of
 * PARSE_WHY_BYTES. */
int directions_parse(const char *text, copy_direction out[COPY_DIRECTIONS_MAX], size_t *count,
                     char *reason);
int kinds_parse(const char *text, uint32_t *kinds, char *reason);

#endif
