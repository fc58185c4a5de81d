@group(0) @binding(0) var<storage, read_write> results: array<u32>;
/* 16 MiB, which no device has for a group */
var<workgroup> all: array<array<u32, 1024>, 4096>;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn much_shared(@builtin(global_invocation_id) item: vec3u,
               @builtin(local_invocation_index) i: u32) {
    all[i][0] = i;
    workgroupBarrier();
    results[item.x] = all[i + 1][0];
}
