/* SPDX-License-Identifier: MIT */
/*
 * registry.h - how the library's own files discard spans and read rows.
 *
 * Room registry: durations by name, recorded from any thread in a few ns, and snapshots of them.
 * May know: support, statistics, clock.
 */
#ifndef KT_REGISTRY_REGISTRY_H
#define KT_REGISTRY_REGISTRY_H

#include "statistics/accumulator.h"

#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <stdbool.h>
#include <string.h>

/* Orders rows by name, then backend. Returns a number below 0 if a comes first. */
static inline int kt_compare_keys(const char *a_name, kt_backend_id a_backend, const char *b_name,
                                  kt_backend_id b_backend)
{
    int order = strcmp(a_name, b_name);
    return order ? order : (a_backend > b_backend) - (a_backend < b_backend);
}

/* Counts a span that has no duration, by its state. Takes a lock. */
void kt_registry_discard(kt_site *site, kt_timestamp_state state);

/* Counts `count` spans at once. The caller holds the library's mutex. */
void kt_registry_discard_locked(kt_site *site, kt_timestamp_state state, uint64_t count);

/* The process exits, or unloads the library: writes the report that was asked for. `used`: the
 * registry has rows. Of room output/registry, and the one call of a room above: a static library
 * has in it what someone calls. */
void kt_registry_report(bool used);
/* Called before a report is written, to count spans that nobody collected; NULL: there are none.
 * Guarded by the library's mutex. */
extern void (*kt_registry_before_report)(void);

/* Counts a span with a duration whose stop came late, after a blocking call. Takes a lock. */
void kt_registry_count_late(kt_site *site);

/* One row. `accumulator` is valid until the next row, the rest as long as the registry. */
typedef struct kt_registry_row {
    const char *name;
    kt_backend_id backend;
    const uint64_t
        *discarded; /* discarded spans by timestamp state, KT_TIMESTAMP_STATE_COUNT numbers */
    uint64_t stop_late;
    double period_uncertainty; /* see kt_row */
    const kt_accumulator *accumulator;
} kt_registry_row;

/* Passes each row that is not empty to `take`, ordered by name and backend, until `take` returns
 * anything but KT_OK. The registry is locked meanwhile, so `take` must not record. KT_NO_MEMORY. */
kt_status kt_registry_read(kt_status (*take)(void *user, const kt_registry_row *row), void *user,
                           uint64_t *dropped);

#endif
