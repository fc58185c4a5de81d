#version 450
#extension GL_GOOGLE_include_directive : require
/* As fill.cl. */
#include "value.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer Array { uint array[]; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < n; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
        array[i] = FILL_VALUE;
}
