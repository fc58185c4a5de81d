/* SPDX-License-Identifier: MIT */
/* common_divisor.h - resolutions of clocks are found as common divisors of their readings. */
#ifndef KT_SUPPORT_COMMON_DIVISOR_H
#define KT_SUPPORT_COMMON_DIVISOR_H

#include <stdint.h>

/* Greatest common divisor of two numbers; if one of them is 0, the other. */
static inline uint64_t kt_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
