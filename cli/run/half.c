/* SPDX-License-Identifier: MIT */
#include "cli/run/half.h"

#include <math.h>

#define HALF_INFINITY 0x7C00
#define HALF_NAN      0x7E00

/* A half is a multiple of 2^-24; a normal one of exponent e in 1..30 of 2^(e - 25). */
uint16_t half_from_double(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return sign | HALF_NAN;
    double size = fabs(value);
    if (size >= 65520)
        return sign | HALF_INFINITY;
    int exponent = size < 0x1p-14 ? 1 : ilogb(size) + 15;
    /* rounds to the nearest, ties to even; 2048 is the next exponent's 1024 */
    double multiple = nearbyint(ldexp(size, 25 - exponent));
    return (uint16_t)(sign + ((exponent - 1) << 10) + (int)multiple);
}

double half_to_double(uint16_t half)
{
    int exponent = half >> 10 & 31, mantissa = half & 1023;
    double size = exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                                 : ldexp(mantissa, -24);
    return half & 0x8000 ? -size : size;
}
