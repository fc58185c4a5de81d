/*
 * domain.h - which clock of the host a device's clock is, if any. Pure: from stamps that were made
 * between two readings of all the host's clocks.
 *
 * Where two clocks of the host fit, none is claimed.
 */
#ifndef KT_CLOCK_DOMAIN_H
#define KT_CLOCK_DOMAIN_H

#include "support/host_clock.h"

typedef struct kt_domain_search {
    uint32_t count; /* of what was added */
    bool here[KT_HOST_DOMAIN_COUNT];
    /* how far the worst of the stamps lay out of its bracket */
    double outside_ns[KT_HOST_DOMAIN_COUNT];
} kt_domain_search;

/* Two stamps of a clock whose ticks are ns, made one after the other between the two readings. May
 * be the same. */
void kt_domain_search_add(kt_domain_search *search, const kt_host_instants *before, uint64_t first,
                          uint64_t last, const kt_host_instants *after);

/*
 * The domain in which all stamps lay within their brackets, give or take `slack_ns`: the clock's
 * grid. Clocks that differ only by how long the system was suspended count as the one of them that
 * stops then. False: there is no such domain, or there are several, which the brackets are too wide
 * to tell apart.
 */
bool kt_domain_search_end(const kt_domain_search *search, double slack_ns, kt_host_domain *out);

#endif
