#version 450
layout(local_size_x_id = 10, local_size_y_id = 10) in;
layout(binding = 0) writeonly buffer Out { uint results[]; };

void main()
{
    results[0] = 100 * gl_WorkGroupSize.x + gl_WorkGroupSize.y;
}
