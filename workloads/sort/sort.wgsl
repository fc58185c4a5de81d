/* As sort.cl. Of the variables at the same binding, a kernel uses one. */
#include "digits.h"

struct Values { n: u32, shift: u32 }
struct Size { n: u32 }
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<uniform> values: Values;
@group(0) @binding(2) var<uniform> size: Size;
@group(0) @binding(3) var<uniform> values_of_scatter: Values;

var<workgroup> bins: array<atomic<u32>, SORT_DIGITS>;
var<workgroup> sums: array<u32, SORT_DIGITS>;
var<workgroup> next: array<u32, SORT_DIGITS>;
var<workgroup> bits: array<atomic<u32>, SORT_WORDS * SORT_DIGITS>;

fn keys_per_block(n: u32) -> u32 {
    return ((n - 1) / SORT_DIGITS / SORT_BLOCKS + 1) * SORT_DIGITS;
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn sort_histogram(@builtin(local_invocation_index) here: u32, @builtin(workgroup_id) group: vec3u,
                  @builtin(num_workgroups) groups: vec3u) {
    let share = keys_per_block(values.n);
    let begin = group.x * share;
    let end = min(begin + share, values.n);
    atomicStore(&bins[here], 0u);
    workgroupBarrier();
    for (var i = begin + here; i < end; i += SORT_DIGITS) {
        atomicAdd(&bins[(keys[i] >> values.shift) & (SORT_DIGITS - 1)], 1u);
    }
    workgroupBarrier();
    results[here * groups.x + group.x] = atomicLoad(&bins[here]);
}

/* Of `keys`, which are the counts here. */
@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn sort_scan(@builtin(local_invocation_index) here: u32, @builtin(workgroup_id) group: vec3u) {
    let tiles = (size.n - 1) / SORT_DIGITS + 1;
    let per_block = (tiles - 1) / SORT_BLOCKS + 1;
    let blocks = (tiles - 1) / per_block + 1;
    let share = (blocks - 1) / SORT_SCANNERS + 1;
    let begin = min(here * share, blocks);
    let end = min(begin + share, blocks);
    var own = 0u;
    for (var i = begin; i < end; i++) {
        own += keys[group.x * blocks + i];
    }
    sums[here] = own;
    workgroupBarrier();
    var sum = 0u;
    for (var i = 0u; i < here && begin < blocks; i++) {
        sum += sums[i];
    }
    for (var i = begin; i < end; i++) {
        results[group.x * blocks + i] = sum;
        sum += keys[group.x * blocks + i];
    }
    if (end == blocks && begin < end) {
        results[blocks * SORT_DIGITS + group.x] = sum;
    }
}

/* As many keys have a smaller digit: those of whole rows of digits, and those of its own row. */
fn count_smaller(here: u32, all: u32) -> u32 {
    const row = SORT_DIGITS / SORT_ROWS;
    sums[here] = all;
    workgroupBarrier();
    if (here < SORT_ROWS) {
        var sum = 0u;
        for (var i = 0u; i < row; i++) {
            sum += sums[here * row + i];
        }
        next[here] = sum;
    }
    workgroupBarrier();
    var smaller = 0u;
    for (var i = 0u; i < here / row; i++) {
        smaller += next[i];
    }
    for (var i = here - here % row; i < here; i++) {
        smaller += sums[i];
    }
    workgroupBarrier();
    return smaller;
}

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn sort_scatter(@builtin(local_invocation_index) here: u32, @builtin(workgroup_id) group: vec3u,
                @builtin(num_workgroups) groups: vec3u) {
    let share = keys_per_block(values_of_scatter.n);
    let begin = group.x * share;
    let end = min(begin + share, values_of_scatter.n);
    let word = here / 32;
    let bit = 1u << (here % 32);
    let all = offsets[groups.x * SORT_DIGITS + here];
    let smaller = count_smaller(here, all);
    next[here] = smaller + offsets[here * groups.x + group.x];
    for (var k = 0u; k < SORT_WORDS; k++) {
        atomicStore(&bits[k * SORT_DIGITS + here], 0u);
    }
    workgroupBarrier();
    for (var tile = begin; tile < end; tile += SORT_DIGITS) {
        let i = tile + here;
        var key = 0u;
        var digit = 0u;
        if (i < end) {
            key = keys[i];
            digit = (key >> values_of_scatter.shift) & (SORT_DIGITS - 1);
            atomicOr(&bits[word * SORT_DIGITS + digit], bit);
        }
        workgroupBarrier();
        var before = 0u;
        var all_same = 0u;
        var place = 0u;
        if (i < end) {
            for (var k = 0u; k < SORT_WORDS; k++) {
                let same = atomicLoad(&bits[k * SORT_DIGITS + digit]);
                if (k < word) {
                    before += countOneBits(same);
                } else if (k == word) {
                    before += countOneBits(same & (bit - 1));
                }
                all_same += countOneBits(same);
            }
            place = next[digit] + before;
            if (place < values_of_scatter.n) {
                results[place] = key;
            }
        }
        workgroupBarrier();
        if (i < end) {
            atomicStore(&bits[word * SORT_DIGITS + digit], 0u);
        }
        if (i < end && before + 1 == all_same) {
            next[digit] = place + 1;
        }
        workgroupBarrier();
    }
}
