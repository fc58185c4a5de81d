#version 450
#extension GL_GOOGLE_include_directive : require
/* As reduce_final in reduce.cl. */
#include "group.glsl"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Partials { uint partials[]; };
layout(binding = 1) writeonly buffer Sum { uint sum; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    uint mine = 0;
    for (uint i = gl_LocalInvocationID.x; i < n; i += REDUCE_GROUP)
        mine += partials[i];
    mine = sum_of_group(gl_LocalInvocationID.x, mine);
    if (gl_LocalInvocationID.x == 0)
        sum = mine;
}
