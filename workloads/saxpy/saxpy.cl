/* y = A x + y, f32, in place. */
#include "../kernel.h"

KERNEL void saxpy(GLOBAL const float *x, GLOBAL float *y, unsigned n)
{
    for (unsigned i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
        y[i] = A * x[i] + y[i];
}
