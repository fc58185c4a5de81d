/* SPDX-License-Identifier: MIT */
/* A copy by all cores of the host: each group has one part of it. */
#include "kernels.h"

#include <string.h>

#define LINE_BYTES 64 /* no two groups write to one */

void copy_c(const kt_c_group *group, void *const *args)
{
    const unsigned char *src = args[0];
    unsigned char *dst = args[1];
    uint64_t bytes = *(const uint64_t *)args[2], groups = group->groups[0];
    uint64_t part = (bytes + groups - 1) / groups;
    part = (part + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    uint64_t begin = part * group->group[0];
    if (begin < bytes)
        memcpy(dst + begin, src + begin, bytes - begin < part ? bytes - begin : part);
}
