// SPDX-License-Identifier: MIT
/*
 * module.js - runs WebAssembly that waits for promises. A browser with JSPI suspends its stack; for
 * others, and for Node 20, there is a second build that binaryen's Asyncify made: it unwinds its
 * stack into memory, and rewinds it.
 *
 * Each run of the command is an instance of its own, and so is each process that it starts.
 */
import { SUSPENDING } from "./suspending.js";
import { Exit, wasiImports } from "./wasi.js";
import { destroyAll, webgpuImports } from "./webgpu.js";

/** A name that bundlers for browsers do not look for. */
const FILES_OF_NODE = "node:fs/promises";
const STACK_BYTES = 1 << 18; // of Asyncify: room for the frames of one suspended call
const TRAPPED = 256, KILLED = 137;

/** Whether this JavaScript engine can suspend WebAssembly. */
export const hasJspi = () => typeof WebAssembly.Suspending === "function" && typeof WebAssembly.promising === "function";

/** Reads a file beside this one, in browsers and in Node. */
async function compile(url) {
    if (url.protocol === "file:") {
        const { readFile } = await import(/* webpackIgnore: true */ FILES_OF_NODE);
        return WebAssembly.compile(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: HTTP ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

const waiting = [];
let channel = null;

/** Settles when what else there is to do has been done. Timers would take at least 4 ms. */
function nextTask() {
    if (globalThis.setImmediate) return new Promise((resolve) => setImmediate(resolve));
    if (!channel) {
        channel = new MessageChannel();
        channel.port1.onmessage = () => waiting.shift()();
    }
    return new Promise((resolve) => {
        waiting.push(resolve);
        channel.port2.postMessage(null);
    });
}

const compiled = new Map();

/**
 * Compiles a module, once.
 * @param {string} name "kerntime" or "kerntime-command"
 * @param {URL | string} base folder of the files
 * @param {boolean} [asyncify] the build for engines without JSPI
 */
export async function loadModule(name, base, asyncify = !hasJspi()) {
    const url = new URL(asyncify ? `${name}-asyncify.wasm` : `${name}.wasm`, base);
    if (!compiled.has(url.href)) compiled.set(url.href, compile(url));
    try {
        return { module: await compiled.get(url.href), asyncify };
    } catch (error) {
        compiled.delete(url.href);
        throw error;
    }
}

/** Suspends by unwinding the stack into memory. */
class Asyncify {
    #rewinding = false;
    #pending = null;
    #result;
    #stack = 0;

    /** @param {() => WebAssembly.Exports} exports */
    constructor(exports, memory) {
        this.exports = exports;
        this.memory = memory;
    }

    suspending(run) {
        return (...values) => {
            if (this.#rewinding) {
                this.#rewinding = false;
                this.exports().asyncify_stop_rewind();
                return this.#result;
            }
            this.#pending = run(...values);
            this.#prepareStack();
            this.exports().asyncify_start_unwind(this.#stack);
            return 0;
        };
    }

    promising(run) {
        return async (...values) => {
            for (;;) {
                const result = run(...values);
                if (!this.#pending) return result;
                const pending = this.#pending;
                this.#pending = null;
                this.exports().asyncify_stop_unwind();
                this.#result = await pending;
                this.#rewinding = true;
                this.exports().asyncify_start_rewind(this.#stack);
            }
        };
    }

    #prepareStack() {
        this.#stack ||= this.exports().malloc(STACK_BYTES);
        const view = new DataView(this.memory().buffer);
        view.setUint32(this.#stack, this.#stack + 8, true);
        view.setUint32(this.#stack + 4, this.#stack + STACK_BYTES, true);
    }
}

const jspi = {
    suspending: (run) => new WebAssembly.Suspending(run),
    promising: (run) => WebAssembly.promising(run),
};

/**
 * An instance of a module.
 *
 * @typedef {object} Setup
 * @property {string[]} words program and arguments
 * @property {object} files see files.js
 * @property {string} [folder] where relative paths begin, "/" if not given
 * @property {Record<string, string>} [environment]
 * @property {(bytes: Uint8Array) => void} [output]
 * @property {(bytes: Uint8Array) => void} [errors]
 * @property {Uint8Array} [input]
 * @property {boolean[]} [terminals]
 * @property {GPU} [gpu]
 * @property {number} [quantum_ns] to which timestamps are rounded, for tests
 * @property {(message: string) => void} [onScopeError] calls of the module never wait: see webgpu.js
 * @property {object} [progress] row(id, text, isFinal), bar(share, left_ns, label)
 */
export class Instance {
    #exports;
    #processes = new Map();
    #killed = false;
    #suspender;

    /**
     * @param {{module: WebAssembly.Module, asyncify: boolean}} loaded
     * @param {Setup} setup
     */
    static async create(loaded, setup) {
        const instance = new Instance();
        await instance.#instantiate(loaded, setup);
        return instance;
    }

    async #instantiate(loaded, setup) {
        this.loaded = loaded;
        this.setup = setup;
        const memory = () => this.#exports.memory;
        this.#suspender = loaded.asyncify ? new Asyncify(() => this.#exports, memory) : jspi;
        const none = () => {};
        const wasi = wasiImports({
            memory,
            words: setup.words,
            environment: setup.environment ?? {},
            files: setup.files,
            streams: [null, setup.output ?? none, setup.errors ?? none],
            terminals: setup.terminals ?? [false, false, false],
            input: setup.input,
        });
        this.host = {
            get memory() { return memory(); },
            table: null,
            malloc: (bytes) => this.#exports.malloc(bytes),
            free: (at) => this.#exports.free(at),
            gpu: setup.gpu,
            quantum_ns: setup.quantum_ns ?? 0,
            onScopeError: setup.onScopeError,
        };
        const webgpu = webgpuImports(this.host);
        const imports = {
            wasi_snapshot_preview1: wasi, webgpu, kerntime: this.#kerntimeImports(),
        };
        if (!setup.onScopeError)
            for (const name of SUSPENDING) this.#suspend(imports, ...name.split("."));
        this.#exports = (await WebAssembly.instantiate(loaded.module, imports)).exports;
        this.host.table = this.#exports.__indirect_function_table;
        this.#exports._initialize();
        if (setup.folder) this.#enter(setup.folder);
    }

    #enter(folder) {
        const bytes = new TextEncoder().encode(folder + "\0"), at = this.#exports.malloc(bytes.length);
        new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
        this.#exports.chdir(at);
        this.#exports.free(at);
    }

    /** After kill(), the import never returns. */
    #suspend(imports, space, name) {
        const run = imports[space][name];
        imports[space][name] = this.#suspender.suspending(async (...values) => {
            const result = await run(...values);
            return this.#killed ? new Promise(() => {}) : result;
        });
    }

    get exports() {
        return this.#exports;
    }

    /** A function of the module that may wait, as one that returns a promise. */
    promising(name) {
        return this.#suspender.promising(this.#exports[name]);
    }

    /** Runs main(). Returns the exit code. Devices are open after exit(), after traps, and if they hang. */
    async run() {
        try {
            return await this.promising("__main_void")();
        } catch (error) {
            this.#end();
            if (error instanceof Exit) return error.code;
            throw error;
        } finally {
            destroyAll(this.host);
        }
    }

    #end() {
        destroyAll(this.host);
        this.host.handles.clear();
    }

    /** Like Ctrl-C. */
    interrupt() {
        this.#exports.kerntime_interrupt();
        for (const process of this.#processes.values()) {
            process.isInterrupted = true;
            process.instance?.interrupt();
        }
    }

    /** Never runs on after what it waits for now. */
    kill() {
        this.#killed = true;
        this.#end();
    }

    /** Reads a text that ends with a zero. */
    text(at) {
        const bytes = new Uint8Array(this.#exports.memory.buffer, at);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    #kerntimeImports() {
        return {
            has_gpu: () => (this.setup.gpu ? 1 : 0),
            progress_row: (id, text, isFinal) => this.setup.progress?.row(id, this.text(text), !!isFinal),
            progress_bar: (share, left_ns, label) => this.setup.progress?.bar(share, left_ns, this.text(label)),
            spawn: (list, count) => this.#spawn(list, count),
            read_output: (number, at, room, limit_ms) => this.#readOutput(number, at, room, limit_ms),
            finish: (number, forced) => this.#finish(number, forced),
            yield: nextTask,
        };
    }

    /** Rows of a process have ids of their own. */
    #progressOf(number) {
        const { progress } = this.setup;
        if (!progress) return undefined;
        return { ...progress, row: (id, ...rest) => progress.row(id && `${number}/${id}`, ...rest) };
    }

    #spawn(list, count) {
        const words = [];
        for (let i = 0; i < count; i++)
            words.push(this.text(new DataView(this.#exports.memory.buffer).getUint32(list + 4 * i, true)));
        const process = { chunks: [], ended: false, code: 0, wake: () => {}, isInterrupted: false, isKilled: false };
        const number = this.#processes.size + 1;
        this.#processes.set(number, process);
        process.done = (async () => {
            try {
                process.instance = await Instance.create(this.loaded, {
                    ...this.setup, words, progress: this.#progressOf(number),
                    terminals: [false, false, !!this.setup.progress],
                    output: (bytes) => {
                        process.chunks.push(bytes);
                        process.wake();
                    },
                });
                if (process.isInterrupted) process.instance.interrupt();
                if (!process.isKilled) process.code = await process.instance.run();
            } catch (error) {
                this.setup.errors?.(new TextEncoder().encode(`kerntime: ${error.message}\n`));
                process.code = TRAPPED;
            }
            process.ended = true;
            process.wake();
        })();
        return number;
    }

    async #readOutput(number, at, room, limit_ms) {
        const process = this.#processes.get(number);
        if (process.chunks.length === 0 && !process.ended) {
            let timer;
            await new Promise((resolve) => {
                process.wake = resolve;
                timer = setTimeout(resolve, limit_ms);
            });
            clearTimeout(timer);
        }
        if (process.chunks.length === 0) return process.ended ? 0 : -1;
        const chunk = process.chunks.shift(), part = chunk.subarray(0, room);
        if (part.length < chunk.length) process.chunks.unshift(chunk.subarray(part.length));
        new Uint8Array(this.#exports.memory.buffer, at, part.length).set(part);
        return part.length;
    }

    async #finish(number, forced) {
        const process = this.#processes.get(number);
        this.#processes.set(number, { instance: null });
        if (forced && !process.ended) {
            process.isKilled = true;
            process.instance?.kill();
            return KILLED;
        }
        await process.done;
        return process.code;
    }
}
