/* SPDX-License-Identifier: MIT */
#include "copy.h"

#include <stdio.h>
#include <string.h>

static const char *const ways[] = {
    [COPY_COMMAND] = "", [COPY_ALL_CORES] = "-all-cores", [COPY_MAP] = "-map"};
#define WAYS (sizeof ways / sizeof ways[0])

const char *copy_direction_name(const copy_direction *direction, char text[COPY_NAME_BYTES])
{
    snprintf(text, COPY_NAME_BYTES, "%s-%s%s", kt_memory_kind_name(direction->src),
             kt_memory_kind_name(direction->dst), ways[direction->way]);
    return text;
}

bool copy_direction_parse(const char *text, copy_direction *out)
{
    for (kt_memory_kind src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
        for (kt_memory_kind dst = KT_MEMORY_HEAP; dst < KT_MEMORY_KIND_COUNT; dst++)
            for (unsigned way = 0; way < WAYS; way++) {
                char name[COPY_NAME_BYTES];
                const copy_direction one = {src, dst, (copy_way)way};
                if (strcmp(copy_direction_name(&one, name), text) != 0)
                    continue;
                *out = one;
                return true;
            }
    return false;
}

/* A map has the host at one end and memory of another kind at the other. */
static bool maps(const kt_device_info *info, kt_memory_kind src, kt_memory_kind dst)
{
    kt_memory_kind mapped = src == KT_MEMORY_HOST ? dst : src;
    return src != dst && (src == KT_MEMORY_HOST || dst == KT_MEMORY_HOST) &&
           info->maps & 1u << mapped;
}

static bool offers(const kt_device_info *info, const copy_direction *direction)
{
    kt_memory_kind src = direction->src, dst = direction->dst;
    switch (direction->way) {
    case COPY_MAP: return maps(info, src, dst);
    case COPY_ALL_CORES: /* the host itself, which runs functions on its cores */
        return strcmp(info->backend, "cpu") == 0 && src == KT_MEMORY_HEAP && dst == KT_MEMORY_HEAP;
    default: return info->copies[src] & 1u << dst;
    }
}

size_t copy_directions_of(const kt_device_info *info, copy_direction out[COPY_DIRECTIONS_MAX])
{
    size_t count = 0;
    for (unsigned way = 0; way < WAYS; way++)
        for (kt_memory_kind src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
            for (kt_memory_kind dst = KT_MEMORY_HEAP; dst < KT_MEMORY_KIND_COUNT; dst++) {
                const copy_direction one = {src, dst, (copy_way)way};
                if (offers(info, &one))
                    out[count++] = one;
            }
    return count;
}
