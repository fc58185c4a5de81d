/* SPDX-License-Identifier: MIT */
/* map.h - finds what the tracer knows of a handle. */
#ifndef TRACERS_VULKAN_MAP_H
#define TRACERS_VULKAN_MAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define MAP_BUCKETS 1024

typedef struct map_node {
    struct map_node *next;
    _Atomic(uint64_t) handle; /* 0: the node is free */
    void *value;
} map_node;

/*
 * Any thread may find while others put and take. Nodes stay in their list when their handle is
 * taken, so finding needs no lock. A handle must not be found and taken at once, which Vulkan
 * forbids programs too. A zeroed map is empty.
 */
typedef struct handle_map {
    _Atomic(map_node *) buckets[MAP_BUCKETS];
} handle_map;

/* False: out of memory. Replaces what the handle had before. Under the caller's lock. */
bool map_put(handle_map *map, uint64_t handle, void *value);
/* NULL: unknown. */
void *map_find(handle_map *map, uint64_t handle);
/* Forgets the handle and returns its value, or NULL. Under the caller's lock. */
void *map_take(handle_map *map, uint64_t handle);
/* Forgets all, and gives each value to `drop` if that is not NULL. No thread may use the map. */
void map_clear(handle_map *map, void (*drop)(void *value));

#endif
