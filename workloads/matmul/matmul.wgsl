/* As matmul.cl. */
#include "tile.h"

struct Values { n: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn matmul_naive(@builtin(global_invocation_id) item: vec3u) {
    let n = values.n;
    let column = item.x;
    let row = item.y;
    if (row >= n || column >= n) {
        return;
    }
    var sum = 0.0;
    for (var k = 0u; k < n; k++) {
        sum += a[row * n + k] * b[k * n + column];
    }
    c[row * n + column] = sum;
}

var<workgroup> tile_a: array<array<f32, MATMUL_TILE>, MATMUL_TILE>;
var<workgroup> tile_b: array<array<f32, MATMUL_TILE>, MATMUL_TILE>;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn matmul_tiled(@builtin(global_invocation_id) item: vec3u, @builtin(local_invocation_id) here: vec3u) {
    let n = values.n;
    let column = item.x;
    let row = item.y;
    var sum = 0.0;
    for (var k0 = 0u; k0 < n; k0 += MATMUL_TILE) {
        /* Beyond the edge stands 0: it adds nothing, and every item reaches the barriers. */
        tile_a[here.y][here.x] = 0;
        tile_b[here.y][here.x] = 0;
        if (row < n && k0 + here.x < n) {
            tile_a[here.y][here.x] = a[row * n + k0 + here.x];
        }
        if (k0 + here.y < n && column < n) {
            tile_b[here.y][here.x] = b[(k0 + here.y) * n + column];
        }
        workgroupBarrier();
        for (var k = 0u; k < MATMUL_TILE; k++) {
            sum += tile_a[here.y][k] * tile_b[k][here.x];
        }
        workgroupBarrier();
    }
    if (row < n && column < n) {
        c[row * n + column] = sum;
    }
}
