#version 450
#extension GL_GOOGLE_include_directive : require
/* As sort_histogram in sort.cl. */
#include "digits.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Values { uint n, shift; };

shared uint bins[SORT_DIGITS];

void main()
{
    uint here = gl_LocalInvocationID.x, block = gl_WorkGroupID.x;
    uint share = ((n - 1) / SORT_DIGITS / SORT_BLOCKS + 1) * SORT_DIGITS;
    uint begin = block * share, end = n - begin < share ? n : begin + share;
    bins[here] = 0;
    barrier();
    for (uint i = begin + here; i < end; i += SORT_DIGITS)
        atomicAdd(bins[keys[i] >> shift & (SORT_DIGITS - 1)], 1);
    barrier();
    counts[here * gl_NumWorkGroups.x + block] = bins[here];
}
