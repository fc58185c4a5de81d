#version 450
// Changes every element of a buffer, so that caches hold it and nothing else.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(set = 0, binding = 0, std430) buffer Lines
{
    uvec4 lines[];
};

void main()
{
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < uint(lines.length()); i += stride)
        lines[i] += uvec4(1);
}
