// SPDX-License-Identifier: MIT
// What can be missing or go wrong in a browser: a sentence for each, and no time that nobody measured.
import assert from "node:assert/strict";
import { test, withBrowser } from "./harness.mjs";

const described = async body => {
    const kerntime = await import("/kerntime.js");
    const { liveHandles } = await import("/handles.js");
    const gpu = navigator.gpu;

    /** WebGPU with another adapter, another device. */
    const changed = ({ adapter = real => real, device = real => real }) => {
        const bound = (object, overrides) => new Proxy(object, {
            get(target, key) {
                const value = key in overrides ? overrides[key] : Reflect.get(target, key);
                return typeof value === "function" && !(key in overrides) ? value.bind(target) : value;
            },
        });
        return bound(gpu, {
            async requestAdapter(options) {
                const real = await gpu.requestAdapter(options);
                return adapter(bound(real, {
                    requestDevice: async descriptor => device(await real.requestDevice(descriptor)),
                }), bound);
            },
        });
    };
    const caught = promise => promise.then(value => ({ value }), ({ name, code, message }) => ({ name, code, message }));
    const run = new Function("kerntime", "changed", "caught", `return (${body})(kerntime, changed, caught)`);
    return { ...await run(kerntime, changed, caught), handles: liveHandles() };
};

/** Runs `body` in a page, which must be without references to this file. */
async function inPage(body, options, expected) {
    let result;
    await withBrowser(async ({ open }) => {
        const page = await open("blank", { expected });
        result = await page.evaluate(described, String(body));
    }, options);
    return result;
}

await test("no adapter: devices and bench say so", async () => {
    const { all, error } = await inPage(async (kerntime, changed, caught) => ({
        all: (await kerntime.command(["devices"])).stdout,
        error: await caught(kerntime.bench({ workloads: "matmul", sizes: 32, device: "webgpu:0" })),
    }), { gpu: false });
    assert.match(all, /webgpu.*adapter/);
    assert.deepEqual([error.name, error.code], ["KerntimeError", 3]);
    assert.match(error.message, /adapter/);
});

await test("no WebGPU at all", async () => {
    const { error } = await inPage(async (kerntime, changed, caught) => {
        await kerntime.load({ gpu: null });
        return { error: await caught(kerntime.bench({ workloads: "matmul", sizes: 32, device: "webgpu:0" })) };
    });
    assert.deepEqual([error.name, error.code], ["KerntimeError", 3]);
    assert.match(error.message, /WebGPU|webgpu/);
});

await test("no timestamp queries: wall times only", async () => {
    const { kinds, methods, handles } = await inPage(async (kerntime, changed) => {
        await kerntime.load({ gpu: changed({
            adapter: (real, bound) => bound(real, {
                features: new Set([...real.features].filter(name => name !== "timestamp-query")),
            }),
        }) });
        const { series } = await kerntime.bench({ workloads: "matmul", sizes: 32, options: ["--samples", "10..10"] });
        return { kinds: series.map(({ kind, status }) => `${kind} ${status}`), methods: series.map(({ method }) => method) };
    });
    assert.ok(kinds.includes("wall ok"), String(kinds));
    assert.ok(!kinds.includes("kernel ok"), String(kinds));
    assert.ok(!methods.includes("device-timestamp"), String(methods));
    assert.equal(handles, 0);
});

await test("an error in WGSL: the compiler's message with its line", async () => {
    const { error } = await inPage(async (kerntime, changed, caught) => ({
        error: await caught(kerntime.measure({
            wgsl: "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n" +
                "@compute @workgroup_size(1) fn f() { data[0] = 1u; }",
            n: 16,
        }).catch(error => {
            error.message += error.stderr;
            throw error;
        })),
    }));
    assert.equal(error.name, "KerntimeError");
    assert.match(error.message, /kernel f does not compile[^]*:2:\d+ error: .*u32/);
});

await test("a lost device: the run ends, and says that", async () => {
    const { result, error, handles } = await inPage(async (kerntime, changed, caught) => {
        const devices = [];
        await kerntime.load({ gpu: changed({ device: real => (devices.push(real), real) }) });
        const { value, ...error } = await caught(kerntime.bench({
            workloads: "matmul", sizes: 128, options: ["--samples", "100000..100000"],
            progress: ({ share }) => share > 0 && devices.forEach(device => device.destroy()),
        }));
        return { result: value, error };
    });
    const told = error.message ?? result.series.map(series => series.error).join("\n");
    assert.match(told, /lost|destroyed/);
    for (const series of result?.series ?? [])
        assert.notEqual(series.status, "ok");
    assert.equal(handles, 0);
});
