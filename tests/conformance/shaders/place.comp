#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer Out { int places[]; };

void main()
{
    uvec3 at = gl_GlobalInvocationID, size = gl_NumWorkGroups * gl_WorkGroupSize;
    places[(at.z * size.y + at.y) * size.x + at.x] = int(at.x + 100 * at.y + 10000 * at.z);
}
