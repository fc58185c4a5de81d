/*
 * host_clock.h - the system's clock and what the host is.
 *
 * On macOS CLOCK_MONOTONIC_RAW, the host clock, goes on while a Mac sleeps. mach_absolute_time(),
 * which Metal's times are of, does not: it is a domain of its own, CLOCK_UPTIME_RAW. Where both fit
 * a clock because nothing has slept yet, the clock is of that one.
 */
#ifndef KT_SUPPORT_HOST_CLOCK_H
#define KT_SUPPORT_HOST_CLOCK_H

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The system's monotonic clock, unslewed where the system has one. */
extern const kt_host_clock kt_system_clock;

/* Its name, "CLOCK_MONOTONIC_RAW". */
const char *kt_system_clock_name(void);

/* All domains that are here, one right after another. */
typedef struct kt_host_instants {
    bool here[KT_HOST_DOMAIN_COUNT];
    int64_t ns[KT_HOST_DOMAIN_COUNT]; /* 0 where it is not here */
} kt_host_instants;

void kt_host_read_all(kt_host_instants *out);
/* In what steps the system tells a domain that is here. */
double kt_host_step_ns(kt_host_domain domain);

/* The domain of that name, if this system has it. */
bool kt_host_domain_find(const char *name, kt_host_domain *out);

/* A reading of a domain, as ticks of 1 ns, between two of the system's clock: the narrowest of a
 * few. KT_UNSUPPORTED, KT_NOT_READY. */
kt_status kt_host_domain_pair(kt_host_domain domain, kt_clock_pair *out);

/* Now in UTC, "2026-01-31T12:00:00Z"; `bytes` >= 21. */
void kt_utc_text(char *text, size_t bytes);

/* What the host is. */
typedef struct kt_host {
    char os[96];           /* "Linux 6.1.0 x86_64" */
    char cpu[96];          /* model name, empty where unknown */
    unsigned cores;        /* that this process may use */
    uint64_t memory_bytes; /* 0: unknown */
} kt_host;

void kt_host_describe(kt_host *host);

#endif
