#version 450
#extension GL_GOOGLE_include_directive : require
/* As scan_offsets in scan.cl. */
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer BlockSums { uint block_sums[]; };
layout(binding = 1) writeonly buffer Offsets { uint offsets[]; };
layout(push_constant) uniform Values { uint n; };

#define FROM block_sums
#define TO   offsets
#include "range.glsl"

void main()
{
    scan_range(0, n, 0);
}
