/* SPDX-License-Identifier: MIT */
/* merge.h - takes over what another process measured. */
#ifndef CLI_MERGE_H
#define CLI_MERGE_H

#include <kerntime/result.h>

/* Adds the devices of another report, where the timer limits or the state of one are missing. */
kt_status merge_devices(kt_report *to, const kt_report *from);

#endif
