/* SPDX-License-Identifier: MIT */
/*
 * mutex_hash.h - the design that comes to mind first: one lock around one hash map from name and
 * backend to statistics, the same that kerntime's registry keeps. Made as well as that design
 * allows, to be compared with.
 */
#ifndef BENCH_MUTEX_HASH_H
#define BENCH_MUTEX_HASH_H

#include <kerntime/registry.h>

typedef struct mutex_hash mutex_hash;

mutex_hash *mutex_hash_create(void); /* NULL: no memory */
void mutex_hash_destroy(mutex_hash *map);

/* Any thread. The name is copied when it first comes. */
void mutex_hash_record(mutex_hash *map, const char *name, kt_backend_id backend,
                       double duration_ns);

typedef struct mutex_hash_row {
    uint64_t count;
    double total_ns, mean_ns, stddev_ns, min_ns, max_ns, last_ns;
} mutex_hash_row;

/* All 0: there is none. */
mutex_hash_row mutex_hash_read(mutex_hash *map, const char *name, kt_backend_id backend);

#endif
