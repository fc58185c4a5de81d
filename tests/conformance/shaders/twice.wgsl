@group(0) @binding(0) var<storage, read> numbers: array<i32>;
@group(0) @binding(1) var<storage, read_write> results: array<i32>;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn twice(@builtin(global_invocation_id) item: vec3u) {
    results[item.x] = 2 * numbers[item.x];
}
