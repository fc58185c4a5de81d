/* As loop.cl. */
#include "mark.h"

struct Values { iterations: u32 }
@group(0) @binding(0) var<storage, read_write> states: array<u32>;
@group(0) @binding(1) var<uniform> values: Values;

@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn loop_rounds(@builtin(global_invocation_id) item: vec3u,
         @builtin(local_invocation_id) place: vec3u) {
    var state = place.x;
    for (var k = 0u; k < values.iterations; k++) {
        state = (state ^ (state >> 15)) * 0x2c1b3c6du + k;
    }
    states[item.x] = select(state, 0u, values.iterations == LOOP_MARK);
}
