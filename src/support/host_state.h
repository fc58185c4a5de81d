/* SPDX-License-Identifier: MIT */
/* host_state.h - reads the host's load, core frequency and memory limits. */
#ifndef KT_SUPPORT_HOST_STATE_H
#define KT_SUPPORT_HOST_STATE_H

#include <kerntime/host.h>
#include <stddef.h>

/* Totals of /proc/stat. */
typedef struct kt_cpu_stat {
    double busy_ticks; /* sum over all cores; NaN if unknown */
    uint32_t cores;
} kt_cpu_stat;

/* Parses the text of /proc/stat (proc_stat(5)). Busy time is all but idle and iowait: it includes
 * steal, and user time already contains guests. Accepts any zero-terminated text. */
void kt_parse_cpu_stat(const char *text, kt_cpu_stat *out);

/* Converts a sysfs file with one whole number in kHz to Hz; NaN if malformed. */
double kt_parse_khz(const char *text);

/* kt_host_state_read() with /proc and /sys below `root`; "" means the real ones. */
void kt_host_state_at(const char *root, kt_host_state *out);
/* kt_host_memory_bytes() with /proc and /sys below `root`. */
uint64_t kt_host_memory_bytes_at(const char *root);

/* First line of a file without its end; empty if unreadable. */
void kt_read_line(const char *path, char *line, size_t bytes);

/* Size of the largest cache that a core uses, shared or private; 0 if unknown. */
size_t kt_host_cache_bytes(void);

/* Difference of two readings of busy_ns. The counter wraps at `turn_ns`; 0 means that it never
 * wraps. */
double kt_host_busy_between(double before_ns, double after_ns, double turn_ns);

#endif
