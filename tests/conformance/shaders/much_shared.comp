#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer Out { uint results[]; };
/* 16 MiB, which no device has for a group */
shared uint all[4 << 20];

void main()
{
    uint i = gl_LocalInvocationID.x;
    all[i] = i;
    barrier();
    results[gl_GlobalInvocationID.x] = all[i + 1];
}
