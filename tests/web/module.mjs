// SPDX-License-Identifier: MIT
// kerntime.js in Chromium on SwiftShader: what is measured, verified and compared, in both builds of the module.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder, site, test, withBrowser } from "./harness.mjs";

const native = process.argv[2];
const scratch = scratchFolder();

const kernels = document => document.series.filter(({ kind }) => kind === "kernel");

/** What every time by timestamps must have. */
function checkMeasured(series) {
    assert.deepEqual([series.status, series.verified, series.method, series.device],
        ["ok", true, "device-timestamp", "webgpu:0"], series.error ?? "");
    // A machine that is busy in between gives samples without an interval, and says why.
    if (series.ci95_ns === null)
        return assert.ok(series.warnings.some(warning => ["drift", "bimodal", "autocorrelated"].includes(warning)), String(series.warnings));
    const [low, high] = series.ci95_ns;
    assert.ok(0 < low && low <= series.median_ns && series.median_ns <= high, `${low} ${series.median_ns} ${high}`);
}

const benchMatmul = async options => {
    const { load, bench } = await import("/kerntime.js");
    const { liveHandles } = await import("/handles.js");
    await load(options);
    const seen = [];
    const result = await bench({
        workloads: "matmul", sizes: [64], options: ["--samples", "40..60", "--max-time", "20s"],
        progress: ({ share }) => seen.push(share),
    });
    return { result, seen, handles: liveHandles() };
};

await test("matmul by JSPI: verified, by timestamps, no handles left; the native command reads the file", () =>
    withBrowser(async ({ open }) => {
        const page = await open();
        const { result, seen, handles } = await page.evaluate(benchMatmul, {});
        kernels(result).forEach(checkMeasured);
        assert.ok(kernels(result).length > 0);
        assert.equal(handles, 0);
        assert.ok(seen.length > 0 && seen.every((share, i) => share >= (seen[i - 1] ?? 0) && share <= 1), String(seen));
        if (native && existsSync(native)) {
            const file = join(scratch, "browser.json");
            writeFileSync(file, JSON.stringify(result));
            const { status, stdout, stderr } = spawnSync(native, ["compare", file, file], { encoding: "utf8" });
            assert.ok([0, 5].includes(status), stderr);
            assert.match(stdout, /matmul\/64/);
        }
    }));

await test("matmul by asyncify: the same", () => withBrowser(async ({ open }) => {
    const page = await open();
    const { result, handles } = await page.evaluate(benchMatmul, { asyncify: true });
    kernels(result).forEach(checkMeasured);
    assert.equal(handles, 0);
}));

const shader = `
    override factor = 2.0;
    @group(0) @binding(0) var<storage, read_write> data: array<f32>;

    @compute @workgroup_size(64)
    fn scale(@builtin(global_invocation_id) id: vec3u) {
        if (id.x < arrayLength(&data)) { data[id.x] *= factor; }
    }`;

await test("measure() times a shader of one's own, checks it, and tries each constant", () => withBrowser(async ({ open }) => {
    const page = await open();
    const [result, wrong] = await page.evaluate(async wgsl => {
        const { measure } = await import("/kerntime.js");
        const given = { wgsl, n: 4, groups: 1, buffers: { data: new Float32Array([1, 2, 3, 4]) },
            options: ["--samples", "10..20"] };
        const right = await measure({ ...given, constants: { factor: 3 }, expect: { data: new Float32Array([3, 6, 9, 12]) } });
        const wrong = await measure({ ...given, expect: { data: new Float32Array([3, 6, 9, 12]) } }).catch(error => error);
        return [right, [wrong.code, wrong.document?.series[0].status, wrong.message]];
    }, shader);
    kernels(result).forEach(series => assert.ok(series.verified));
    assert.deepEqual(wrong.slice(0, 2), [4, "failed"]);
    assert.match(wrong[2], /data\[0\] is 2, expected 3/);
}));

await test("README's example runs as it stands", () => withBrowser(async ({ open }) => {
    const [example] = readFileSync(join(site, "README.md"), "utf8").match(/^    import \{ measure \}[^]*?(?=^\S)/m);
    const page = await open();
    const lines = await page.evaluate(async text => {
        const lines = [];
        const console = { log: (...values) => lines.push(values) };
        const body = text.replace(/import (.*) from "kerntime"/, 'const $1 = await import("/kerntime.js")');
        await new (async () => {}).constructor("console", body)(console);
        return lines;
    }, example);
    const variants = new Set(lines.map(([variant]) => variant));
    assert.deepEqual([...variants].sort(), ["width=128", "width=256", "width=64"]);
    assert.ok(lines.some(([, kind, median_ns]) => kind === "kernel" && median_ns > 0));
}));

await test("a device that is in use by the page, too, is measured", () => withBrowser(async ({ open }) => {
    const page = await open();
    const status = await page.evaluate(async () => {
        const adapter = await navigator.gpu.requestAdapter();
        const device = await adapter.requestDevice();
        const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.COPY_DST });
        const timer = setInterval(() => device.queue.writeBuffer(buffer, 0, new Uint8Array(4096)), 20);
        const { bench } = await import("/kerntime.js");
        const { series } = await bench({ workloads: "fill", sizes: 4096, options: ["--samples", "10..10"] });
        clearInterval(timer);
        return series[0].status;
    });
    assert.ok(["ok", "below_min_span"].includes(status), status);
}));
