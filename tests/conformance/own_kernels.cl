/* Kernels of the tests' own, in the dialect of kernel.h; those in GLSL and WGSL are in shaders/. */
#include "../../workloads/kernel.h"

KERNEL void scale(GLOBAL const int *in, GLOBAL int *out, VALUE n, VALUE_OF(int) factor,
                  VALUE_OF(long) add POSITIONS)
{
    unsigned i = GLOBAL_ID(x);
    if (i < n)
        out[3 + i] = in[i] * factor + (int)add;
}

KERNEL void place(GLOBAL int *out POSITIONS)
{
    unsigned at = (GLOBAL_ID(z) * GLOBAL_SIZE(y) + GLOBAL_ID(y)) * GLOBAL_SIZE(x) + GLOBAL_ID(x);
    out[at] = (int)(GLOBAL_ID(x) + 100 * GLOBAL_ID(y) + 10000 * GLOBAL_ID(z));
}

KERNEL void twice(GLOBAL const int *in, GLOBAL int *out POSITIONS)
{
    out[GLOBAL_ID(x)] = 2 * in[GLOBAL_ID(x)];
}

KERNEL void plus_one(GLOBAL const int *in, GLOBAL int *out POSITIONS)
{
    out[GLOBAL_ID(x)] = 1 + in[GLOBAL_ID(x)];
}
