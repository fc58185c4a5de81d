// kerntime: --flops 2*n --bytes 12*n
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(constant float &a [[buffer(0)]], device const float *x [[buffer(1)]],
                  device float *y [[buffer(2)]], constant uint &n [[buffer(3)]],
                  uint i [[thread_position_in_grid]])
{
    if (i < n)
        y[i] = a * x[i] + y[i];
}
