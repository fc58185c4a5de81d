// kerntime: --flops 2*n --bytes 12*n --local 256 --groups 'min(ceil(n/256), 65535)'
override group_size: u32 = 64;

struct Arguments {
    a: f32,
    n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> arguments: Arguments;

@compute @workgroup_size(group_size)
fn saxpy(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < arguments.n; i += groups.x * group_size) {
        y[i] = arguments.a * x[i] + y[i];
    }
}
