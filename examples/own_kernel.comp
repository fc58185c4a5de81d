#version 450
/* The kernel of own_kernel.c, for Vulkan: its memories are bindings in the order of its arguments. */
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    y[i] = x[i] * x[i];
}
