/* SPDX-License-Identifier: MIT */
/* filter.h - which names and ranks are wanted. Pure functions. */
#ifndef TRACERS_COMMON_FILTER_H
#define TRACERS_COMMON_FILTER_H

#include "tracers/common/settings.h"

/* Whether kernels of that name are recorded, by --kernels and --exclude. */
bool trace_wants_name(const trace_settings *settings, const char *name);
/* Whether a list as "0,4-7" holds a number; "" holds all. A rank that is no number is in none. */
bool trace_list_holds(const char *list, const char *rank);

#endif
