#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Groups { uint groups[]; };
void main()
{
    groups[gl_WorkGroupID.x]++;
}
