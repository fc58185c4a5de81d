#version 450
#extension GL_GOOGLE_include_directive : require
#include "factor.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) readonly buffer C { float c[]; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < n; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
        a[i] = b[i] + TRIAD_S * c[i];
}
