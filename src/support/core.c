/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getcpu() */
#include "support/core.h"

#ifdef __linux__
#include <sched.h>
#endif

int kt_core_now(void)
{
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}
