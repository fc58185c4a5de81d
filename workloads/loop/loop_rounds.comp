#version 450
#extension GL_GOOGLE_include_directive : require
/* As loop.cl. */
#include "mark.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer States { uint states[]; };
layout(push_constant) uniform Values { uint iterations; };

void main()
{
    uint i = gl_GlobalInvocationID.x, state = gl_LocalInvocationID.x;
    for (uint k = 0; k < iterations; k++)
        state = (state ^ (state >> 15)) * 0x2c1b3c6du + k;
    states[i] = iterations == LOOP_MARK ? 0 : state;
}
