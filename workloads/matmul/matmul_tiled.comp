#version 450
/* As matmul_tiled in matmul.cl; the edge of a tile is that of the group. */
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Values { uint n; };

const uint tile = gl_WorkGroupSize.x;
shared float tile_a[tile][tile], tile_b[tile][tile];

void main()
{
    uint column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    float sum = 0;
    for (uint k0 = 0; k0 < n; k0 += tile) {
        /* Beyond the edge stands 0: it adds nothing, and every item reaches the barriers. */
        tile_a[y][x] = row < n && k0 + x < n ? a[row * n + k0 + x] : 0;
        tile_b[y][x] = k0 + y < n && column < n ? b[(k0 + y) * n + column] : 0;
        barrier();
        for (uint k = 0; k < tile; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
