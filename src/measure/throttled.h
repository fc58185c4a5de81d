/* SPDX-License-Identifier: MIT */
/*
 * throttled.h - watches the state of a device during a measurement.
 *
 * The state is read between turns, and only as often as costs at most 1 % of the time. So samples
 * come in windows: one reading at the end of a window decides on all of its samples.
 */
#ifndef KT_MEASURE_THROTTLED_H
#define KT_MEASURE_THROTTLED_H

#include "device/device.h"
#include "measure/rules.h"

typedef struct kt_watch {
    kt_device *device;
    bool silent;            /* the device reports nothing that could decide */
    int64_t window_from_ns; /* sampling time of the job at the start of the window */
    int64_t cost_ns;        /* what the latest reading took */
    int64_t patience_ns;    /* how long to wait for recovery, and to sample in vain, from now on */
    uint64_t seen;          /* of throttling: kt_state_source */
    kt_throttling rule;
    kt_device_state latest;
    uint32_t clocks, memory_clocks, powers; /* numbers of values in the means */
    kt_state_summary summary;
} kt_watch;

/* Reads the state for the first time. The first window begins. KT_NO_MEMORY. */
kt_status kt_watch_begin(kt_watch *watch, kt_device *device, int64_t patience_ns);
/* True if the window is long enough to end with a reading; `last`: if the state is known at all.
 * `elapsed_ns`: sampling time of the job, without the turns of others. */
bool kt_watch_is_due(const kt_watch *watch, int64_t elapsed_ns, bool last);
/* Ends a window of `samples` samples, and begins the next one. */
kt_window_verdict kt_watch_end_window(kt_watch *watch, int64_t elapsed_ns, uint32_t samples);
/* True if the device is throttled by more than how it usually runs. */
bool kt_watch_is_throttled(const kt_watch *watch);
/* Waits a while for the device to recover, and reads the state. */
void kt_watch_wait(kt_watch *watch);

#endif
