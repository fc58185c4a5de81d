/* SPDX-License-Identifier: MIT */
/*
 * state.h - reads what a device does at this moment, of whoever in the system knows it.
 *
 * Room state: a file for each source; state.c asks them in turn. May know: support.
 *
 * The first source that has a value wins. Sources find the device by its PCI address, so that any
 * API's device of a GPU gets the same values.
 */
#ifndef KT_STATE_STATE_H
#define KT_STATE_STATE_H

#include "support/device_state.h"

#include <stdbool.h>
#include <stddef.h>

/* One source. Private memory is zeroed, and has the size that the source names. */
typedef struct kt_state_source {
    const char *name;
    size_t size;
    /* Finds the device. False: this source does not know it. `root` is the folder of sysfs. close
     * follows in either case. */
    bool (*open)(void *source, const kt_device_info *info, const char *root);
    void (*close)(void *source); /* may be NULL */
    /* Sets values by kt_state_put(), kt_state_set() and kt_state_miss(). `brief`: only what changes
     * while a device works (clocks, temperature, power, energy, throttling), as cheaply as
     * possible. Waits for nothing.
     * `seen` is the caller's, 0 at first: what it knows of counts that tell of throttling. */
    void (*read)(void *source, bool brief, uint64_t *seen, kt_device_state *out);
} kt_state_source;

extern const kt_state_source kt_state_nvml, kt_state_sysman;  /* of drivers */
extern const kt_state_source kt_state_amdgpu, kt_state_intel; /* of the kernel: amdgpu; i915, xe */
extern const kt_state_source kt_state_cpu;

typedef struct kt_state_reader kt_state_reader;

/* Opens all sources of a device; none is fine. NULL `root`: KERNTIME_SYSFS, or /sys. */
kt_status kt_state_reader_open(const kt_device_info *info, const char *root, kt_state_reader **out);
void kt_state_reader_close(kt_state_reader **reader);
/* Sets all but host_ns. One thread at a time. `seen`: as in kt_state_source. */
void kt_state_reader_read(kt_state_reader *reader, bool brief, uint64_t *seen,
                          kt_device_state *out);

#endif
