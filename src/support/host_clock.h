/* SPDX-License-Identifier: MIT */
/*
 * host_clock.h - the host's clocks, and the description of the host.
 *
 * CLOCK_MONOTONIC_RAW, kerntime's host clock, keeps running while a Mac sleeps.
 * mach_absolute_time(), on which Metal's timestamps are based, stops; its domain is
 * CLOCK_UPTIME_RAW. A device clock that fits both domains, since the Mac has not slept yet, is
 * assigned CLOCK_UPTIME_RAW.
 */
#ifndef KT_SUPPORT_HOST_CLOCK_H
#define KT_SUPPORT_HOST_CLOCK_H

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The host's monotonic clock, not slewed where the system offers that. */
extern const kt_host_clock kt_system_clock;

/* Name of the host clock: "CLOCK_MONOTONIC_RAW". */
const char *kt_system_clock_name(void);

/* One reading of each available host clock domain, taken one right after another. */
typedef struct kt_host_instants {
    bool here[KT_HOST_DOMAIN_COUNT];
    int64_t ns[KT_HOST_DOMAIN_COUNT]; /* reading of each domain; 0 if the domain is not available */
} kt_host_instants;

void kt_host_read_all(kt_host_instants *out);
/* Resolution in ns of an available host clock domain. */
double kt_host_step_ns(kt_host_domain domain);

/* Resolution in ns of a host clock by the common divisor of its readings, if it is coarse: browsers
 * round theirs to 5 us, 100 us or 1 ms. Else 0. */
uint64_t kt_host_coarse_step(uint64_t divisor);

/* Finds the available host clock domain of that name. False if there is none. */
bool kt_host_domain_find(const char *name, kt_host_domain *out);

/* Readings of a clock pair, enough for at least one to be undisturbed. */
#define KT_PAIR_TRIES 8

/* Pair number one, or a narrower one, becomes the best one; never one in which the clock went back. */
static inline void kt_keep_narrower(kt_clock_pair *best, bool *found, const kt_clock_pair *pair)
{
    int64_t width_ns = pair->host_after_ns - pair->host_before_ns;
    if (width_ns < 0 || (*found && width_ns >= best->host_after_ns - best->host_before_ns))
        return;
    *best = *pair;
    *found = true;
}

/* Reads a domain (as ticks of 1 ns) between two readings of the host clock, and returns the
 * narrowest of several tries. KT_UNSUPPORTED, KT_NOT_READY. */
kt_status kt_host_domain_pair(kt_host_domain domain, kt_clock_pair *out);

/* Current UTC time, "2026-01-31T12:00:00Z"; `bytes` >= 21. */
void kt_utc_text(char *text, size_t bytes);

/* Description of the host. */
typedef struct kt_host {
    char os[96];           /* "Linux 6.1.0 x86_64" */
    char cpu[96];          /* model name, empty if unknown */
    char name[65];         /* name in the network, empty if unknown */
    char boot_id[40];      /* random name of the system's start, empty if unknown */
    unsigned cores;        /* cores that this process may use */
    uint64_t memory_bytes; /* 0 if unknown */
} kt_host;

void kt_host_describe(kt_host *host);

#endif
