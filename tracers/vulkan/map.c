/* SPDX-License-Identifier: MIT */
#include "tracers/vulkan/map.h"

#include "support/alloc.h"

#include <stddef.h>

static _Atomic(map_node *) *bucket_of(handle_map *map, uint64_t handle)
{
    /* Handles are addresses or small numbers: multiply to spread both (Knuth). */
    return &map->buckets[handle * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static map_node *find_node(handle_map *map, uint64_t handle)
{
    map_node *node = atomic_load_explicit(bucket_of(map, handle), memory_order_acquire);
    while (node && atomic_load_explicit(&node->handle, memory_order_acquire) != handle)
        node = node->next;
    return node;
}

bool map_put(handle_map *map, uint64_t handle, void *value)
{
    _Atomic(map_node *) *bucket = bucket_of(map, handle);
    map_node *node = find_node(map, handle);
    if (!node) /* one that is free */
        for (node = atomic_load(bucket); node && atomic_load(&node->handle) != 0;)
            node = node->next;
    bool is_new = !node;
    if (is_new) {
        node = kt_alloc(1, sizeof *node);
        if (!node)
            return false;
        node->next = atomic_load(bucket);
    }
    node->value = value;
    atomic_store_explicit(&node->handle, handle, memory_order_release);
    if (is_new)
        atomic_store_explicit(bucket, node, memory_order_release);
    return true;
}

void *map_find(handle_map *map, uint64_t handle)
{
    const map_node *node = handle ? find_node(map, handle) : NULL;
    return node ? node->value : NULL;
}

void *map_take(handle_map *map, uint64_t handle)
{
    map_node *node = handle ? find_node(map, handle) : NULL;
    if (!node)
        return NULL;
    atomic_store_explicit(&node->handle, 0, memory_order_release);
    return node->value;
}

void map_clear(handle_map *map, void (*drop)(void *value))
{
    for (int i = 0; i < MAP_BUCKETS; i++) {
        map_node *node = atomic_load(&map->buckets[i]);
        while (node) {
            map_node *next = node->next;
            if (drop && atomic_load(&node->handle))
                drop(node->value);
            kt_free(node);
            node = next;
        }
        atomic_store(&map->buckets[i], NULL);
    }
}
