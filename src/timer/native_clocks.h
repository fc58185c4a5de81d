/* native_clocks.h - clocks of the program's own devices whose ticks no driver tells. */
#ifndef KT_TIMER_NATIVE_CLOCKS_H
#define KT_TIMER_NATIVE_CLOCKS_H

#include <kerntime/timer.h>

/* Opens the clocks whose periods the backend does not tell. kt_native_close_clocks() in any
 * case. */
kt_status kt_native_open_clocks(kt_native *native);
void kt_native_close_clocks(kt_native *native);

#endif
