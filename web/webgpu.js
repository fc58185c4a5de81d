// SPDX-License-Identifier: MIT
// webgpu.js - WebGPU's C functions (src/backends/webgpu/webgpu.h) over navigator.gpu.
//
// Objects are handles (handles.js). Asynchronous answers are futures: a promise settles, and
// wgpuInstanceWaitAny() calls the callback of C. Loss of the device and uncaptured errors call C
// when they happen, also while C is suspended: these callbacks only copy texts.
//
// A mapped range is a copy in the module's memory, from wgpuBufferGet*MappedRange() to
// wgpuBufferUnmap(). Memory may grow in every call of C, so views of it are made anew.

import { Handles } from "./handles.js";
import { hostName } from "./host_name.js";
import { LAYOUT, WIDE_LIMITS } from "./webgpu_layout.js";

const UNDEFINED_INDEX = 0xffffffff;
const TEXT_TO_ZERO = 0xffffffff;
const FEATURES = new Map([[9, "timestamp-query"]]);
/** What WGSL may enable: asked for wherever there is an adapter with it. */
const OF_SHADERS = ["shader-f16", "subgroups"];
const ERROR_FILTERS = [, "validation", "out-of-memory", "internal"];
const POWER_PREFERENCES = [undefined, "low-power", "high-performance"];
const SUCCESS = 1;
const WAIT = { success: 1, timedOut: 2 };
const ADAPTER = { unavailable: 3, error: 4 };
const BACKEND_WEBGPU = 2;
const ADAPTER_TYPE = { gpu: 2, cpu: 3 };
const DEVICE_ERROR = 3;
const SCOPE_ERROR = 3;
const MAP = { error: 3, aborted: 4 };
const ERROR_TYPE = { none: 1, validation: 2, outOfMemory: 3, internal: 4, unknown: 5 };
const LOST_UNKNOWN = 1;
const READ_ONLY = false;
const WRITABLE = true;

/** How long a wait with the time limit 0 lets the browser work, since C polls with such waits. */
const POLL_MS = 4;
/** Longest time limit of a JavaScript timer. */
const TIMER_MS_MAX = 0x7fffffff;

function errorType(error) {
    const types = {
        GPUValidationError: ERROR_TYPE.validation,
        GPUOutOfMemoryError: ERROR_TYPE.outOfMemory,
        GPUInternalError: ERROR_TYPE.internal,
    };
    return types[error.constructor.name] ?? ERROR_TYPE.unknown;
}

/** Name of an adapter: browsers hide most of it, and give ids such as "0x2684" as the device. */
function adapterName(info) {
    const device = /^0x/i.test(info.device ?? "") ? "" : info.device;
    return info.description || device ||
        [info.vendor, info.architecture].filter(Boolean).join(" ");
}

/** Texts and numbers in the module's memory. */
class Memory {
    constructor(host) {
        this.host = host;
    }

    get view() {
        return new DataView(this.host.memory.buffer);
    }

    u32(address) {
        return this.view.getUint32(address, true);
    }

    /** Reads a WGPUStringView. */
    text(address) {
        const at = this.u32(address + LAYOUT.WGPUStringView.data);
        const length = this.u32(address + LAYOUT.WGPUStringView.length);
        const bytes = new Uint8Array(this.host.memory.buffer);
        if (at === 0)
            return "";
        const end = length === TEXT_TO_ZERO ? bytes.indexOf(0, at) : at + length;
        return new TextDecoder().decode(bytes.subarray(at, end));
    }

    /** Allocates a copy of bytes; 0 without memory. */
    copy(bytes) {
        const address = this.host.malloc(Math.max(bytes.byteLength, 1)) >>> 0;
        if (address !== 0)
            new Uint8Array(this.host.memory.buffer, address, bytes.byteLength).set(bytes);
        return address;
    }

    /** Calls `use` with the address of a WGPUStringView, which lives until it returns. */
    withText(text, use) {
        const bytes = new TextEncoder().encode(text ?? "");
        const head = LAYOUT.WGPUStringView.sizeof;
        const block = new Uint8Array(head + bytes.length);
        block.set(bytes, head);
        const address = this.copy(block);
        if (address !== 0) {
            this.view.setUint32(address + LAYOUT.WGPUStringView.data, address + head, true);
            this.view.setUint32(address + LAYOUT.WGPUStringView.length, bytes.length, true);
        }
        use(address);
        this.host.free(address);
    }

    /** Reads the callback of any WGPU*CallbackInfo, with its two user data. */
    callback(info, layout = LAYOUT.WGPURequestAdapterCallbackInfo) {
        const index = this.u32(info + layout.callback);
        const user = [this.u32(info + layout.userdata1), this.u32(info + layout.userdata2)];
        return (...given) => this.host.table.get(index)(...given, ...user);
    }
}

/** Promises by the numbers that C waits for. */
class Futures {
    #open = new Map();
    #next = 1n;
    isClosed = false;

    /** No callback of C is called any more. */
    close() {
        this.isClosed = true;
    }

    /**
     * @param {Promise} promise
     * @param {(value) => void} onValue calls C, as onError does
     */
    begin(promise, onValue, onError) {
        const future = { answer: null };
        future.settled = promise.then(
            (value) => { future.answer = () => onValue(value); },
            (error) => { future.answer = () => onError(error); });
        this.#open.set(this.#next, future);
        return this.#next++;
    }

    /** A future that is settled from the start. */
    settled(onValue) {
        this.#open.set(this.#next, { answer: onValue, settled: Promise.resolve() });
        return this.#next++;
    }

    /** Settles when all futures have that are open now. */
    async all() {
        await Promise.all([...this.#open.values()].map((future) => future.settled));
    }

    isSettled(id) {
        return this.#open.get(id)?.answer !== null;
    }

    /** Settles when one of the futures has, or after the time limit. */
    async waitForAny(ids, limitMs) {
        let timer;
        const limit = new Promise((resolve) => {
            timer = setTimeout(resolve, Math.min(limitMs, TIMER_MS_MAX));
        });
        await Promise.race([limit, ...ids.map((id) => this.#open.get(id)?.settled)]);
        clearTimeout(timer);
    }

    /** Calls back for a settled future; nothing if it has done so before. */
    answer(id) {
        const future = this.#open.get(id);
        this.#open.delete(id);
        if (!this.isClosed) future?.answer();
    }
}

/** A GPUDevice, with what C wants to hear of it. */
class Device {
    openScopes = 0;
    thrown = null; // message of an exception of a call within an error scope
    onLoss = null;
    onError = null;

    constructor(device) {
        this.gpu = device;
    }

    /** Ends all calls back to C, which frees what they write to. */
    silence() {
        this.onLoss = this.onError = null;
    }

    /** An exception of a call is an error like any other: of the error scope, if there is one. */
    fail(error) {
        if (this.openScopes > 0)
            this.thrown ??= error.message;
        else
            this.onError?.(ERROR_TYPE.validation, error.message);
    }
}

/**
 * A handle for a device that JavaScript made. Its errors and loss are its owner's.
 *
 * @param {object} host of webgpuImports()
 * @param {GPUDevice} gpuDevice
 */
export const adoptDevice = (host, gpuDevice) => host.handles.add(new Device(gpuDevice));

/** Frees the devices of an instance that has ended without closing them. */
export function destroyAll(host) {
    host.futures.close();
    for (const object of host.handles.objects()) {
        object.silence?.();
        object.gpu?.destroy();
    }
}

/** A GPUBuffer, with its mapped range. */
class Buffer {
    range = null; // { address, content: ArrayBuffer, isWritable }
    hasTimestamps = false; // its content is that of resolved queries, or a copy

    constructor(buffer) {
        this.gpu = buffer;
    }
}

/** A lost device first rejects what is under way, and then says that it is lost. */
async function afterLoss(error) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    throw error;
}

function roundDown(content, quantum_ns) {
    const ticks = new BigUint64Array(content, 0, content.byteLength >> 3);
    const quantum = BigInt(quantum_ns);
    ticks.forEach((value, i) => { ticks[i] = value - value % quantum; });
}

/**
 * The import module "webgpu".
 *
 * @param {object} host the instance: `memory`, `table`, `malloc(n)`, `free(address)`, which may
 * exist only later; `gpu`: navigator.gpu, undefined without WebGPU; `quantum_ns`: timestamps are
 * rounded down to multiples of it, 0: as the browser gives them. Sets `host.handles` and
 * `host.futures`.
 *
 * `host.onScopeError(message)`, if there is one: C cannot be suspended. Then wgpuInstanceWaitAny()
 * never waits, and error scopes answer at once that there is no error: the function hears of it.
 * @returns {Record<string, Function>}
 */
export function webgpuImports(host) {
    const memory = new Memory(host);
    const futures = host.futures = new Futures();
    const handles = host.handles = new Handles();

    const label = (descriptor, layout) => memory.text(descriptor + layout.label);
    const release = (handle) => { handles.release(handle); };
    /** Frees memory at once, but on a page's own device, whose commands may still use the object. */
    const destroy = (object) => { if (!host.onScopeError) object?.destroy(); };

    /** Calls `make`. Returns a handle of its result; 0 after an exception, which `device` has. */
    const create = (device, make) => {
        try {
            return handles.add(make());
        } catch (error) {
            device.fail(error);
            return 0;
        }
    };

    const openDevice = (gpuDevice, onLoss, onError) => {
        const device = new Device(gpuDevice);
        device.onLoss = onLoss;
        device.onError = onError;
        gpuDevice.lost.then(({ message }) => device.onLoss?.(message));
        gpuDevice.addEventListener("uncapturederror", ({ error }) =>
            device.onError?.(errorType(error), error.message));
        return handles.add(device);
    };

    const mappedRange = (handle, offset, size, isWritable) => {
        const buffer = handles.get(handle);
        if (buffer.range)
            return buffer.range.address;
        try {
            const content = buffer.gpu.getMappedRange(offset, size);
            if (buffer.hasTimestamps && host.quantum_ns > 0)
                roundDown(content, host.quantum_ns);
            const address = memory.copy(new Uint8Array(content));
            buffer.range = address === 0 ? null : { address, content, isWritable };
            return address;
        } catch {
            return 0; // C says that it got nothing
        }
    };

    return {
        // ---- instances and adapters ----

        wgpuCreateInstance: () => handles.add({}),
        wgpuInstanceRelease: release,

        wgpuInstanceRequestAdapter(instance, options, info) {
            const at = LAYOUT.WGPURequestAdapterOptions;
            const answer = memory.callback(info);
            const reply = (status, adapter, text) =>
                memory.withText(text, (message) => answer(status, adapter, message));
            const request = host.gpu?.requestAdapter({
                powerPreference: POWER_PREFERENCES[memory.u32(options + at.powerPreference)],
                forceFallbackAdapter: memory.u32(options + at.forceFallbackAdapter) !== 0,
            });
            return futures.begin(
                Promise.resolve(request),
                (adapter) => adapter ? reply(SUCCESS, handles.add(adapter))
                    : reply(ADAPTER.unavailable, 0, "the browser has no adapter"),
                (error) => reply(ADAPTER.error, 0, error.message));
        },

        wgpuAdapterGetInfo(handle, out) {
            const adapter = handles.get(handle);
            const info = adapter.info ?? {};
            const isFallback = info.isFallbackAdapter ?? adapter.isFallbackAdapter;
            const at = LAYOUT.WGPUAdapterInfo;
            const texts = {
                vendor: info.vendor, architecture: info.architecture,
                device: adapterName(info), description: hostName(),
            };
            for (const [member, text] of Object.entries(texts)) {
                const bytes = new TextEncoder().encode(text ?? "");
                const address = memory.copy(bytes);
                const view = out + at[member];
                memory.view.setUint32(view + LAYOUT.WGPUStringView.data, address, true);
                memory.view.setUint32(view + LAYOUT.WGPUStringView.length,
                    address === 0 ? 0 : bytes.length, true);
            }
            const numbers = {
                backendType: BACKEND_WEBGPU,
                adapterType: isFallback ? ADAPTER_TYPE.cpu : ADAPTER_TYPE.gpu,
                vendorID: 0, deviceID: 0,
                subgroupMinSize: info.subgroupMinSize ?? 0,
                subgroupMaxSize: info.subgroupMaxSize ?? 0,
            };
            for (const [member, number] of Object.entries(numbers))
                memory.view.setUint32(out + at[member], number, true);
            return SUCCESS;
        },

        wgpuAdapterInfoFreeMembers(info) {
            const at = LAYOUT.WGPUAdapterInfo;
            for (const view of [at.vendor, at.architecture, at.device, at.description])
                host.free(memory.u32(info + view + LAYOUT.WGPUStringView.data));
        },

        wgpuAdapterGetLimits(handle, out) {
            const { limits } = handles.get(handle);
            for (const [name, offset] of Object.entries(LAYOUT.WGPULimits)) {
                const limit = limits[name] ?? 0;
                if (WIDE_LIMITS.has(name))
                    memory.view.setBigUint64(out + offset, BigInt(limit), true);
                else
                    memory.view.setUint32(out + offset, limit, true);
            }
            return SUCCESS;
        },

        wgpuAdapterHasFeature: (handle, feature) =>
            Number(handles.get(handle).features.has(FEATURES.get(feature))),
        wgpuAdapterRelease: release,

        // ---- devices ----

        wgpuAdapterRequestDevice(handle, descriptor, info) {
            const at = LAYOUT.WGPUDeviceDescriptor;
            const answer = memory.callback(info);
            const lost = memory.callback(descriptor + at.deviceLostCallbackInfo);
            const failed = memory.callback(descriptor + at.uncapturedErrorCallbackInfo,
                LAYOUT.WGPUUncapturedErrorCallbackInfo);
            const reply = (status, device, text) =>
                memory.withText(text, (message) => answer(status, device, message));
            const onLoss = (text) =>
                memory.withText(text, (message) => lost(0, LOST_UNKNOWN, message));
            const onError = (type, text) =>
                memory.withText(text, (message) => failed(0, type, message));

            const featureCount = memory.u32(descriptor + at.requiredFeatureCount);
            const features = memory.u32(descriptor + at.requiredFeatures);
            const limits = memory.u32(descriptor + at.requiredLimits);
            const requiredFeatures = [];
            for (let i = 0; i < featureCount; i++)
                requiredFeatures.push(FEATURES.get(memory.u32(features + 4 * i)));
            for (const feature of OF_SHADERS)
                if (handles.get(handle).features.has(feature))
                    requiredFeatures.push(feature);
            const requiredLimits = {};
            for (const [name, offset] of Object.entries(LAYOUT.WGPULimits)) {
                const limit = WIDE_LIMITS.has(name)
                    ? Number(memory.view.getBigUint64(limits + offset, true))
                    : memory.u32(limits + offset);
                if (limit !== 0)
                    requiredLimits[name] = limit;
            }
            return futures.begin(
                handles.get(handle).requestDevice({ requiredFeatures, requiredLimits }).then((device) => {
                    if (futures.isClosed) device.destroy();
                    return device;
                }),
                (device) => reply(SUCCESS, openDevice(device, onLoss, onError)),
                (error) => reply(DEVICE_ERROR, 0, error.message));
        },

        wgpuDeviceGetQueue: (handle) => handles.add(handles.get(handle).gpu.queue),
        wgpuDeviceHasFeature: (handle, feature) =>
            Number(handles.get(handle).gpu.features.has(FEATURES.get(feature))),
        wgpuDeviceDestroy(handle) {
            const device = handles.get(handle);
            device.silence();
            device.gpu.destroy();
        },
        wgpuDeviceRelease: (handle) => { handles.release(handle)?.silence(); },
        wgpuQueueRelease: release,

        wgpuDevicePushErrorScope(handle, filter) {
            const device = handles.get(handle);
            device.openScopes++;
            device.gpu.pushErrorScope(ERROR_FILTERS[filter]);
        },

        wgpuDevicePopErrorScope(handle, info) {
            const device = handles.get(handle);
            const answer = memory.callback(info);
            const reply = (status, type, text) =>
                memory.withText(text, (message) => answer(status, type, message));
            const { thrown } = device;
            device.openScopes--;
            device.thrown = null;
            const popped = device.gpu.popErrorScope();
            if (host.onScopeError) {
                popped.then((error) => error && host.onScopeError(error.message), () => {});
                return futures.settled(
                    () => reply(SUCCESS, thrown ? ERROR_TYPE.validation : ERROR_TYPE.none, thrown));
            }
            return futures.begin(
                popped,
                (error) => error ? reply(SUCCESS, errorType(error), error.message)
                    : reply(SUCCESS, thrown ? ERROR_TYPE.validation : ERROR_TYPE.none, thrown),
                (error) => reply(SCOPE_ERROR, ERROR_TYPE.unknown, error.message));
        },

        // ---- futures ----

        /** @returns {Promise<number> | number} */
        wgpuInstanceWaitAny(instance, count, infos, timeoutNS) {
            const at = LAYOUT.WGPUFutureWaitInfo;
            const waited = [];
            for (let i = 0; i < count; i++) {
                const info = infos + i * at.sizeof;
                waited.push({ info, id: memory.view.getBigUint64(info + at.future, true) });
            }
            const answer = () => {
                const settled = waited.filter(({ id }) => futures.isSettled(id));
                for (const { info, id } of settled) {
                    memory.view.setUint32(info + at.completed, 1, true);
                    futures.answer(id);
                }
                return settled.length > 0 ? WAIT.success : WAIT.timedOut;
            };
            if (host.onScopeError)
                return answer();
            const limitMs = Math.max(Number(timeoutNS) / 1e6, POLL_MS);
            return futures.waitForAny(waited.map(({ id }) => id), limitMs).then(answer);
        },

        // ---- buffers ----

        wgpuDeviceCreateBuffer(handle, descriptor) {
            const at = LAYOUT.WGPUBufferDescriptor;
            const device = handles.get(handle);
            return create(device, () => new Buffer(device.gpu.createBuffer({
                label: label(descriptor, at),
                usage: Number(memory.view.getBigUint64(descriptor + at.usage, true)),
                size: Number(memory.view.getBigUint64(descriptor + at.size, true)),
                mappedAtCreation: memory.u32(descriptor + at.mappedAtCreation) !== 0,
            })));
        },

        wgpuBufferRelease(handle) {
            const buffer = handles.release(handle);
            host.free(buffer?.range?.address ?? 0);
            destroy(buffer?.gpu);
        },

        wgpuBufferMapAsync(handle, mode, offset, size, info) {
            const answer = memory.callback(info);
            const reply = (status, text) =>
                memory.withText(text, (message) => answer(status, message));
            return futures.begin(
                handles.get(handle).gpu.mapAsync(Number(mode), offset >>> 0, size >>> 0).catch(afterLoss),
                () => reply(SUCCESS),
                (error) => reply(error.name === "AbortError" ? MAP.aborted : MAP.error,
                    error.message));
        },

        wgpuBufferGetConstMappedRange: (handle, offset, size) =>
            mappedRange(handle, offset >>> 0, size >>> 0, READ_ONLY),
        wgpuBufferGetMappedRange: (handle, offset, size) =>
            mappedRange(handle, offset >>> 0, size >>> 0, WRITABLE),

        wgpuBufferUnmap(handle) {
            const buffer = handles.get(handle);
            if (buffer.range) {
                const { address, content, isWritable } = buffer.range;
                const bytes = new Uint8Array(host.memory.buffer, address, content.byteLength);
                if (isWritable)
                    new Uint8Array(content).set(bytes);
                host.free(address);
                buffer.range = null;
            }
            buffer.gpu.unmap();
        },

        wgpuQueueWriteBuffer(queue, buffer, offset, data, bytes) {
            const content = new Uint8Array(host.memory.buffer, data >>> 0, bytes >>> 0);
            handles.get(queue).writeBuffer(handles.get(buffer).gpu, Number(offset), content);
        },

        // ---- kernels ----

        wgpuDeviceCreateShaderModule(handle, descriptor) {
            const at = LAYOUT.WGPUShaderModuleDescriptor;
            const device = handles.get(handle);
            const source = memory.u32(descriptor + at.nextInChain);
            return create(device, () => device.gpu.createShaderModule({
                label: label(descriptor, at),
                code: memory.text(source + LAYOUT.WGPUShaderSourceWGSL.code),
            }));
        },
        wgpuShaderModuleRelease: release,

        wgpuDeviceCreateComputePipeline(handle, descriptor) {
            const at = LAYOUT.WGPUComputePipelineDescriptor;
            const device = handles.get(handle);
            const count = memory.u32(descriptor + at["compute.constantCount"]);
            const entries = memory.u32(descriptor + at["compute.constants"]);
            const constants = {};
            for (let i = 0; i < count; i++) {
                const entry = entries + i * LAYOUT.WGPUConstantEntry.sizeof;
                constants[memory.text(entry + LAYOUT.WGPUConstantEntry.key)] =
                    memory.view.getFloat64(entry + LAYOUT.WGPUConstantEntry.value, true);
            }
            return create(device, () => device.gpu.createComputePipeline({
                label: label(descriptor, at),
                layout: handles.get(memory.u32(descriptor + at.layout)) ?? "auto",
                compute: {
                    module: handles.get(memory.u32(descriptor + at["compute.module"])),
                    entryPoint: memory.text(descriptor + at["compute.entryPoint"]),
                    constants,
                },
            }));
        },

        wgpuComputePipelineGetBindGroupLayout: (handle, index) =>
            handles.add(handles.get(handle).getBindGroupLayout(index)),
        wgpuComputePipelineRelease: release,
        wgpuBindGroupLayoutRelease: release,

        wgpuDeviceCreateBindGroup(handle, descriptor) {
            const at = LAYOUT.WGPUBindGroupDescriptor;
            const device = handles.get(handle);
            const count = memory.u32(descriptor + at.entryCount);
            const first = memory.u32(descriptor + at.entries);
            const entries = [];
            for (let i = 0; i < count; i++) {
                const of = LAYOUT.WGPUBindGroupEntry;
                const entry = first + i * of.sizeof;
                const size = memory.view.getBigUint64(entry + of.size, true);
                const isWhole = size === 0xffffffffffffffffn;
                entries.push({
                    binding: memory.u32(entry + of.binding),
                    resource: {
                        buffer: handles.get(memory.u32(entry + of.buffer)).gpu,
                        offset: Number(memory.view.getBigUint64(entry + of.offset, true)),
                        size: isWhole ? undefined : Number(size),
                    },
                });
            }
            return create(device, () => device.gpu.createBindGroup({
                label: label(descriptor, at),
                layout: handles.get(memory.u32(descriptor + at.layout)),
                entries,
            }));
        },
        wgpuBindGroupRelease: release,

        // ---- queries ----

        wgpuDeviceCreateQuerySet(handle, descriptor) {
            const at = LAYOUT.WGPUQuerySetDescriptor;
            const device = handles.get(handle);
            return create(device, () => device.gpu.createQuerySet({
                label: label(descriptor, at),
                type: "timestamp",
                count: memory.u32(descriptor + at.count),
            }));
        },
        wgpuQuerySetRelease: (handle) => { destroy(handles.release(handle)); },

        wgpuCommandEncoderResolveQuerySet(encoder, querySet, first, count, buffer, offset) {
            const destination = handles.get(buffer);
            destination.hasTimestamps = true;
            handles.get(encoder).resolveQuerySet(
                handles.get(querySet), first, count, destination.gpu, Number(offset));
        },

        // ---- commands ----

        wgpuDeviceCreateCommandEncoder(handle) {
            const device = handles.get(handle);
            return create(device, () => device.gpu.createCommandEncoder());
        },
        wgpuCommandEncoderAddRef: (handle) => handles.retain(handle),
        wgpuCommandEncoderRelease: release,

        wgpuCommandEncoderCopyBufferToBuffer(encoder, from, fromOffset, to, toOffset, bytes) {
            const source = handles.get(from);
            const destination = handles.get(to);
            destination.hasTimestamps ||= source.hasTimestamps;
            handles.get(encoder).copyBufferToBuffer(source.gpu, Number(fromOffset),
                destination.gpu, Number(toOffset), Number(bytes));
        },

        wgpuCommandEncoderBeginComputePass(encoder, descriptor) {
            const at = LAYOUT.WGPUComputePassDescriptor;
            const of = LAYOUT.WGPUPassTimestampWrites;
            const pass = { label: label(descriptor, at) };
            const writes = memory.u32(descriptor + at.timestampWrites);
            if (writes !== 0) {
                const index = (member) => {
                    const value = memory.u32(writes + of[member]);
                    return value === UNDEFINED_INDEX ? undefined : value;
                };
                pass.timestampWrites = {
                    querySet: handles.get(memory.u32(writes + of.querySet)),
                    beginningOfPassWriteIndex: index("beginningOfPassWriteIndex"),
                    endOfPassWriteIndex: index("endOfPassWriteIndex"),
                };
            }
            return handles.add(handles.get(encoder).beginComputePass(pass));
        },

        wgpuComputePassEncoderSetPipeline: (pass, pipeline) =>
            handles.get(pass).setPipeline(handles.get(pipeline)),
        wgpuComputePassEncoderSetBindGroup: (pass, index, group) =>
            handles.get(pass).setBindGroup(index, handles.get(group)),
        wgpuComputePassEncoderDispatchWorkgroups: (pass, x, y, z) =>
            handles.get(pass).dispatchWorkgroups(x, y, z),
        wgpuComputePassEncoderEnd: (pass) => handles.get(pass).end(),
        wgpuComputePassEncoderRelease: release,

        wgpuCommandEncoderFinish: (encoder) => handles.add(handles.get(encoder).finish()),
        wgpuCommandBufferRelease: release,

        wgpuQueueSubmit(queue, count, commands) {
            const list = [];
            for (let i = 0; i < count; i++)
                list.push(handles.get(memory.u32(commands + 4 * i)));
            handles.get(queue).submit(list);
        },

        wgpuQueueOnSubmittedWorkDone(queue, info) {
            const answer = memory.callback(info);
            return futures.begin(handles.get(queue).onSubmittedWorkDone(),
                () => answer(SUCCESS), () => answer(SCOPE_ERROR));
        },
    };
}
