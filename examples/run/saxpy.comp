#version 450
// kerntime: --flops 2*n --bytes 12*n --local 256 --groups 'min(ceil(n/256), 65535)'
layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0) readonly buffer X
{
    float x[];
};

layout(set = 0, binding = 1) buffer Y
{
    float y[];
};

layout(push_constant) uniform Arguments
{
    float a;
    uint n;
};

void main()
{
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
