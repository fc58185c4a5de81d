// SPDX-License-Identifier: MIT
/* wgsl_examples.js - shaders that run as they stand. */

const saxpy = `// y = a x + y. Options of kerntime run can stand here:
// kerntime: --bytes 12*n --flops 2*n
override group_size: u32 = 64;

struct Arguments {
    a: f32,
    n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> arguments: Arguments;

@compute @workgroup_size(group_size)
fn saxpy(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arguments.n) {
        y[i] = arguments.a * x[i] + y[i];
    }
}
`;

const tiled = `// C = A B, in tiles of shared memory.
// kerntime: --flops 2*n^3 --bytes 12*n^2
override TILE: u32 = 8;

@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> B: array<f32>;
@group(0) @binding(2) var<storage, read_write> C: array<f32>;
@group(0) @binding(3) var<uniform> n: u32;

var<workgroup> a: array<f32, TILE * TILE>;
var<workgroup> b: array<f32, TILE * TILE>;

@compute @workgroup_size(TILE, TILE)
fn tiled(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let at = local.y * TILE + local.x;
    var sum = 0.0;
    for (var k = 0u; k < n; k += TILE) {
        a[at] = A[id.y * n + k + local.x];
        b[at] = B[(k + local.y) * n + id.x];
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += a[local.y * TILE + i] * b[i * TILE + local.x];
        }
        workgroupBarrier();
    }
    C[id.y * n + id.x] = sum;
}
`;

/** `n` and `constants` go into the fields of these names: on a GPU, and on a processor that stands in. */
export const examples = [
    { name: "saxpy", wgsl: saxpy, n: "", slow_n: "64Ki", constants: "" },
    { name: "matmul in tiles: the fastest TILE", wgsl: tiled, n: "1024", slow_n: "64", constants: "TILE=4,8,16" },
];
