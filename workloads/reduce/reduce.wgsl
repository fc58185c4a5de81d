/* As reduce.cl. */
#include "group.h"

struct Values { n: u32 }
@group(0) @binding(0) var<storage, read> summands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<uniform> values: Values;

var<workgroup> sums: array<u32, REDUCE_GROUP>;
var<workgroup> rows: array<u32, REDUCE_ROWS>;

fn sum_of_group(item: u32, mine: u32) -> u32 {
    var sum = 0u;
    sums[item] = mine;
    workgroupBarrier();
    if (item < REDUCE_ROWS) {
        for (var k = 0u; k < REDUCE_ROW; k++) {
            sum += sums[item * REDUCE_ROW + k];
        }
        rows[item] = sum;
    }
    workgroupBarrier();
    sum = 0;
    if (item == 0) {
        for (var row = 0u; row < REDUCE_ROWS; row++) {
            sum += rows[row];
        }
    }
    return sum;
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn reduce_partial(@builtin(global_invocation_id) item: vec3u, @builtin(local_invocation_id) here: vec3u,
                  @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {
    var mine = 0u;
    for (var i = item.x; i < values.n; i += groups.x * REDUCE_GROUP) {
        mine += summands[i];
    }
    mine = sum_of_group(here.x, mine);
    if (here.x == 0) {
        results[group.x] = mine;
    }
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn reduce_final(@builtin(local_invocation_id) here: vec3u) {
    var mine = 0u;
    for (var i = here.x; i < values.n; i += REDUCE_GROUP) {
        mine += summands[i];
    }
    mine = sum_of_group(here.x, mine);
    if (here.x == 0) {
        results[0] = mine;
    }
}
