/* SPDX-License-Identifier: MIT */
/* ranges.h - sets of numbers as text, such as "3,7-9". */
#ifndef CLI_RANGES_H
#define CLI_RANGES_H

#include <stdint.h>
#include <stdio.h>

/* Puts the numbers from `first` to the one before `next`, if there are any, behind those that the
 * file already has. */
void ranges_put(FILE *file, uint32_t first, uint32_t next);

#endif
