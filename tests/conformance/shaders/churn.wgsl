struct Values { iterations: u32 }
@group(0) @binding(0) var<storage, read_write> results: array<u32>;
@group(0) @binding(1) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn churn(@builtin(global_invocation_id) item: vec3u) {
    var x = item.x;
    for (var k = 0u; k < values.iterations; k++) {
        x = (x ^ (x >> 15)) * 0x2c1b3c6du + k;
    }
    results[item.x] = x;
}
