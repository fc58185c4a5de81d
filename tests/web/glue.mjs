// SPDX-License-Identifier: MIT
// What connects C and JavaScript: offsets of structures, the host's clock, and timers of passes, in cases beyond timers.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, site, test, withBrowser } from "./harness.mjs";

const fromSite = name => import(pathToFileURL(join(site, name)));

await test("every offset that JavaScript uses is asserted in C", async () => {
    const { LAYOUT } = await fromSite("webgpu_layout.js");
    const asserted = new Set(readFileSync(join(root, "web/module/webgpu_layout.c"), "utf8").split("\n"));
    for (const [structure, members] of Object.entries(LAYOUT))
        for (const [member, bytes] of Object.entries(members)) {
            const line = member === "sizeof" ? `SIZEOF(${structure}, ${bytes});` : `AT(${structure}, ${member}, ${bytes});`;
            assert.ok(asserted.has(line), line);
        }
});

/** Opens a device, and returns `submit(name)`, which submits a pass of that name. */
const passes = async kerntime => {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice({ requiredFeatures: ["timestamp-query"] });
    const module = device.createShaderModule({ code: "@compute @workgroup_size(1) fn nothing() {}" });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
    const encode = name => {
        const encoder = device.createCommandEncoder();
        const compute = encoder.beginComputePass(kerntime.pass({}, name));
        compute.setPipeline(pipeline);
        compute.dispatchWorkgroups(1);
        compute.end();
        return encoder.finish();
    };
    return { device, encode, submit: name => device.queue.submit([encode(name)]) };
};

/** Runs `body(kerntime, passes)` in a page, which must be without references to this file. */
async function inPage(body) {
    let result;
    await withBrowser(async ({ open }) => {
        const page = await open();
        result = await page.evaluate(async (body, passes) => {
            const kerntime = await import("/kerntime.js");
            const evaluated = text => new Function(`return ${text}`)();
            return evaluated(body)(kerntime, () => evaluated(passes)(kerntime));
        }, String(body), String(passes));
    });
    return result;
}

await test("a host clock of 1 ms: no timestamp is discarded, and CPU baselines of 30 us have a time", async () => {
    const { series, baselines } = await inPage(async ({ bench }) => {
        const exact = performance.now.bind(performance);
        performance.now = () => Math.floor(exact());
        return bench({ workloads: "matmul", sizes: 32, device: "webgpu:0", options: ["--samples", "20..40"] });
    });
    const [kernel] = series;
    assert.ok(["ok", "below_min_span"].includes(kernel.status), kernel.error); // the latter on a busy machine
    assert.equal(kernel.discarded.ambiguous, 0);
    assert.equal(baselines.length, 2);
    for (const { name, n, median_ns } of baselines) {
        assert.ok(n >= 2, `${name}: ${n} samples`); // one takes seconds if the step is not known
        assert.ok(0 < median_ns && median_ns < 1e6, `${name}: ${median_ns} ns`);
    }
});

const rowsByName = document => Object.fromEntries(document.rows.map(row => [row.name, row]));

await test("passes that were never submitted are counted, and more than one stand-in takes are timed", async () => {
    const { unused, snapshot } = await inPage(async (kerntime, passes) => {
        const unused = kerntime.pass({ label: "before" }, "before");
        const { device, encode, submit } = await passes();
        await kerntime.use(device);
        kerntime.pass({}, "never begun");
        encode("never submitted");
        for (let i = 0; i < 1500; i++)
            submit("often");
        return { unused, snapshot: await kerntime.collect() };
    });
    const rows = rowsByName(snapshot);
    assert.deepEqual(unused, { label: "before" });
    for (const name of ["never begun", "never submitted"])
        assert.deepEqual([rows[name].n, rows[name].discarded.zero], [0, 1], name);
    const often = Object.values(rows.often.discarded).reduce((sum, n) => sum + n, rows.often.n);
    assert.equal(often, 1500);
    assert.ok(rows.often.n > 0);
});

await test("timers while a run of the command waits, and of a second device", async () => {
    const { series, snapshot } = await inPage(async (kerntime, passes) => {
        const first = await passes(), second = await passes();
        await kerntime.use(first.device);
        const running = kerntime.bench({ workloads: "matmul", sizes: 32, device: "webgpu:0", options: ["--samples", "10..20"] });
        for (let i = 0; i < 20; i++) {
            first.submit("first");
            await kerntime.collect();
        }
        const { series } = await running;
        first.submit("left");
        await kerntime.use(second.device);
        second.submit("second");
        return { series, snapshot: await kerntime.collect() };
    });
    const rows = rowsByName(snapshot);
    assert.equal(series[0].status, "ok", series[0].error);
    assert.equal(series[0].verified, true);
    assert.deepEqual([rows.first.n, rows.second.n], [20, 1]);
    assert.deepEqual([rows.left.n, rows.left.discarded.lost], [0, 1]);
});

await test("a device without timestamps is refused, and a lost one is an error once", async () => {
    const { refused, lost, snapshot } = await inPage(async (kerntime, passes) => {
        const adapter = await navigator.gpu.requestAdapter();
        const refused = await kerntime.use(await adapter.requestDevice()).catch(error => [error.name, error.message]);
        const { device, submit } = await passes();
        await kerntime.use(device);
        submit("lost");
        device.destroy();
        const lost = await kerntime.collect().catch(error => [error.name, error.message]);
        return { refused, lost, snapshot: await kerntime.collect() };
    });
    assert.equal(refused[0], "KerntimeError");
    assert.match(refused[1], /timestamp-query/);
    assert.equal(lost[0], "KerntimeError");
    assert.match(lost[1], /lost/i);
    assert.equal(rowsByName(snapshot).lost.discarded.error, 1);
});

await test("timers by a clock in steps of 100,000 ns: spans below four steps have no time", async () => {
    const { rows } = await inPage(async (kerntime, passes) => {
        await kerntime.load({ quantum_ns: 100000 });
        const { device, submit } = await passes();
        await kerntime.use(device);
        for (let i = 0; i < 20; i++)
            submit("short");
        return kerntime.collect();
    });
    const [{ n, min_ns, max_ns, discarded }] = rows;
    assert.equal(n + discarded.below_min_span, 20);
    assert.ok(discarded.below_min_span > 0);
    if (n > 0)
        assert.ok(min_ns >= 400000 && min_ns % 100000 === 0 && max_ns % 100000 === 0, `${min_ns} ${max_ns}`);
});
