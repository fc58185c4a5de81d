#version 450
#extension GL_GOOGLE_include_directive : require
/* As saxpy.cl. */
#include "factor.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < n; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
        y[i] = SAXPY_A * x[i] + y[i];
}
