#version 450
#extension GL_GOOGLE_include_directive : require
/* As sort_scatter in sort.cl. */
#include "digits.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) writeonly buffer To { uint to[]; };
layout(binding = 2) readonly buffer Offsets { uint offsets[]; };
layout(push_constant) uniform Values { uint n, shift; };

shared uint next[SORT_DIGITS];
shared uint bits[SORT_WORDS * SORT_DIGITS];

/* As many keys have a smaller digit: those of whole rows of digits, and those of its own row. */
uint count_smaller(uint here, uint all)
{
    const uint row = SORT_DIGITS / SORT_ROWS;
    uint smaller = 0;
    bits[here] = all;
    barrier();
    if (here < SORT_ROWS) {
        next[here] = 0;
        for (uint i = 0; i < row; i++)
            next[here] += bits[here * row + i];
    }
    barrier();
    for (uint i = 0; i < here / row; i++)
        smaller += next[i];
    for (uint i = here - here % row; i < here; i++)
        smaller += bits[i];
    barrier();
    return smaller;
}

void main()
{
    uint here = gl_LocalInvocationID.x, block = gl_WorkGroupID.x;
    uint share = ((n - 1) / SORT_DIGITS / SORT_BLOCKS + 1) * SORT_DIGITS;
    uint begin = block * share, end = n - begin < share ? n : begin + share;
    uint word = here / 32, bit = 1u << here % 32;
    uint all = offsets[gl_NumWorkGroups.x * SORT_DIGITS + here];
    uint smaller = count_smaller(here, all);
    next[here] = smaller + offsets[here * gl_NumWorkGroups.x + block];
    for (uint k = 0; k < SORT_WORDS; k++)
        bits[k * SORT_DIGITS + here] = 0;
    barrier();
    for (uint tile = begin; tile < end; tile += SORT_DIGITS) {
        uint i = tile + here, key = 0, digit = 0;
        if (i < end) {
            key = keys[i];
            digit = key >> shift & (SORT_DIGITS - 1);
            atomicOr(bits[word * SORT_DIGITS + digit], bit);
        }
        barrier();
        uint before = 0, all_same = 0, place = 0;
        if (i < end) {
            for (uint k = 0; k < SORT_WORDS; k++) {
                uint same = bits[k * SORT_DIGITS + digit];
                before += bitCount(k < word ? same : k == word ? same & (bit - 1) : 0);
                all_same += bitCount(same);
            }
            place = next[digit] + before;
            if (place < n)
                to[place] = key;
        }
        barrier();
        if (i < end)
            atomicExchange(bits[word * SORT_DIGITS + digit], 0);
        if (i < end && before + 1 == all_same)
            next[digit] = place + 1;
        barrier();
    }
}
