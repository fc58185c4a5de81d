// SPDX-License-Identifier: MIT
/*
 * timers.js - timers of a page's own passes, over the instrumentation API (timer/webgpu.h).
 *
 * That API ties passes to an encoder, into which their timestamps are resolved. Here the encoder of
 * a pass is unknown, so all passes between two calls of collect() share a stand-in. collect() makes
 * a real encoder for it, and submits it after what the page has submitted.
 */
import { MemoryFiles } from "./files.js";
import { currentSettings, KerntimeError } from "./kerntime.js";
import { Instance, loadModule } from "./module.js";
import { adoptDevice } from "./webgpu.js";
import { LAYOUT } from "./webgpu_layout.js";

const FRAMES_MAX = 64, PASSES_MAX = 1024; // stand-ins that are pending, and passes of one
const FAILED = 4;
const WRITES = LAYOUT.WGPUPassTimestampWrites;

/** An encoder that has passes before it exists. */
class StandIn {
    passes = 0;
    encoder = null;

    resolveQuerySet(...values) {
        this.encoder.resolveQuerySet(...values);
    }

    copyBufferToBuffer(...values) {
        this.encoder.copyBufferToBuffer(...values);
    }
}

class Timers {
    #instance;
    #exports;
    #host;
    #device = null;
    #names = new Map(); // timers by name
    #full = []; // stand-ins that take no more passes
    #open = null;
    #writes; // a WGPUPassTimestampWrites
    #errors = [];
    #output = "";

    static async create() {
        const timers = new Timers(), decoder = new TextDecoder();
        const { base, gpu, quantum_ns, environment } = currentSettings();
        // C is never suspended here, which the build for JSPI needs no JSPI for.
        const instance = await Instance.create(await loadModule("kerntime", base, false), {
            words: ["kerntime"],
            files: new MemoryFiles(),
            environment,
            output: (bytes) => { timers.#output += decoder.decode(bytes, { stream: true }); },
            gpu,
            quantum_ns,
            onScopeError: (message) => timers.#errors.push(message),
        });
        timers.#instance = instance;
        timers.#exports = instance.exports;
        timers.#host = instance.host;
        timers.#writes = instance.exports.malloc(WRITES.sizeof);
        return timers;
    }

    #fail() {
        throw new KerntimeError(this.#instance.text(this.#exports.kerntime_error_text()), FAILED);
    }

    #check(status) {
        if (status !== 0) this.#fail();
    }

    /** Passes of the device before that were not collected count as lost. */
    use(device) {
        for (const timer of this.#names.values()) this.#exports.kerntime_timers_destroy(timer);
        this.#exports.kerntime_timers_close();
        this.#host.handles.clear();
        this.#names.clear();
        this.#device = this.#open = null;
        this.#full = [];
        const instance = this.#host.handles.add({}), handle = adoptDevice(this.#host, device);
        this.#check(this.#exports.kerntime_timers_open(instance, handle, FRAMES_MAX, PASSES_MAX));
        this.#device = device;
    }

    #timer(name) {
        if (!this.#names.has(name)) {
            const bytes = new TextEncoder().encode(`${name}\0`), address = this.#exports.malloc(bytes.length);
            new Uint8Array(this.#host.memory.buffer, address, bytes.length).set(bytes);
            const timer = this.#exports.kerntime_timers_create(address);
            this.#exports.free(address);
            if (timer === 0) this.#fail();
            this.#names.set(name, timer);
        }
        return this.#names.get(name);
    }

    #standIn() {
        if (this.#open?.passes === PASSES_MAX) {
            this.#full.push(this.#open);
            this.#open = null;
        }
        if (!this.#open) {
            this.#open = new StandIn();
            this.#open.handle = this.#host.handles.add(this.#open);
        }
        return this.#open;
    }

    pass(descriptor, name) {
        if (!this.#device) return descriptor;
        if (descriptor.timestampWrites) throw new TypeError(`pass "${name}" has timestampWrites already`);
        const standIn = this.#standIn();
        if (!this.#exports.kerntime_timers_pass(this.#timer(name), standIn.handle, this.#writes)) return descriptor;
        standIn.passes++;
        const view = new DataView(this.#host.memory.buffer, this.#writes);
        const timestampWrites = {
            querySet: this.#host.handles.get(view.getUint32(WRITES.querySet, true)),
            beginningOfPassWriteIndex: view.getUint32(WRITES.beginningOfPassWriteIndex, true),
            endOfPassWriteIndex: view.getUint32(WRITES.endOfPassWriteIndex, true),
        };
        return { ...descriptor, timestampWrites };
    }

    /** Resolves the passes of a stand-in, and begins to read their timestamps. */
    #submit(standIn) {
        const { handle } = standIn;
        this.#device.pushErrorScope("validation");
        try {
            standIn.encoder = this.#device.createCommandEncoder({ label: "kerntime" });
            this.#check(this.#exports.kerntime_timers_resolve(handle));
            this.#device.queue.submit([standIn.encoder.finish()]);
            this.#check(this.#exports.kerntime_timers_submitted(handle));
        } finally {
            this.#host.handles.release(handle);
            this.#device.popErrorScope().then((error) => error && this.#errors.push(error.message), () => {});
        }
    }

    async collect() {
        if (!this.#device) throw new KerntimeError("no device whose passes are timed: call use() first", FAILED);
        if (this.#open?.passes > 0) {
            this.#full.push(this.#open);
            this.#open = null;
        }
        while (this.#full.length > 0) this.#submit(this.#full.shift());
        await this.#host.futures.all();
        this.#check(this.#exports.kerntime_timers_collect());
        if (this.#errors.length > 0) throw new KerntimeError(this.#errors.splice(0)[0], FAILED);
        this.#output = "";
        this.#check(this.#exports.kerntime_timers_write());
        return JSON.parse(this.#output);
    }
}

let creation = null; // the promise of all timers
let timers = null;

export async function use(device) {
    creation ??= Timers.create();
    try {
        timers = await creation;
    } catch (error) {
        creation = null;
        throw error;
    }
    timers.use(device);
}

export function pass(descriptor, name) {
    return timers ? timers.pass(descriptor, name) : descriptor;
}

export async function collect() {
    if (!timers) throw new KerntimeError("no device whose passes are timed: call use() first", FAILED);
    return timers.collect();
}
