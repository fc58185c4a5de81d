#version 450
/* The kernel of vulkan_timer.c: takes each number 100 steps on, halved if it is even, else 3 n + 1. */
layout(local_size_x = 64) in;
layout(binding = 0) buffer Numbers { uint numbers[]; };

void main()
{
    uint n = numbers[gl_GlobalInvocationID.x];
    for (int i = 0; i < 100; i++)
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    numbers[gl_GlobalInvocationID.x] = n;
}
