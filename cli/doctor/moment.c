/* SPDX-License-Identifier: MIT */
#include "cli/doctor/moment.h"

#include <string.h>

#define READ_COUNT 16 /* readings of each clock; the narrowest counts */

static void read_domain(doctor_moment *moment, kt_host_domain domain)
{
    int64_t narrowest_ns = INT64_MAX;
    moment->error_ns[domain] = -1;
    for (int i = 0; i < READ_COUNT; i++) {
        int64_t at_ns, before_ns = kt_host_now_ns();
        if (kt_host_domain_now(domain, &at_ns) != KT_OK)
            return;
        int64_t width_ns = kt_host_now_ns() - before_ns;
        if (width_ns >= narrowest_ns)
            continue;
        narrowest_ns = width_ns;
        moment->ahead_ns[domain] = at_ns - before_ns - width_ns / 2;
        moment->error_ns[domain] = width_ns / 2 + 1;
    }
}

void doctor_moment_read_host(doctor_moment *moment)
{
    for (int domain = 0; domain < KT_HOST_DOMAIN_COUNT; domain++)
        read_domain(moment, (kt_host_domain)domain);
    moment->ahead_ns[KT_HOST_MONOTONIC_RAW] = moment->error_ns[KT_HOST_MONOTONIC_RAW] = 0;
}

kt_clock_pair doctor_moment_pair(const doctor_moment *moment, const char *domain)
{
    kt_clock_pair pair = moment->pair;
    for (int i = 0; i < KT_HOST_DOMAIN_COUNT; i++) {
        if (strcmp(domain, kt_host_domain_name((kt_host_domain)i)) != 0 || moment->error_ns[i] < 0)
            continue;
        pair.host_before_ns += moment->ahead_ns[i] - moment->error_ns[i];
        pair.host_after_ns += moment->ahead_ns[i] + moment->error_ns[i];
    }
    return pair;
}
