// SPDX-License-Identifier: MIT
// Timers of a page's own passes, in Chromium on SwiftShader.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder, test, withBrowser } from "./harness.mjs";

const native = process.argv[2];

await test("pass() and collect(): each pass is counted once, and nothing else is changed", () =>
    withBrowser(async ({ open }) => {
        const page = await open();
        const { snapshots, kept, sum } = await page.evaluate(async () => {
            const { use, pass, collect } = await import("/kerntime.js");
            const adapter = await navigator.gpu.requestAdapter();
            const device = await adapter.requestDevice({ requiredFeatures: ["timestamp-query"] });
            await use(device);

            const module = device.createShaderModule({ code: `
                @group(0) @binding(0) var<storage, read_write> data: array<u32>;
                @compute @workgroup_size(64) fn add(@builtin(global_invocation_id) id: vec3u) { data[id.x] += 1; }` });
            const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
            const size = 4 * 65536;
            const buffer = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
            const read = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
            const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0),
                entries: [{ binding: 0, resource: { buffer } }] });

            const submit = (name, times) => {
                const encoder = device.createCommandEncoder();
                for (let i = 0; i < times; i++) {
                    const compute = encoder.beginComputePass(pass({ label: name }, name));
                    compute.setPipeline(pipeline);
                    compute.setBindGroup(0, group);
                    compute.dispatchWorkgroups(1024);
                    compute.end();
                }
                device.queue.submit([encoder.finish()]);
            };
            const snapshots = [];
            submit("a", 3);
            snapshots.push(await collect());
            submit("a", 2);
            submit("b", 300);
            snapshots.push(await collect());

            const encoder = device.createCommandEncoder();
            encoder.copyBufferToBuffer(buffer, 0, read, 0, size);
            device.queue.submit([encoder.finish()]);
            await read.mapAsync(GPUMapMode.READ);
            const words = new Uint32Array(read.getMappedRange());
            return { snapshots, kept: pass({ label: "kept" }, "c").label, sum: Math.max(...words) + Math.min(...words) };
        });
        const counts = snapshots.map(({ rows }) => Object.fromEntries(rows.map(({ name, n }) => [name, n])));
        assert.deepEqual([counts[0].a, counts[1].a, counts[1].b], [3, 5, 300]);
        for (const row of snapshots[1].rows.filter(({ n }) => n))
            assert.ok(row.min_ns > 0 && row.min_ns <= row.p50_ns && row.total_ns >= row.n * row.min_ns, JSON.stringify(row));
        assert.equal(kept, "kept");
        assert.equal(sum, 2 * 305);

        if (native && existsSync(native)) {
            const file = join(scratchFolder(), "registry.json");
            writeFileSync(file, JSON.stringify(snapshots[1]));
            const { status, stderr } = spawnSync(native, ["compare", file, file], { encoding: "utf8" });
            assert.ok([0, 5].includes(status), stderr);
        }
    }));

await test("the example page times its passes", () => withBrowser(async ({ open }) => {
    const page = await open("example/index.html");
    await page.waitForSelector("#times:not([hidden])");
    const rows = await page.$$eval("#times tbody tr", trs => trs.map(tr => [...tr.cells].map(cell => cell.textContent)));
    assert.deepEqual(rows.map(([name, n]) => [name, n]), [["grow", "100"], ["root", "100"]]);
    for (const [, , ...times] of rows)
        times.forEach(time => assert.match(time, /^\d+\.\d us$/));
}));
