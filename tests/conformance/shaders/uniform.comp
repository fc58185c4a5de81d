#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) uniform In { uvec4 numbers[4]; };
layout(binding = 1) writeonly buffer Out { uint results[]; };

void main()
{
    results[gl_GlobalInvocationID.x] = numbers[gl_LocalInvocationID.x % 4].x;
}
