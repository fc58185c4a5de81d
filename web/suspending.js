// SPDX-License-Identifier: MIT
/*
 * suspending.js - imports of the modules that return promises: C is suspended until they settle.
 * web/CMakeLists.txt reads this list, too, for the build with Asyncify.
 */
export const SUSPENDING = [
    "webgpu.wgpuInstanceWaitAny",
    "wasi_snapshot_preview1.poll_oneoff",
    "kerntime.read_output",
    "kerntime.finish",
    "kerntime.yield",
];
