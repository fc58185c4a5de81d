/* SPDX-License-Identifier: MIT */
/* half.h - 2-byte floats of IEEE 754. */
#ifndef CLI_RUN_HALF_H
#define CLI_RUN_HALF_H

#include <stdint.h>

#define HALF_MAX 65504.0

/* The nearest 2-byte float, ties to even; infinite from 65520 on. */
uint16_t half_from_double(double value);
double half_to_double(uint16_t half);

#endif
