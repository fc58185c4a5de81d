/* SPDX-License-Identifier: MIT */
/* core.h - the core that a thread runs on. */
#ifndef KT_SUPPORT_CORE_H
#define KT_SUPPORT_CORE_H

/* Number of the core that the calling thread runs on; -1 if unknown. */
int kt_core_now(void);

#endif
