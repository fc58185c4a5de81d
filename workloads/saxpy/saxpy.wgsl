/* As saxpy.cl. */
#include "factor.h"

struct Values { n: u32 }
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn saxpy(@builtin(global_invocation_id) item: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var i = item.x; i < values.n; i += groups.x * kt_group_x) {
        y[i] = SAXPY_A * x[i] + y[i];
    }
}
