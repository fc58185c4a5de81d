@group(0) @binding(0) var<storage, read_write> places: array<i32>;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn place(@builtin(global_invocation_id) at: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let size = groups * vec3u(kt_group_x, kt_group_y, kt_group_z);
    places[(at.z * size.y + at.y) * size.x + at.x] = i32(at.x + 100 * at.y + 10000 * at.z);
}
