/* SPDX-License-Identifier: MIT */
/* launch.h - the place of this process among those of its launcher. */
#ifndef KT_SUPPORT_LAUNCH_H
#define KT_SUPPORT_LAUNCH_H

#include <kerntime/host.h>
#include <stdbool.h>

/* kt_launch_read() for those to whom no launcher is no failure: leaves the error text as it is. */
bool kt_launch_find(const char *rank_variable, kt_launch *out);

#endif
