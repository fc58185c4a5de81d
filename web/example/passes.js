// SPDX-License-Identifier: MIT
// Times two compute passes of a page's own: the lines with use, pass and collect are all that kerntime needs.
import { use, pass, collect } from "../kerntime.js";

const frames = 100;
const length = 1 << 16;
const shader = `
    @group(0) @binding(0) var<storage, read_write> data: array<f32>;

    @compute @workgroup_size(64)
    fn grow(@builtin(global_invocation_id) id: vec3u) {
        data[id.x] += 1.0;
    }

    @compute @workgroup_size(64)
    fn root(@builtin(global_invocation_id) id: vec3u) {
        for (var i = 0; i < 8; i++) {
            data[id.x] = sqrt(data[id.x] + 2.0);
        }
    }`;

async function openDevice() {
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter)
        throw new Error("This browser has no WebGPU adapter.");
    if (!adapter.features.has("timestamp-query"))
        throw new Error("This adapter has no timestamp queries.");
    return adapter.requestDevice({ requiredFeatures: ["timestamp-query"] });
}

async function main() {
    const device = await openDevice();
    await use(device);

    const module = device.createShaderModule({ code: shader });
    const buffer = device.createBuffer({ size: 4 * length, usage: GPUBufferUsage.STORAGE });
    const passes = ["grow", "root"].map(name => {
        const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: name } });
        const group = device.createBindGroup({
            layout: pipeline.getBindGroupLayout(0),
            entries: [{ binding: 0, resource: { buffer } }],
        });
        return { name, pipeline, group };
    });

    let snapshot;
    for (let frame = 0; frame < frames; frame++) {
        const encoder = device.createCommandEncoder();
        for (const { name, pipeline, group } of passes) {
            const compute = encoder.beginComputePass(pass({ label: name }, name));
            compute.setPipeline(pipeline);
            compute.setBindGroup(0, group);
            compute.dispatchWorkgroups(length / 64);
            compute.end();
        }
        device.queue.submit([encoder.finish()]);
        if (frame % 10 === 9)
            snapshot = await collect();
    }
    show(snapshot);
}

/** @param {import("../kerntime.js").RegistryDocument} snapshot */
function show(snapshot) {
    const us = ns => `${(ns / 1e3).toFixed(1)} us`;
    const table = document.querySelector("#times");
    for (const { name, n, p50_ns, p95_ns, total_ns } of snapshot.rows) {
        const row = table.tBodies[0].insertRow();
        for (const text of [name, n, us(p50_ns), us(p95_ns), us(total_ns)])
            row.insertCell().textContent = text;
    }
    table.hidden = false;
    document.querySelector("#status").textContent = `${frames} frames.`;
}

main().catch(error => {
    document.querySelector("#status").textContent = error.message;
});
