#version 450
/* As matmul_naive in matmul.cl. */
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Values { uint n; };

void main()
{
    uint column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
