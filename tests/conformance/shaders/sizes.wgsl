override side: u32 = 8;
@group(0) @binding(0) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(side, kt_group_y)
fn sizes() {
    results[0] = 100 * side + kt_group_y;
}
