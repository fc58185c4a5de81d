/* The kernel of own_kernel.c, for Level Zero: its parameters are the arguments, in their order. */
__kernel void square(__global const float *x, __global float *y)
{
    size_t i = get_global_id(0);
    y[i] = x[i] * x[i];
}
