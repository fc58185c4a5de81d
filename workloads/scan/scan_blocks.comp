#version 450
#extension GL_GOOGLE_include_directive : require
/* As scan_blocks in scan.cl. */
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer Array { uint array[]; };
layout(binding = 1) writeonly buffer Output { uint prefixes[]; };
layout(binding = 2) readonly buffer Offsets { uint offsets[]; };
layout(push_constant) uniform Values { uint n; };

#define FROM array
#define TO   prefixes
#include "range.glsl"

void main()
{
    uint size = block_size(n, gl_NumWorkGroups.x), begin = gl_WorkGroupID.x * size;
    scan_range(begin, min(begin + size, n), offsets[gl_WorkGroupID.x]);
}
