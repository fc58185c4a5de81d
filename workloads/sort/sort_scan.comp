#version 450
#extension GL_GOOGLE_include_directive : require
/* As sort_scan in sort.cl. */
#include "digits.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Counts { uint counts[]; };
layout(binding = 1) writeonly buffer Offsets { uint offsets[]; };
layout(push_constant) uniform Values { uint n; };

shared uint sums[SORT_SCANNERS];

void main()
{
    uint here = gl_LocalInvocationID.x, digit = gl_WorkGroupID.x;
    uint tiles = (n - 1) / SORT_DIGITS + 1, per_block = (tiles - 1) / SORT_BLOCKS + 1;
    uint blocks = (tiles - 1) / per_block + 1, share = (blocks - 1) / SORT_SCANNERS + 1;
    uint begin = min(here * share, blocks), end = min(begin + share, blocks);
    uint own = 0, sum = 0;
    for (uint i = begin; i < end; i++)
        own += counts[digit * blocks + i];
    sums[here] = own;
    barrier();
    for (uint i = 0; i < here && begin < blocks; i++)
        sum += sums[i];
    for (uint i = begin; i < end; i++) {
        offsets[digit * blocks + i] = sum;
        sum += counts[digit * blocks + i];
    }
    if (end == blocks && begin < end)
        offsets[blocks * SORT_DIGITS + digit] = sum;
}
