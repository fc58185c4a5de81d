// SPDX-License-Identifier: MIT
// The npm package: packed, installed into a fresh folder without a network, and used from there under Node.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root, scratchFolder, site, skip, test } from "./harness.mjs";

if (spawnSync("npm", ["--version"]).status !== 0)
    skip("npm is not here");

const scratch = scratchFolder();
const project = join(scratch, "project");
mkdirSync(project);

/** Runs a program in the project. Its exit code must be `code`; returns what it printed. */
function run(words, { folder = project, code = 0 } = {}) {
    const { status, stdout, stderr } = spawnSync(words[0], words.slice(1),
        { cwd: folder, encoding: "utf8", env: { ...process.env, HOME: scratch, npm_config_cache: join(scratch, "npm") } });
    assert.equal(status, code, `${words.join(" ")}\n${stdout}${stderr}`);
    return stdout;
}

function runScript(text) {
    writeFileSync(join(project, "script.mjs"), text);
    return run([process.execPath, "script.mjs"]);
}

let packed;
await test("npm pack has what the package needs, and no more", () => {
    [packed] = JSON.parse(run(["npm", "pack", "--json", "--pack-destination", scratch], { folder: site }));
    const names = packed.files.map(file => file.path);
    for (const name of ["package.json", "README.md", "kerntime.js", "kerntime.d.ts", "kerntime.wasm",
        "kerntime-asyncify.wasm", "index.html", "example/index.html", "LICENSE", "LICENSES-of-others"])
        assert.ok(names.includes(name), `${name} is not in the package`);
    assert.deepEqual(names.filter(name => /\.(c|h|txt|map)$|^module\//.test(name)), []);
});

await test("the tarball is installed without a network and without dependencies", () => {
    writeFileSync(join(project, "package.json"), '{"private": true, "type": "module"}');
    run(["npm", "install", "--offline", "--no-audit", "--no-fund", join(scratch, packed.filename)]);
    assert.ok(existsSync(join(project, "node_modules/kerntime/kerntime.js")));
    assert.ok(!("dependencies" in JSON.parse(readFileSync(join(site, "package.json"), "utf8"))));
});

await test("its version is that of the headers and of the command", () => {
    const header = readFileSync(join(root, "include/kerntime/kerntime.h"), "utf8");
    const version = ["MAJOR", "MINOR", "PATCH"].map(part =>
        header.match(new RegExp(`KT_VERSION_${part} (\\d+)`))[1]).join(".");
    assert.equal(packed.version, version);
    const said = run(["npx", "--offline", "kerntime", "--version"]);
    assert.equal(said.replace(/ \([0-9a-f]{10}(-dirty)?\)$/m, ""), `kerntime ${version}\n`); // without the commit
});

await test("bench, devices, doctor and compare under Node, on a simulated device", () => {
    const result = JSON.parse(runScript(`
        import { bench, compare, devices, doctor } from "kerntime";
        const device = "sim:0:kernel_ns=250000";
        const first = await bench({ workloads: "matmul", sizes: [64], device });
        const slow = await bench({ workloads: "matmul", sizes: [64], device: "sim:0:kernel_ns=300000" });
        const change = await compare(first, slow);
        const all = await devices({ device });
        const checks = await doctor({ device });
        console.log(JSON.stringify({ first, change, text: change.text, all, checks }));`));
    const { first, change, text, all, checks } = result;
    assert.equal(first.schema, "kerntime/1");
    const [kernel] = first.series.filter(series => series.kind === "kernel");
    assert.deepEqual([kernel.name, kernel.status, kernel.verified, kernel.median_ns], ["matmul/64", "ok", true, 250000]);
    assert.deepEqual([change.verdict, Math.round(1e6 * change.rows[0].shift)], ["slower", 200000]);
    assert.match(text, /^slower +matmul\/64/m);
    assert.equal(all[0].name, "simulated device");
    assert.ok(checks.diagnostics.some(({ check }) => check === "resolution"));
});

await test("a failure is a KerntimeError with the command's sentence", () => {
    const [name, code, message] = JSON.parse(runScript(`
        import { bench, KerntimeError } from "kerntime";
        const error = await bench({ workloads: "matmull", device: "sim:0" }).catch(e => e);
        console.log(JSON.stringify([error instanceof KerntimeError && error.name, error.code, error.message]));`));
    assert.deepEqual([name, code], ["KerntimeError", 2]);
    assert.match(message, /matmull.*matmul/);
});

await test("an AbortSignal stops a run, and what was measured is returned", () => {
    const [samples, status] = JSON.parse(runScript(`
        import { bench } from "kerntime";
        const stop = new AbortController();
        const { series } = await bench({ workloads: ["fill", "reduce"], sizes: 64, device: "sim:0", signal: stop.signal,
            options: ["--samples", "100000..100000"], progress: ({ rows }) => rows.some(({ who }) => who === "sim:0") && stop.abort() });
        const [kernel] = series.filter(({ kind }) => kind === "kernel");
        console.log(JSON.stringify([kernel.n, kernel.status]));`));
    assert.equal(status, "partial");
    assert.ok(samples < 100000);
});

await test("npx kerntime reads and writes files of the folder", () => {
    const bench = ["npx", "--offline", "kerntime", "bench", "fill", "-q", "-d"];
    run([...bench, "sim:0:kernel_ns=200000", "--json", "a.json"]);
    run([...bench, "sim:0:kernel_ns=100000", "--json", "b.json"]);
    assert.match(run(["npx", "--offline", "kerntime", "compare", "-q", "b.json", "a.json"], { code: 1 }), /^slower +fill/m);
});

await test("the example for Node runs", () => {
    assert.match(run([process.execPath, "node_modules/kerntime/example/bench.js"]), /^matmul\/64: 2\d\d\.\d us/);
});

/** Type-checks files of the project with these libraries and types. Returns what tsc says. */
function checkTypes(files, lib, types) {
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: "nodenext", target: "es2022", lib, types,
            typeRoots: [join(packages, "@types"), packages] },
        files,
    }));
    return spawnSync(process.execPath, [join(packages, "typescript/bin/tsc"), "-p", project], { encoding: "utf8" }).stdout;
}

const hasTypescript = existsSync(join(packages, "typescript"));
if (!hasTypescript)
    console.log("left out: types (typescript is not here)");

const use = `
    import { bench, collect, command, compare, measure, pass, use } from "kerntime";
    const result = await measure({ wgsl: "", n: 1 << 20, buffers: { data: "random", out: new Float32Array(4) },
        groups: ["n/64", 1], constants: { factor: [2, 3] }, progress: ({ share }) => share.toFixed() });
    const times: (number | null)[] = result.series.map(series => series.median_ns);
    const { verdict, text } = await compare([result, result], JSON.stringify(result));
    const { files } = await command(["bench", "matmul"], { columns: 80, files: { "a.json": text } });
    export const all: [string, number, (number | null)[]] = [verdict, files["x"].length, times];
    const { rows } = await collect();
    export const n: number = rows[0].n;`;

hasTypescript && await test("the types fit how the package is used, with and without types of WebGPU and the DOM", () => {
    writeFileSync(join(project, "use.ts"), use);
    writeFileSync(join(project, "gpu.ts"), `
        import { load, pass, use } from "kerntime";
        await load({ gpu: navigator.gpu });
        const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
        await use(device);
        device.createCommandEncoder().beginComputePass(pass({ label: "blur" }, "blur")).end();`);
    writeFileSync(join(project, "wrong.ts"), `
        import { bench, use } from "kerntime";
        await bench({ workload: "matmul" });
        await use(42 as unknown as GPUAdapter);
        export const text: string = (await bench({ workloads: "matmul" })).series[0].n;`);
    assert.equal(checkTypes(["use.ts"], ["es2022", "dom"], []), "");
    assert.equal(checkTypes(["use.ts"], ["es2022"], ["node"]), "");
    assert.equal(checkTypes(["use.ts", "gpu.ts"], ["es2022", "dom"], ["@webgpu/types"]), "");
    const said = checkTypes(["wrong.ts"], ["es2022", "dom"], ["@webgpu/types"]);
    assert.deepEqual([...said.matchAll(/wrong\.ts\((\d+),/g)].map(match => match[1]), ["3", "4", "5"], said);
});

hasTypescript && await test("the types say what documents have, each key", () => {
    const documents = JSON.parse(runScript(`
        import { bench, command, compare, doctor } from "kerntime";
        const device = "sim:0";
        const result = await bench({ workloads: "fill", sizes: 4096, device, options: ["--runs", "2", "--raw"] });
        console.log(JSON.stringify({
            ResultDocument: result,
            DoctorDocument: await doctor({ device }),
            CompareDocument: await compare(result, result),
        }));`));
    const names = Object.keys(documents);
    writeFileSync(join(project, "documents.ts"), `import type { ${names} } from "kerntime";\n` + names.map(name =>
        `export const of${name}: ${name} = ${JSON.stringify(documents[name])};\n`).join(""));
    assert.equal(checkTypes(["documents.ts"], ["es2022", "dom"], []), "");
});
