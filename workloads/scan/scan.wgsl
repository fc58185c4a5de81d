/* As scan.cl. Of the variables at the same binding, a kernel uses one. */
#include "tile.h"

struct Values { n: u32 }
@group(0) @binding(0) var<storage, read> summands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<uniform> values: Values;
@group(0) @binding(3) var<uniform> values_of_blocks: Values;

var<workgroup> sums: array<u32, SCAN_GROUP>;
var<workgroup> rows: array<u32, SCAN_ROWS>;

fn block_size(n: u32, groups: u32) -> u32 {
    let tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    return (tiles + groups - 1) / groups * SCAN_TILE;
}

fn sum_rows(item: u32, mine: u32) {
    sums[item] = mine;
    workgroupBarrier();
    if (item < SCAN_ROWS) {
        var sum = 0u;
        for (var k = 0u; k < SCAN_ROW; k++) {
            sum += sums[item * SCAN_ROW + k];
        }
        rows[item] = sum;
    }
    workgroupBarrier();
}

fn scan_group(item: u32, mine: u32, before: ptr<function, u32>) -> u32 {
    sum_rows(item, mine);
    let own_row = item / SCAN_ROW;
    var sum = 0u;
    for (var row = 0u; row < SCAN_ROWS; row++) {
        if (row == own_row) {
            sum = *before;
        }
        *before += rows[row];
    }
    for (var k = own_row * SCAN_ROW; k < item; k++) {
        sum += sums[k];
    }
    return sum;
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
        var sum = scan_group(item, mine, &before);
        for (var k = 0u; k < SCAN_ITEMS; k++) {
            if (first + k < end) {
                results[first + k] = sum;
            }
            sum += own[k];
        }
        workgroupBarrier();
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
    sum_rows(item, mine);
    if (item == 0) {
        mine = 0;
        for (var row = 0u; row < SCAN_ROWS; row++) {
            mine += rows[row];
        }
        results[group.x] = mine;
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
