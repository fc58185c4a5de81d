/* SPDX-License-Identifier: MIT */
#include "clock/domain.h"

#include <math.h>

/* ns by which `later` precedes `earlier`, negative if it does not. A difference of doubles cannot
 * overflow; its rounding does not matter between such distant times. */
static double excess_ns(int64_t earlier, int64_t later)
{
    bool near = (earlier < 0) == (later < 0);
    return near ? (double)(earlier - later) : (double)earlier - (double)later;
}

void kt_domain_search_add(kt_domain_search *search, const kt_host_instants *before, uint64_t first,
                          uint64_t last, const kt_host_instants *after)
{
    for (int d = 0; d < KT_HOST_DOMAIN_COUNT; d++) {
        search->here[d] = before->here[d];
        /* No host clock exceeds 2^63 ns, so larger timestamps become negative and lie far
         * outside. */
        double early_ns = excess_ns(before->ns[d], (int64_t)first);
        double late_ns = excess_ns((int64_t)last, after->ns[d]);
        search->outside_ns[d] = fmax(search->outside_ns[d], fmax(early_ns, late_ns));
    }
    search->count++;
}

bool kt_domain_search_end(const kt_domain_search *search, double slack_ns, kt_host_domain *out)
{
    bool fits[KT_HOST_DOMAIN_COUNT];
    int count = 0, last = 0;
    for (int d = 0; d < KT_HOST_DOMAIN_COUNT; d++)
        fits[d] = search->count && search->here[d] && search->outside_ns[d] <= slack_ns;
    if (fits[KT_HOST_MONOTONIC])
        fits[KT_HOST_BOOTTIME] = false;
    if (fits[KT_HOST_UPTIME_RAW])
        fits[KT_HOST_MONOTONIC_RAW] = false;
    for (int d = 0; d < KT_HOST_DOMAIN_COUNT; d++) {
        count += fits[d];
        last = fits[d] ? d : last;
    }
    if (count != 1)
        return false;
    *out = (kt_host_domain)last;
    return true;
}
