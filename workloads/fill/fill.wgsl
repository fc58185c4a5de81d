/* As fill.cl. */
#include "value.h"

struct Values { n: u32 }
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn fill(@builtin(global_invocation_id) item: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var i = item.x; i < values.n; i += groups.x * kt_group_x) {
        words[i] = FILL_VALUE;
    }
}
