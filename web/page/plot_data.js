// SPDX-License-Identifier: MIT
/* plot_data.js - what the figures show of a document: curves over sizes, or rows of one size. */

/** The size of a series: its first parameter. */
function sizeOf(series) {
    return Object.values(series.params ?? {})[0] ?? null;
}

/** Whether it is device time of the whole job: the only step, or `total` of several. */
function isDeviceTime(series, withTotal) {
    return (
        (series.kind === "kernel" || series.kind === "copy") &&
        (withTotal.has(`${series.name}|${series.variant}|${series.device}`) ? series.step === "total" : true)
    );
}

function median(values) {
    const sorted = [...values].sort((a, b) => a - b),
        middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The runs of one time as a point: of several runs the median, and the range as its bar. */
function makePoint(runs) {
    const good = runs.filter(series => series.median_ns > 0 && series.status !== "below_min_span");
    const first = runs[0];
    const point = {
        size: sizeOf(first),
        name: first.name,
        bytes: first.bytes,
        flops: first.flops,
        trials: first.trials,
        status: first.status,
        median_ns: null,
        low_ns: null,
        high_ns: null,
        samples_ns: [],
        fastest: runs.some(series => series.fastest),
    };
    if (!good.length) return point;
    point.status = "ok";
    point.median_ns = median(good.map(series => series.median_ns));
    point.samples_ns = good.length === 1 ? good[0].samples_ns : good.map(series => series.median_ns);
    const bar = good.length > 1 ? [Math.min(...point.samples_ns), Math.max(...point.samples_ns)] : good[0].ci95_ns;
    [point.low_ns, point.high_ns] = bar ?? [null, null];
    return point;
}

function group(list, key) {
    const groups = new Map();
    for (const item of list) {
        const name = key(item);
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(item);
    }
    return groups;
}

/** Names a curve by what differs among the curves. */
function labels(keys) {
    const variants = new Set(keys.map(key => key.variant)),
        devices = new Set(keys.map(key => key.device));
    return key =>
        [variants.size > 1 ? (key.variant ?? "-") : null, devices.size > 1 ? key.device : null]
            .filter(Boolean)
            .join(" ");
}

/** The same work on the host: grey, by wall time. Its traffic and arithmetic are those of the series. */
function baselineCurves(document, workload, series) {
    const mine = (document.baselines ?? []).filter(baseline => baseline.workload === workload);
    return [...group(mine, baseline => baseline.name)].map(([name, all]) => ({
        label: name,
        what: "wall",
        color: 4,
        points: all
            .map(baseline => {
                const { bytes, flops } = series.find(one => sizeOf(one) === sizeOf(baseline)) ?? {};
                return makePoint([
                    { ...baseline, bytes, flops, trials: 1, status: "ok", name: `${workload}/${sizeOf(baseline)}` },
                ]);
            })
            .sort((a, b) => a.size - b.size),
    }));
}

/**
 * @param {object} document of kind `result`
 * @returns {{ workload: string, sizes: number[], unit: string, curves: object[], rows: object[],
 *     devices: object[], runs: number }[]} one entry for each workload
 */
export function plotData(document) {
    const shown = document.series.filter(series => series.kind !== "wall_timestamped");
    const withTotal = new Set(
        shown
            .filter(series => series.step === "total")
            .map(series => `${series.name}|${series.variant}|${series.device}`),
    );
    return [...group(shown, series => series.workload)].map(([workload, all]) => {
        const sizes = [...new Set(all.map(sizeOf))].filter(size => size !== null).sort((a, b) => a - b);
        const whole = all.filter(series => series.kind === "wall" || isDeviceTime(series, withTotal));
        const keys = [...group(whole, series => `${series.variant}|${series.device}`)].map(([, of]) => of[0]);
        const name = labels(keys);
        const curves = keys
            .flatMap((key, color) =>
                ["device", "wall"].map(what => {
                    const mine = whole.filter(
                        series =>
                            series.variant === key.variant &&
                            series.device === key.device &&
                            (series.kind === "wall") === (what === "wall"),
                    );
                    const points = [...group(mine, sizeOf)]
                        .map(([, runs]) => makePoint(runs))
                        .sort((a, b) => a.size - b.size);
                    const label = [name(key), what === "wall" ? "wall" : name(key) ? "" : "device time"]
                        .filter(Boolean)
                        .join(" ");
                    return { label, what, color: color % 6, points };
                }),
            )
            .filter(curve => curve.points.length);
        const rows = [...group(all, series => `${series.name}|${series.variant}|${series.device}|${series.step}`)].map(
            ([, runs]) => ({
                ...makePoint(runs),
                what: runs[0].kind === "wall" ? "wall" : "device",
                step: runs[0].step,
                variant: runs[0].variant,
                label: [
                    name(runs[0]),
                    withTotal.size || runs[0].kind === "wall" ? runs[0].step : name(runs[0]) ? "" : "device time",
                ]
                    .filter(Boolean)
                    .join(" "),
                color: keys.findIndex(key => key.variant === runs[0].variant && key.device === runs[0].device) % 6,
            }),
        );
        return {
            workload,
            sizes,
            curves: [...curves, ...baselineCurves(document, workload, whole)],
            rows,
            unit: Object.keys(all[0].params ?? {})[0] ?? "size",
            devices: document.devices,
            runs: new Set(all.map(series => series.run)).size,
        };
    });
}

/** The value of a point: time in ns, GB/s or GFLOP/s, with the ends of its bar. */
export function valueOf(point, quantity) {
    const work = quantity === "GB/s" ? point.bytes : quantity === "GFLOP/s" ? point.flops : null;
    const turn = ns => (ns === null ? null : quantity === "time" ? ns : work ? work / ns : null);
    const ends = [turn(point.low_ns), turn(point.high_ns)];
    if (quantity !== "time") ends.reverse();
    return { value: turn(point.median_ns), low: ends[0], high: ends[1] };
}

/** What y may show. The first one is what the command draws of this workload. */
export function quantities(data) {
    const has = key => data.curves.some(curve => curve.points.some(point => point[key] && point.median_ns));
    const out = ["time", has("bytes") && "GB/s", has("flops") && "GFLOP/s"].filter(Boolean);
    const first = ["saxpy", "fill"].includes(data.workload) && out.includes("GB/s") ? "GB/s" : "time";
    return [first, ...out.filter(quantity => quantity !== first)];
}
