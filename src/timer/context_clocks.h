/* SPDX-License-Identifier: MIT */
/* context_clocks.h - clocks of timer contexts whose period no driver reports. */
#ifndef KT_TIMER_CONTEXT_CLOCKS_H
#define KT_TIMER_CONTEXT_CLOCKS_H

#include <kerntime/timer.h>

/* Opens the clocks whose periods the backend does not report. Call kt_timer_context_close_clocks()
 * in any case. */
kt_status kt_timer_context_open_clocks(kt_timer_context *context);
void kt_timer_context_close_clocks(kt_timer_context *context);

#endif
