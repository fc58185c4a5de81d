/* As scan.cl. Of the variables at the same binding, a kernel uses one. */
#include "tile.h"

struct Values { n: u32 }
@group(0) @binding(0) var<storage, read> summands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<uniform> values: Values;
@group(0) @binding(3) var<uniform> values_of_blocks: Values;

var<workgroup> sums: array<array<u32, SCAN_GROUP>, 2>;

fn block_size(n: u32, groups: u32) -> u32 {
    let tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    return (tiles + groups - 1) / groups * SCAN_TILE;
}

fn scan_group(item: u32, mine: u32) -> u32 {
    var side = 0u;
    sums[0][item] = mine;
    workgroupBarrier();
    for (var distance = 1u; distance < SCAN_GROUP; distance *= 2) {
        var sum = sums[side][item];
        if (item >= distance) {
            sum += sums[side][item - distance];
        }
        side = 1 - side;
        sums[side][item] = sum;
        workgroupBarrier();
    }
    return side;
}

fn scan_range(begin: u32, end: u32, base: u32, item: u32) {
    var before = base;
    for (var tile = begin; tile < end; tile += SCAN_TILE) {
        let first = tile + item * SCAN_ITEMS;
        var own: array<u32, SCAN_ITEMS>;
        var mine = 0u;
        for (var k = 0u; k < SCAN_ITEMS; k++) {
            if (first + k < end) {
                own[k] = summands[first + k];
            }
            mine += own[k];
        }
        let side = scan_group(item, mine);
        var sum = before + sums[side][item] - mine;
        before += sums[side][SCAN_GROUP - 1];
        workgroupBarrier();
        for (var k = 0u; k < SCAN_ITEMS; k++) {
            if (first + k < end) {
                results[first + k] = sum;
            }
            sum += own[k];
        }
    }
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn scan_block_sums(@builtin(local_invocation_id) here: vec3u, @builtin(workgroup_id) group: vec3u,
                   @builtin(num_workgroups) groups: vec3u) {
    let item = here.x;
    let size = block_size(values.n, groups.x);
    let begin = group.x * size;
    let end = min(begin + size, values.n);
    var mine = 0u;
    for (var i = begin + item; i < end; i += SCAN_GROUP) {
        mine += summands[i];
    }
    sums[0][item] = mine;
    workgroupBarrier();
    for (var others = SCAN_GROUP / 2u; others > 0; others /= 2) {
        if (item < others) {
            sums[0][item] += sums[0][item + others];
        }
        workgroupBarrier();
    }
    if (item == 0) {
        results[group.x] = sums[0][0];
    }
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn scan_offsets(@builtin(local_invocation_id) here: vec3u) {
    scan_range(0, values.n, 0, here.x);
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn scan_blocks(@builtin(local_invocation_id) here: vec3u, @builtin(workgroup_id) group: vec3u,
               @builtin(num_workgroups) groups: vec3u) {
    let n = values_of_blocks.n;
    let size = block_size(n, groups.x);
    let begin = group.x * size;
    scan_range(begin, min(begin + size, n), offsets[group.x], here.x);
}
