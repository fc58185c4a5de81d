/* host_state.h - what the system tells of its work, as text. */
#ifndef KT_SUPPORT_HOST_STATE_H
#define KT_SUPPORT_HOST_STATE_H

#include <kerntime/host.h>
#include <stddef.h>

/* Of /proc/stat. */
typedef struct kt_cpu_stat {
    double busy_ticks; /* of all cores together; NaN: not told */
    uint32_t cores;
} kt_cpu_stat;

/*
 * Reads /proc/stat (proc_stat(5)): work is what is neither idle nor waiting for a disk, the time
 * that a hypervisor gave to others included; guests are part of user time. Any text will do; it
 * ends at a zero.
 */
void kt_parse_cpu_stat(const char *text, kt_cpu_stat *out);

/* A file of sysfs that holds one whole number, of kHz, as Hz; NaN: it does not. */
double kt_parse_khz(const char *text);

/* As kt_host_state_read(), with /proc and /sys below `root`, "" for the system's own. */
void kt_host_state_at(const char *root, kt_host_state *out);
/* As kt_host_memory_bytes(), likewise. */
uint64_t kt_host_memory_bytes_at(const char *root);

/* Bytes of the largest cache of a core, shared or its own; 0: unknown. */
size_t kt_host_cache_bytes(void);

/* Work between two readings of busy_ns, which begins anew at `turn_ns`; 0: it never does. */
double kt_host_busy_between(double before_ns, double after_ns, double turn_ns);

#endif
