struct Values { a: u32, b: u32 }
@group(0) @binding(0) var<storage, read_write> results: array<u32>;
@group(0) @binding(1) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn two_values(@builtin(global_invocation_id) item: vec3u) {
    results[item.x] = values.a + values.b;
}
