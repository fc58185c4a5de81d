/* SPDX-License-Identifier: MIT */
/* state_change.h - says what devices did otherwise in the contender's runs than in the baseline's:
 * clocks, power limit, throttling. Such a row is compared, but the kernel may be the same. */
#ifndef KT_COMPARE_STATE_CHANGE_H
#define KT_COMPARE_STATE_CHANGE_H

#include "compare/matching.h"

#define KT_STATE_CHANGE_BYTES 384

/* Writes what differs, with both values, as in "core clock 1410 -> 1200 MHz (-15 %); power limit 400
 * -> 300 W (-25 %)". Returns false, and no text, if nothing is known to differ. */
bool kt_find_state_change(const kt_matched_row *row, char text[KT_STATE_CHANGE_BYTES]);

#endif
