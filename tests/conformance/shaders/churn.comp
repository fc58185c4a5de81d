#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform Values { uint iterations; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = i;
    for (uint k = 0; k < iterations; k++)
        x = (x ^ (x >> 15)) * 0x2c1b3c6du + k;
    results[i] = x;
}
