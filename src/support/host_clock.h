/* host_clock.h - the system's clock and what the host is. */
#ifndef KT_SUPPORT_HOST_CLOCK_H
#define KT_SUPPORT_HOST_CLOCK_H

#include <kerntime/clock.h>
#include <stddef.h>
#include <stdint.h>

/* The system's monotonic clock, unslewed where the system has one. */
extern const kt_host_clock kt_system_clock;

/* Its name, "CLOCK_MONOTONIC_RAW". */
const char *kt_system_clock_name(void);

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
