override factor: i32;
@id(40) override negate = false;
struct Block { offset: vec3i, scale: i32 }
@group(1) @binding(7) var<storage, read> numbers: array<i32>;
@group(3) @binding(0) var<storage, read_write> results: array<i32>;
@group(1) @binding(2) var<uniform> block: Block;
@group(0) @binding(5) var<uniform> more: vec3i;

@compute @workgroup_size(16)
fn places(@builtin(global_invocation_id) item: vec3u) {
    let result = numbers[item.x] * factor * block.scale + block.offset.z + more.x + more.z;
    results[item.x] = select(result, -result, negate);
}
