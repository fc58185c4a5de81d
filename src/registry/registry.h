/*
 * registry.h - what the core's own files tell the registry besides durations, and how its rows are
 * read.
 *
 * Room registry: durations by name, recorded from any thread in a few ns, and snapshots of them.
 * May know: support, statistics.
 */
#ifndef KT_REGISTRY_REGISTRY_H
#define KT_REGISTRY_REGISTRY_H

#include "statistics/tally.h"

#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <string.h>

/* The order of rows. Below 0: a comes first. */
static inline int kt_compare_keys(const char *a_name, kt_backend_id a_backend, const char *b_name,
                                  kt_backend_id b_backend)
{
    int order = strcmp(a_name, b_name);
    return order ? order : (a_backend > b_backend) - (a_backend < b_backend);
}

/* Counts a span that has no duration. Takes a lock. */
void kt_registry_discard(kt_site *site, kt_stamp_state state);

/* A row at a moment; what it points to lives as long as the registry, the tally until the next
 * row. */
typedef struct kt_registry_row {
    const char *name;
    kt_backend_id backend;
    const uint64_t *discarded; /* KT_STAMP_STATE_COUNT of them */
    const kt_tally *tally;
} kt_registry_row;

/*
 * Reads all rows that have something, ordered by name and backend, and hands each to `take`, until
 * that answers something other than KT_OK. The registry is locked meanwhile, so `take` records
 * nothing. KT_NO_MEMORY.
 */
kt_status kt_registry_read(kt_status (*take)(void *user, const kt_registry_row *row), void *user,
                           uint64_t *dropped);

#endif
