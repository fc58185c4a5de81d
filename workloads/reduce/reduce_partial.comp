#version 450
#extension GL_GOOGLE_include_directive : require
/* As reduce_partial in reduce.cl. */
#include "group.glsl"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Array { uint array[]; };
layout(binding = 1) writeonly buffer Partials { uint partials[]; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    uint mine = 0;
    for (uint i = gl_GlobalInvocationID.x; i < n; i += gl_NumWorkGroups.x * REDUCE_GROUP)
        mine += array[i];
    mine = sum_of_group(gl_LocalInvocationID.x, mine);
    if (gl_LocalInvocationID.x == 0)
        partials[gl_WorkGroupID.x] = mine;
}
