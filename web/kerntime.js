// SPDX-License-Identifier: MIT
/*
 * kerntime.js - kerntime in browsers and Node: the command as functions. kerntime.d.ts describes
 * them. The timers for passes of a program's own are in timers.js.
 *
 * A run is an instance of the module, with files in memory. Runs take turns, because two at once
 * would disturb each other's times.
 */
import { bytesOf, MemoryFiles } from "./files.js";
import { hostName } from "./host_name.js";
import { Instance, loadModule } from "./module.js";

export { use, pass, collect } from "./timers.js";

const RESULT = "result.json";
const FAILED = 4; // exit code

const settings = { base: new URL("./", import.meta.url), gpu: undefined, quantum_ns: 0, asyncify: undefined };

/** The command failed, or could not be run. */
export class KerntimeError extends Error {
    constructor(message, code, stderr = "") {
        super(message);
        this.name = "KerntimeError";
        this.code = code;
        this.stderr = stderr;
    }
}

export async function load(options = {}) {
    for (const [name, value] of Object.entries(options)) {
        if (!(name in settings))
            throw new TypeError(`load() has no option "${name}": ${Object.keys(settings).join(", ")}`);
        if (value !== undefined) settings[name] = name === "base" ? new URL(value, import.meta.url) : value;
    }
    await loadModule("kerntime-command", settings.base, settings.asyncify);
}

/** What modules are set up with, for timers.js. A `gpu` of null means none. */
export const currentSettings = () => ({
    ...settings,
    gpu: settings.gpu === undefined ? globalThis.navigator?.gpu : (settings.gpu ?? undefined),
    environment: { KERNTIME_HOST: hostName(), NO_COLOR: "1", TMPDIR: "/tmp" },
});

/** Collects what the module shows, for the `progress` of a caller. */
function progressSink(report) {
    const rows = new Map();
    let share = 0, text = "", left_ns = null;
    /** An exception of the caller's function must not unwind C. */
    const tell = () => {
        try {
            report({ share, text, left_ns, rows: [...rows.values()] });
        } catch (error) {
            queueMicrotask(() => { throw error; });
        }
    };
    return {
        row(id, line, final) {
            if (!line.trim()) return;
            const [label, who = "", result = ""] = line.split("\t");
            rows.set(id || Symbol(), { label, who, text: result, final });
            if (final) tell();
        },
        bar(newShare, newLeft, label) {
            share = newShare;
            left_ns = newLeft < 0 ? null : newLeft;
            text = label;
            tell();
        },
    };
}

let lastRun = Promise.resolve();

/** Begins when all runs before it have ended. */
function inTurn(run) {
    const result = lastRun.then(run);
    lastRun = result.catch(() => {});
    return result;
}

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const deviceWords = (device) => list(device).flatMap((id) => ["-d", id]);

function joined(chunks) {
    const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
        all.set(chunk, at);
        at += chunk.length;
    }
    return new TextDecoder().decode(all);
}

async function run(words, { files = {}, progress, signal, columns, device }) {
    const loaded = await loadModule("kerntime-command", settings.base, settings.asyncify);
    const memory = new MemoryFiles(), output = [], errors = [];
    for (const [name, content] of Object.entries(files)) memory.put(`/${name}`, content);
    const { gpu, quantum_ns, environment } = currentSettings();
    const instance = await Instance.create(loaded, {
        words: ["kerntime", ...words, ...deviceWords(device)],
        files: memory,
        environment: {
            ...environment, ...(progress && { TERM: "xterm" }), ...(columns && { COLUMNS: String(columns) }),
        },
        terminals: [false, !!columns, !!progress],
        output: (bytes) => output.push(bytes),
        errors: (bytes) => errors.push(bytes),
        gpu,
        quantum_ns,
        progress: progress && progressSink(progress),
    });
    const interrupt = () => instance.interrupt();
    if (signal?.aborted) interrupt(); // meanwhile
    signal?.addEventListener("abort", interrupt);
    let code;
    try {
        code = await instance.run();
    } catch (error) {
        throw new KerntimeError(`WebAssembly has trapped: ${error.message}`, FAILED, joined(errors));
    } finally {
        signal?.removeEventListener("abort", interrupt);
    }
    const written = {};
    for (const path of memory.written())
        if (!path.startsWith("/tmp/")) written[path.slice(1)] = memory.get(path);
    return { code, stdout: joined(output), stderr: joined(errors), files: written };
}

export function command(words, options = {}) {
    return inTurn(() => {
        if (options.signal?.aborted) throw new KerntimeError("interrupted before anything was measured", FAILED);
        return run(words, options);
    });
}

/** The sentence of a failure: the first that the command says, with the lines that belong to it. */
function sentence(stderr, code) {
    const lines = stderr.split("\n"), begin = lines.findIndex((text) => /^kerntime[^:]*: /.test(text));
    if (begin < 0) return `exit code ${code}`;
    let end = begin + 1;
    while (lines[end]?.startsWith("    ")) end++;
    const rest = lines.slice(begin + 1, end).map((text) => text.slice(4));
    return [lines[begin].replace(/^kerntime[^:]*: /, ""), ...rest].join("\n").trimEnd();
}

/**
 * Runs a command that writes a document. Its texts are properties that JSON.stringify() leaves out.
 * Rejects if there is no document, or if everything in it has failed.
 */
async function documentOf(words, options = {}) {
    const result = await command([...words, ...(options.options ?? []), "--json", RESULT], options);
    const bytes = result.files[RESULT];
    if (!bytes) throw new KerntimeError(sentence(result.stderr, result.code), result.code, result.stderr);
    const document = JSON.parse(new TextDecoder().decode(bytes));
    for (const [name, value] of Object.entries({ text: result.stdout, messages: result.stderr, code: result.code }))
        Object.defineProperty(document, name, { value, enumerable: false });
    const { series } = document;
    if (series?.length > 0 && series.every(({ status }) => status === "failed")) {
        const error = new KerntimeError(sentence(result.stderr, result.code), result.code, result.stderr);
        throw Object.assign(error, { document });
    }
    return document;
}

export async function devices(options = {}) {
    return (await documentOf(["devices"], options)).devices;
}

export function doctor(options = {}) {
    return documentOf(["doctor"], options);
}

export function bench(options) {
    const sizes = list(options.sizes).join(",");
    return documentOf(["bench", ...list(options.workloads), ...(sizes ? ["--size", sizes] : [])], options);
}

const isBytes = (content) => ArrayBuffer.isView(content) || content instanceof ArrayBuffer;

export function measure(options) {
    const { wgsl, entry, n, buffers = {}, groups, local, constants = {}, expect = {} } = options;
    const files = { "kernel.wgsl": wgsl };
    const words = ["run", entry ? `kernel.wgsl:${entry}` : "kernel.wgsl"];
    if (n !== undefined) words.push("-n", list(n).join(","));
    const add = (option, name, content, file) => {
        if (isBytes(content)) files[file] = bytesOf(content);
        words.push(option, `${name}=${isBytes(content) ? `@${file}` : content}`);
    };
    for (const [name, content] of Object.entries(buffers)) add("-a", name, content, `${name}.bin`);
    for (const [name, content] of Object.entries(expect)) add("--expect", name, content, `${name}.expected.bin`);
    if (groups !== undefined) words.push("--groups", list(groups).join(","));
    if (local !== undefined) words.push("--local", list(local).join(","));
    for (const [name, value] of Object.entries(constants))
        words.push("-D", `${name}=${list(value).map((v) => (typeof v === "boolean" ? Number(v) : v)).join(",")}`);
    return documentOf(words, { ...options, files });
}

export async function compare(baseline, contender, options = {}) {
    const files = {}, words = ["compare"];
    for (const [side, documents] of Object.entries({ baseline: list(baseline), contender: list(contender) }))
        documents.forEach((document, i) => {
            const name = `${side}-${i + 1}.json`;
            files[name] = typeof document === "string" ? document : JSON.stringify(document);
            words.push(`--${side}`, name);
        });
    return documentOf(words, { ...options, files });
}
