#version 450
#extension GL_GOOGLE_include_directive : require
/* As scan_block_sums in scan.cl. */
#include "block.glsl"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Array { uint array[]; };
layout(binding = 1) writeonly buffer BlockSums { uint block_sums[]; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    uint item = gl_LocalInvocationID.x, size = block_size(n, gl_NumWorkGroups.x);
    uint begin = gl_WorkGroupID.x * size, end = min(begin + size, n), mine = 0;
    for (uint i = begin + item; i < end; i += SCAN_GROUP)
        mine += array[i];
    sum_rows(item, mine);
    if (item == 0) {
        mine = 0;
        for (uint row = 0; row < SCAN_ROWS; row++)
            mine += rows[row];
        block_sums[gl_WorkGroupID.x] = mine;
    }
}
