/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - opens the clocks of a device, one or all.
 *
 * Clocks with the same timer share one tick period. If the period of a clock without calibrated
 * timestamps is unknown, a clock of the same timer that has them is opened first.
 */
#ifndef KT_CLOCK_CLOCKS_H
#define KT_CLOCK_CLOCKS_H

#include "clock/device/clocked.h"

static inline bool kt_is_same_timer(const kt_clock_info *one, const kt_clock_info *other)
{
    return one->timer && one->timer == other->timer;
}

/* Like kt_clock_open(), but never opens another clock of the same timer first. `job_state`: a job
 * with one empty step that outlives the clock, or NULL. */
kt_status kt_clock_open_alone(const kt_clocked *of, uint32_t index, const kt_clock_options *options,
                              void *job_state, int64_t timeout_ns, kt_clock **out);
/* Like kt_clock_update(), and writes new results into the kt_clock_info entries of the owner. */
kt_status kt_clock_update_infos(kt_clock *clock);
/* Takes more clock pairs and writes the results into the kt_clock_info entries. The longer ago the
 * first pairs were taken, the more exact the results. */
kt_status kt_clock_renew(kt_clock *clock);

/*
 * Opens all clocks of a device, as kt_device_find_clocks() does. A clock that cannot be opened
 * stays NULL. `job_state`: a job with one empty step that outlives the clocks, or NULL. Call
 * kt_clocks_close() in any case.
 */
kt_status kt_clocks_open(kt_device *device, const kt_clock_options *options, void *job_state,
                         int64_t timeout_ns, kt_clock *clocks[KT_CLOCKS_MAX]);
/* kt_clock_update() for all clocks. A clock that gives no more pairs keeps its results. */
kt_status kt_clocks_update(kt_clock *clocks[KT_CLOCKS_MAX]);
/* kt_clock_renew() for all clocks. */
kt_status kt_clocks_renew(kt_clock *clocks[KT_CLOCKS_MAX]);
void kt_clocks_close(kt_clock *clocks[KT_CLOCKS_MAX]);

#endif
