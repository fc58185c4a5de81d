/* y = A x + y, f32, in place. */
#include "../kernel.h"
#include "factor.h"

KERNEL void saxpy(GLOBAL const float *x, GLOBAL float *y, VALUE n POSITIONS)
{
    for (unsigned i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
        y[i] = SAXPY_A * x[i] + y[i];
}
