// SPDX-License-Identifier: MIT
/**
 * kerntime in the browser and under Node: the kerntime command as WebAssembly over WebGPU.
 *
 * Each function loads the module at its first call. A run in which everything failed rejects with KerntimeError.
 * Units are in the names: `_ns` is nanoseconds.
 */

/** `GPU` and `GPUDevice` where the program has types of WebGPU, else any object. */
type Global<Name extends string> = typeof globalThis extends { [N in Name]: { prototype: infer Type } } ? Type : object;

// --- Loading ---------------------------------------------------------------------------------

export interface LoadOptions {
    /** Folder with the files `kerntime*.wasm`. Default: that of `kerntime.js`. */
    base?: string | URL;
    /** WebGPU to use. Default: `navigator.gpu`. `null`: none, so there are only simulated devices. */
    gpu?: Global<"GPU"> | null;
    /** Resolution in ns to which timestamps are rounded down, to see what a coarse clock does. Default: 0, none. */
    quantum_ns?: number;
    /** Use the build that needs no JSPI. Default: what this browser needs. */
    asyncify?: boolean;
}

/**
 * Sets where module and WebGPU come from. Optional. Timers keep what was set at the first `use()`.
 */
export function load(options?: LoadOptions): Promise<void>;

// --- Running ---------------------------------------------------------------------------------

/** Progress of a run. */
export interface Progress {
    /** Share that is done, from 0 to 1. */
    share: number;
    /** Sentence for a reader: what is being measured. */
    text: string;
    /** Estimated time that is left. `null`: unknown. */
    left_ns: number | null;
    /** Rows of the table so far. */
    rows: ProgressRow[];
}

export interface ProgressRow {
    /** Name of the measurement: `matmul/256`. */
    label: string;
    /** Device or variant. */
    who: string;
    /** Result so far. */
    text: string;
    /** The result will not change. */
    final: boolean;
}

export interface RunOptions {
    /** Name of the device, or several. Default: all WebGPU devices. `sim:0` is simulated. */
    device?: string | string[];
    /** Further words of the command line: `["--samples", "50..200"]`. */
    options?: string[];
    /** Called while measuring. */
    progress?(progress: Progress): void;
    /** Stops as Ctrl-C does: what was measured so far is returned, and it rejects if that is nothing. */
    signal?: AbortSignal;
}

export interface CommandOptions extends Omit<RunOptions, "options"> {
    /** Files that the command finds in its folder, by name. */
    files?: Record<string, string | Uint8Array>;
    /** Width of tables. Default: as wide as needed. */
    columns?: number;
}

export interface CommandResult {
    /** Exit code of the command. */
    code: number;
    stdout: string;
    stderr: string;
    /** Files that the command wrote, by name. */
    files: Record<string, Uint8Array>;
}

/** Runs the command: `command(["bench", "matmul", "--size", "256"])`. Never rejects for an exit code. */
export function command(words: string[], options?: CommandOptions): Promise<CommandResult>;

/** Output of the command besides its document. JSON.stringify() leaves it out. */
export interface Messages {
    /** The table. */
    readonly text: string;
    /** All that it wrote to standard error. */
    readonly messages: string;
    /** Exit code: 4 if a part failed; its row has the reason. Of `compare()`: 1 slower, 5 inconclusive. */
    readonly code: number;
}

/** There is no document, or everything in it has failed: `message` is the command's sentence. */
export class KerntimeError extends Error {
    readonly name: "KerntimeError";
    /** Exit code of the command. */
    readonly code: number;
    /** All that the command wrote to standard error. */
    readonly stderr: string;
    /** What failed, if the command got so far. */
    readonly document?: ResultDocument & Messages;
}

/** All devices, or those with this name. */
export function devices(options?: { device?: string | string[] }): Promise<Device[]>;

/** Measures the clock of each device, and tells which times to trust. */
export function doctor(options?: RunOptions): Promise<DoctorDocument & Messages>;

export interface BenchOptions extends RunOptions {
    /** Such as `"matmul"` or `["fill", "reduce"]`. */
    workloads: string | string[];
    /** Sizes: `256`, `[64, 128]` or `"32..2048"` (doubling). Default: those of the workload. */
    sizes?: number | string | number[];
}

/** Times workloads with known answers, and verifies each output. */
export function bench(options: BenchOptions): Promise<ResultDocument & Messages>;

/** A number, or an expression of `n`: `"n/256"`. */
export type Size = number | string;

/**
 * Content of a buffer or a value: a number, the elements themselves, or a text as of `kerntime run --arg`:
 * `"zeros"`, `"iota"`, `"random"`, `"random:0:10"`, `"fill:1 x 2*n"`.
 */
export type Content = number | string | ArrayBuffer | ArrayBufferView;

export interface MeasureOptions extends RunOptions {
    /** Text of the shader. */
    wgsl: string;
    /** Entry point. Default: the only one. */
    entry?: string;
    /** `n` in all expressions. Default: 1048576, or 1024 for two dimensions. */
    n?: Size | number[];
    /** Buffers by the name of their variable. Default: guessed by type and name. */
    buffers?: Record<string, Content>;
    /** Number of workgroups: `x`, or `[x, y, z]`. Default: so that there are `n` invocations. */
    groups?: Size | Size[];
    /** Size of a workgroup whose size is made of overrides: `x`, or `[x, y, z]`. */
    local?: Size | Size[];
    /** Values of overrides. Each value of a list is tried: the fastest variants have `fastest` in the document. */
    constants?: Record<string, Size | boolean | Size[]>;
    /** Content that buffers must have afterwards, by name. */
    expect?: Record<string, ArrayBuffer | ArrayBufferView>;
}

/** Times a kernel of your own, each variant of it, and checks what it writes. */
export function measure(options: MeasureOptions): Promise<ResultDocument & Messages>;

/** A document, or its text as a file has it. */
export type Comparable = ResultDocument | RegistryDocument | string;

/** Compares two results, or the runs of two versions. Runs of one version are a list. */
export function compare(
    baseline: Comparable | Comparable[],
    contender: Comparable | Comparable[],
    options?: { options?: string[] },
): Promise<CompareDocument & Messages>;

// --- Timers ----------------------------------------------------------------------------------

/** Passes of this device are timed from now on. The device needs the feature `timestamp-query`. */
export function use(device: Global<"GPUDevice">): Promise<void>;

/**
 * Adds `timestampWrites` to the descriptor of a compute or render pass: each pass that it begins is a span of this name.
 * Needs `use()`. Call it once for each pass, in the order in which they are submitted.
 */
export function pass<Descriptor extends object>(descriptor: Descriptor, name: string): Descriptor;

/**
 * Reads the timestamps of all passes that were submitted, in a submission of its own.
 * @returns the statistics by name since the first `use()`
 */
export function collect(): Promise<RegistryDocument>;

// --- Documents: kerntime/1 -------------------------------------------------------------------

export interface Host {
    name?: string;
    boot_id?: string;
    os: string;
    cpu: string | null;
    cores: number;
    clock: string;
}

interface DocumentHead {
    schema: "kerntime/1";
    /** Version of kerntime. */
    version: string;
    /** Words of the command line. */
    command: string[];
    /** Random name. Missing: all devices are simulated. */
    document_id?: string;
    /** Start in UTC, or `simulated`. */
    started: string;
    host: Host;
    launch?: null;
}

export interface ResultDocument extends DocumentHead {
    document: "result";
    devices: Device[];
    series: Series[];
    baselines: Baseline[];
    transfers?: unknown[];
}

export interface DoctorDocument extends DocumentHead {
    document: "doctor";
    backends?: Backend[];
    devices: Device[];
    diagnostics: Diagnostic[];
    series: [];
    baselines: [];
}

export interface Backend {
    name: string;
    devices: number;
    /** Reason why it is unavailable. */
    missing: string | null;
}

export interface Clock {
    name: string;
    method: Method;
    period_ns: number | null;
    frequency_hz: number | null;
    reported_period_ns?: number;
    period_uncertainty_ns?: number;
    valid_bits: number | null;
    valid_bits_min: number | null;
    pauses?: true;
    domain: string | null;
    uncertainty_ns: number | null;
    drift_ppm: number | null;
    period_source: ClockSource;
    relation_source: ClockSource;
}

export type ClockSource = "reported" | "calibrated_timestamps" | "bracketed_submissions" | null;

export interface Device {
    /** Such as `webgpu:0`. */
    id: string;
    backend: string;
    name: string;
    vendor: string | null;
    driver: string;
    vendor_id: number | null;
    pci_address?: string | null;
    uuid?: string | null;
    serial?: string | null;
    type: "other" | "cpu" | "gpu" | "accelerator" | "simulated";
    compute_units: number | null;
    memory_bytes: number | null;
    max_memory_bytes: number | null;
    max_argument_bytes: number | null;
    max_group_size: number | null;
    memory_kinds: string[];
    copies: string[];
    maps: string[];
    queue_groups?: { kinds: string[]; queues: number }[];
    clocks: Clock[];
    /** Clock resolution. `null`: unknown. */
    resolution_ns: number | null;
    /** Shortest measurable span. `null`: unknown. */
    min_span_ns: number | null;
    timestamp_overhead_ns: number | null;
    timestamp_overhead_error_ns?: number;
    clock_limits?: { name: string; min_span_ns: number | null; untrusted: string | null }[];
    /** Reason why its timestamps are untrusted. */
    untrusted: string | null;
    clock_error: string | null;
    quirk: string | null;
    state?: DeviceState;
}

/** What a device did when it was opened. `null`: unknown. */
export interface DeviceState {
    source: string;
    core_clock_mhz: number | null;
    core_clock_max_mhz: number | null;
    memory_clock_mhz: number | null;
    temperature_c: number | null;
    power_w: number | null;
    power_limit_w: number | null;
    power_limit_default_w: number | null;
    energy_j: number | null;
    energy_period_ms: number | null;
    throttle: string[] | null;
    other_processes: number | null;
    clocks_locked: 0 | 1 | null;
    persistence: 0 | 1 | null;
    /** Why values are `null`, if it is not that no source has them. */
    missing?: Record<string, "denied" | "invalid" | "failed" | "asleep">;
}

export interface Diagnostic {
    device: string;
    /** Such as `resolution`, `order`, `shortest`. */
    check: string;
    severity: "good" | "note" | "warning" | "fault";
    seen: string;
    means: string | null;
    advice: string | null;
    values: Record<string, number | null>;
}

export type Method =
    | "none"
    | "device-timestamp"
    | "event-profile"
    | "event-pair"
    | "event-pair-blocked"
    | "command-buffer"
    | "host-wall"
    | "simulated";

export type Interval = [number, number] | null;

export type Warning = "autocorrelated" | "drift" | "bimodal" | "coarse_clock";

/** Statistics of samples. `null`: too few samples, or excluded by a warning. */
export interface Statistics {
    n: number;
    samples_ns: number[];
    min_ns: number | null;
    median_ns: number | null;
    mean_ns: number | null;
    max_ns: number | null;
    stddev_ns: number | null;
    mad_ns: number | null;
    p95_ns: number | null;
    /** 95 % interval of the median. */
    ci95_ns: Interval;
    p95_ci95_ns: Interval;
    p99_ns: number | null;
    p99_ci95_ns: Interval;
    robust_stddev_ns: number | null;
    resolution_ns: number | null;
    outliers: { low: number; high: number } | null;
    inflation: number | null;
    drift: number | null;
    clusters: { low_ns: number; high_ns: number; high_share: number } | null;
    warnings: Warning[];
}

/** Number of discarded timestamps by reason. */
export interface Discarded {
    not_ready: number;
    zero: number;
    error: number;
    negative: number;
    lost: number;
    overwritten: number;
    ambiguous: number;
    below_min_span: number;
    throttled: number;
}

/** One time: one step of one job on one device in one run. */
export interface Series extends Statistics {
    /** Such as `matmul/256`. */
    name: string;
    workload: string;
    params: Record<string, number>;
    variant: string | null;
    device: string;
    run: number;
    step: string;
    kind: "kernel" | "copy" | "wall" | "wall_timestamped";
    status: "ok" | "partial" | "failed" | "below_min_span" | "not_possible";
    error: string | null;
    /** An output was computed, and is not the right one. */
    wrong?: boolean;
    method: Method;
    clock: string | null;
    /** Dispatches between two timestamps. */
    trials: number;
    /** Every output was right. */
    verified: boolean;
    zero_copy: boolean;
    cold: boolean;
    src: string | null;
    dst: string | null;
    bytes: number | null;
    flops: number | null;
    first_use_ns: number | null;
    warmup_n: number;
    warmup_ns: number | null;
    warmup_end: "steady" | "moving" | "short" | null;
    stop: "rel_err" | "max_time" | "max_samples" | "resolution" | null;
    discarded: Discarded;
    median_total_ns: number | null;
    clock_period_ns?: number;
    clock_resolution_ns?: number;
    context_ns: number | null;
    context_missing?: number;
    speedup: number | null;
    speedup_ci95: Interval;
    speedup_best: number | null;
    speedup_best_ci95: Interval;
    /** Fastest variant, or cannot be told apart from it. */
    fastest?: boolean;
    /** What the device did meanwhile. */
    state?: SeriesState;
    energy?: Energy;
    raw?: object[];
}

export interface SeriesState {
    readings: number;
    core_clock_mhz: number | null;
    core_clock_low_mhz: number | null;
    core_clock_high_mhz: number | null;
    memory_clock_mhz: number | null;
    temperature_c: number | null;
    power_w: number | null;
    throttle: string[];
    left_out: string[];
    kept_throttled: number;
    read_s: number;
    waited_s: number;
}

/** Energy of one dispatch of all steps. */
export interface Energy {
    /** Why there is no number. */
    reason: string | null;
    dispatch_j: number | null;
    ci95_low_j: number | null;
    ci95_high_j: number | null;
    gflop_per_j: number | null;
    power_w: number | null;
    idle_w: number | null;
    update_ms: number | null;
    duration_s: number | null;
    dispatches: number;
    windows: number;
    throttle: string[];
}

/** The same work on the host's processor. */
export interface Baseline extends Statistics {
    workload: string;
    params: Record<string, number>;
    name: "sequential" | "best";
    flags: string;
    threads: number | null;
}

export type Verdict = "slower" | "faster" | "likely_slower" | "likely_faster" | "same" | "inconclusive" | "none";

export interface CompareDocument extends DocumentHead {
    document: "compare";
    devices: Device[];
    baseline: ComparedRuns;
    contender: ComparedRuns;
    options: { min_effect: number; alpha: number; run_noise: number | null; timing: "device" | "wall" | "both" };
    verdict: Verdict;
    /** Shift of all rows together, which is no change of a single one. */
    common_mode: {
        rows: number;
        groups: number;
        exceptions: number;
        shift: number;
        shift_ci95: Interval;
        matters: boolean;
        unclear: boolean;
        run_noise: number | null;
    };
    counts: Record<string, number>;
    rows: Change[];
}

export interface ComparedRuns {
    files: string[];
    started: (string | null)[];
    runs: number;
}

/** One compared time. Changes are shares: a `shift` of 0.03 is 3 % slower. */
export interface Change {
    name: string;
    workload: string;
    params: Record<string, number>;
    variant: string | null;
    device: string | null;
    step: string;
    kind: string;
    verdict: Verdict;
    /** Why it is inconclusive, only likely, or not compared. */
    reason: string | null;
    baseline_ns: number | null;
    contender_ns: number | null;
    baseline_runs: number;
    contender_runs: number;
    baseline_failed: number;
    contender_failed: number;
    error: string | null;
    /** What the device did otherwise: "core clock 1410 -> 1200 MHz (-15 %)". */
    state_change: string | null;
    shift: number | null;
    shift_ci95: Interval;
    deviation: number | null;
    p: number | null;
    q: number | null;
    rank_p: number | null;
    p_longer: number | null;
    min_detectable_effect: number | null;
    runs_needed: number | null;
    identical: boolean;
}

/** Statistics of a program's own passes, by name. */
export interface RegistryDocument {
    schema: "kerntime/1";
    document: "registry";
    version: string;
    document_id?: string;
    /** Time of writing, in UTC. */
    written: string;
    host: Host;
    launch?: null;
    /** Durations that were not recorded. */
    dropped: number;
    rows: RegistryRow[];
}

/** Times of one name. With `n` of 0 all but `total_ns` are `null`. */
export interface RegistryRow {
    name: string;
    backend: string | null;
    n: number;
    total_ns: number;
    min_ns: number | null;
    mean_ns: number | null;
    max_ns: number | null;
    last_ns: number | null;
    stddev_ns: number | null;
    p50_ns: number | null;
    p95_ns: number | null;
    p99_ns: number | null;
    stop_late: number;
    period_uncertainty: number | null;
    discarded: Discarded;
}
