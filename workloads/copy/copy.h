/* SPDX-License-Identifier: MIT */
/*
 * copy.h - transfers between two memories of a device, as a workload: its variants are directions,
 * "heap-device". It is not in the list of workloads, since it has neither kernels nor baselines;
 * the command `copy` runs it.
 */
#ifndef WORKLOAD_COPY_H
#define WORKLOAD_COPY_H

#include "../workload.h"

#include <stdbool.h>

/* By what means. */
typedef enum copy_way {
    COPY_COMMAND = 0, /* the API's own copy; of the host's cores, memcpy by one of them */
    COPY_ALL_CORES,   /* a kernel in which all cores of the host take part */
    COPY_MAP          /* memory of the device is mapped for the host */
} copy_way;

typedef struct copy_direction {
    kt_memory_kind src, dst;
    copy_way way;
} copy_direction;

#define COPY_NAME_BYTES     32
#define COPY_DIRECTIONS_MAX 48

/* "heap-device", "heap-heap-all-cores", "device-host-map". Returns `text`. */
const char *copy_direction_name(const copy_direction *direction, char text[COPY_NAME_BYTES]);
/* Reads one. False: there is none of that name. */
bool copy_direction_parse(const char *text, copy_direction *out);
/* All that a device offers, in the order in which they are shown: that of the kinds heap, host,
 * device, shared, copies before maps. How many. */
size_t copy_directions_of(const kt_device_info *info, copy_direction out[COPY_DIRECTIONS_MAX]);

extern const workload workload_copy;

#endif
