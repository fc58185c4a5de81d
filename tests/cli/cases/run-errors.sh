# SPDX-License-Identifier: MIT
# Mistakes cost one sentence and the right exit code, before anything runs. cpu:0 and sim:0 take no kernel files.
printf 'int x;\n' >none.cl
printf 'kernel void a(global int *x) { x[0] = 1; }\nkernel void b(global int *x) { x[0] = 1; }\n' >two.cl
printf 'kernel void k(global float *y, uint n) { y[get_global_id(0)] = n; }\n' >one.cl
for name in a b c d; do echo "kernel void $name(global int *x) { x[0] = 1; }"; done >many.cl
printf 'abcdefgh' >bad.spv
printf '@group(0) @binding(0) var<storage, read_write> y: array<f32>;\n\n@compute @workgroup_size(64)\nfn k() { y[0] = 1.0; }\n' >one.wgsl
try kerntime run
try kerntime run no.cl
try kerntime run x.txt
try kerntime run none.cl
try kerntime run two.cl
try kerntime run two.cl:c
try kerntime run many.cl
try kerntime run bad.spv
try kerntime run one.cl -n 0
try kerntime run one.cl -n 16Xi
try kerntime run one.cl -D ''
try kerntime run one.cl --sice 8
try kerntime run one.cl -d sim:0
try kerntime run one.cl -d sim:0 --cold --trials 2
try kerntime run one.cl -d sim:0 --runs 2 --trace trace
try kerntime run one.cl -d no:0
try kerntime run one.cl --plot figure
export KERNTIME_BACKENDS=cpu,opencl KERNTIME_LIB_OPENCL=/no/stub
try kerntime run one.cl
rm none.cl two.cl many.cl one.cl bad.spv one.wgsl
