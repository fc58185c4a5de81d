/* a = b + S c, f32. */
#include "../kernel.h"
#include "factor.h"

KERNEL void triad(GLOBAL float *a, GLOBAL const float *b, GLOBAL const float *c,
                  VALUE n POSITIONS)
{
    for (unsigned i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
        a[i] = b[i] + TRIAD_S * c[i];
}
