#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) readonly buffer In { int numbers[]; };
layout(binding = 1) writeonly buffer Out { int scaled[]; };
/* 64 bits as two numbers, low first: not every device has wider ones. They begin at a multiple of 8, too. */
layout(push_constant) uniform Values { uint n; int factor; uvec2 add; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < n)
        scaled[3 + i] = numbers[i] * factor + int(add.x);
}
