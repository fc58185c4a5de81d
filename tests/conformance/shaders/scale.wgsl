/* 64 bits as two numbers, low first: WGSL has no wider ones. They begin at a multiple of 8, too. */
struct Values { n: u32, factor: i32, add: vec2u }
@group(0) @binding(0) var<storage, read> numbers: array<i32>;
@group(0) @binding(1) var<storage, read_write> scaled: array<i32>;
@group(0) @binding(2) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn scale(@builtin(global_invocation_id) item: vec3u) {
    if (item.x < values.n) {
        scaled[3 + item.x] = numbers[item.x] * values.factor + i32(values.add.x);
    }
}
