/*
 * clocks.h - clocks as they are opened: of those of a device one may know the period of another
 * better.
 *
 * What is found of a clock holds for all clocks of the same timer. So a clock with calibrated
 * timestamps is asked for the period before one without, whichever of them is opened.
 */
#ifndef KT_CLOCK_CLOCKS_H
#define KT_CLOCK_CLOCKS_H

#include "clock/clocked.h"

static inline bool kt_is_same_timer(const kt_clock_info *one, const kt_clock_info *other)
{
    return one->timer && one->timer == other->timer;
}

/* kt_clock_open() by this clock's own pairs alone. `job_state`: a job of one empty step, which must
 * outlive it, or NULL. */
kt_status kt_clock_open_alone(const kt_clocked *of, uint32_t index, const kt_clock_options *options,
                              void *job_state, int64_t timeout_ns, kt_clock **out);
/* kt_clock_update(), and what is known by it becomes part of the infos. */
kt_status kt_clock_update_infos(kt_clock *clock);
/* Some more pairs, and what is known by them: the longer ago the first ones, the more. */
kt_status kt_clock_renew(kt_clock *clock);

/*
 * Opens all clocks of a device, as kt_device_find_clocks(); NULL is left of those that cannot be
 * followed. `job_state`: a job of one empty step, which must outlive them, or NULL.
 * kt_clocks_close() in any case.
 */
kt_status kt_clocks_open(kt_device *device, const kt_clock_options *options, void *job_state,
                         int64_t timeout_ns, kt_clock *clocks[KT_CLOCKS_MAX]);
/* kt_clock_update() of them all. One that gives no more pairs stays as it is known. */
kt_status kt_clocks_update(kt_clock *clocks[KT_CLOCKS_MAX]);
/* kt_clock_renew() of them all. */
kt_status kt_clocks_renew(kt_clock *clocks[KT_CLOCKS_MAX]);
void kt_clocks_close(kt_clock *clocks[KT_CLOCKS_MAX]);

#endif
