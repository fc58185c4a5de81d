#version 450
/* As in shaders that nobody wrote for kerntime: sets and bindings with gaps between them, a uniform buffer, a gap in the push
 * constants, and specialisation constants that have nothing to do with the group. */
layout(local_size_x = 16) in;
layout(constant_id = 0) const int FACTOR = 1;
layout(constant_id = 40) const bool NEGATE = false;
layout(set = 1, binding = 7) readonly buffer In { int numbers[]; };
layout(set = 3, binding = 0) writeonly buffer Out { int results[]; };
layout(set = 1, binding = 2) uniform Block { ivec3 offset; int scale; };
layout(push_constant) uniform Values { int add; layout(offset = 16) ivec2 more; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    int result = numbers[i] * FACTOR * scale + offset.z + add + more.y;
    results[i] = NEGATE ? -result : result;
}
