/* SPDX-License-Identifier: MIT */
/*
 * domain.h - finds the host clock that a device clock shares. Pure functions.
 *
 * The search uses timestamps taken between two readings of all host clocks. If two host clocks fit,
 * none is chosen.
 */
#ifndef KT_CLOCK_DOMAIN_H
#define KT_CLOCK_DOMAIN_H

#include "support/host_clock.h"

typedef struct kt_domain_search {
    uint32_t count; /* number of added timestamp pairs */
    bool here[KT_HOST_DOMAIN_COUNT];
    /* per host clock: largest distance of a timestamp from the interval of its two readings */
    double outside_ns[KT_HOST_DOMAIN_COUNT];
} kt_domain_search;

/* Adds two timestamps in ns that were taken one after the other between two readings of all host
 * clocks. `first` and `last` may be the same timestamp. */
void kt_domain_search_add(kt_domain_search *search, const kt_host_instants *before, uint64_t first,
                          uint64_t last, const kt_host_instants *after);

/*
 * Finds the domain in which all timestamps lie between their readings, to within `slack_ns`, the
 * clock resolution. Of two domains that differ only by time in suspend, takes the one that stops.
 * False if no domain fits, or several.
 */
bool kt_domain_search_end(const kt_domain_search *search, double slack_ns, kt_host_domain *out);

#endif
