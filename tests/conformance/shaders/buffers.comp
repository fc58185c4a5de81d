#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer Out { uint results[]; } buffers[2];

void main()
{
    buffers[1].results[gl_GlobalInvocationID.x] = 1;
}
