#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer In { int numbers[]; };
layout(binding = 1) writeonly buffer Out { int results[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    results[i] = 1 + numbers[i];
}
