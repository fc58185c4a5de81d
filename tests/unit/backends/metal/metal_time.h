/* SPDX-License-Identifier: MIT */
/* metal_time.h - a test program whose host clocks are the stub's simulated one: its clock_gettime()
 * and nanosleep() come before the system's, for the library, too. */
#ifndef METAL_TIME_H
#define METAL_TIME_H

#include "tests/unit/backends/metal/metal_user.h"

/* From now on; with a stub on the host's clock (`is_simulated` false) the system's stay. */
void metal_time_follow(const user *u, bool is_simulated);

#endif
