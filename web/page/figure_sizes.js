// SPDX-License-Identifier: MIT
/* figure_sizes.js - times or rates over sizes, on logarithmic axes. */
import { svg } from "./dom.js";
import {
    fit,
    line,
    linearTicks,
    logTicks,
    makeScale,
    marker,
    path,
    picture,
    rect,
    spread,
    text,
    tick_font,
    widthOf,
} from "./drawing.js";
import * as format from "./format.js";
import { valueOf } from "./plot_data.js";

const caption = { time: "time per dispatch", "GB/s": "GB/s, least memory traffic", "GFLOP/s": "GFLOP/s" };

function show(value, quantity) {
    return quantity === "time" ? format.time(value) : format.rate(value);
}

/** Spans below which the clock decides, and not the kernel. One device only. */
function clockLimits(data) {
    if (data.devices.length !== 1) return {};
    const trials = Math.max(...data.curves.flatMap(curve => curve.points.map(point => point.trials ?? 1)));
    const device = data.devices[0];
    return trials > 1
        ? {}
        : {
              shortest_ns: device.min_span_ns || null,
              one_percent_ns: device.resolution_ns ? 100 * device.resolution_ns : null,
          };
}

export function drawSizes(data, quantity, width) {
    const narrow = width < 480,
        height = narrow ? 250 : 300;
    const values = data.curves
        .flatMap(curve => curve.points)
        .map(point => valueOf(point, quantity))
        .flatMap(({ value, low, high }) => [value, low, high])
        .filter(value => value > 0);
    if (!values.length) return null;
    let low = Math.min(...values),
        high = Math.max(...values);
    const limits = quantity === "time" ? clockLimits(data) : {};
    const log = high / low >= 5;
    for (const limit of Object.values(limits))
        if (log && limit && limit > low / 20 && limit < high * 20)
            [low, high] = [Math.min(low, limit), Math.max(high, limit)];
    [low, high] = log ? [low / 1.4, high * 1.4] : [0, high * 1.12];
    const names = fit(
        data.curves.map(curve => curve.label),
        0.28 * width,
    );
    const right = 10 + names.width;
    const box = { left: 58, right: width - right, top: 10, bottom: height - 38 };
    const y = makeScale(low, high, box.bottom, box.top, log);
    const ratio = data.sizes.at(-1) / data.sizes[0] || 1,
        pad = Math.max(ratio, 2) ** 0.05;
    const x = makeScale(data.sizes[0] / pad, data.sizes.at(-1) * pad, box.left, box.right, true);
    const out = [];

    for (const tick of log ? logTicks(low, high) : linearTicks(low, high, 6)) {
        out.push(
            line("grid", box.left, y(tick), box.right, y(tick)),
            text(
                "tick",
                box.left - 7,
                y(tick) + 4,
                "end",
                quantity === "time" && tick ? format.shortTime(tick) : String(Number(tick.toPrecision(3))),
            ),
        );
    }
    let last = -Infinity;
    for (const size of data.sizes) {
        const at = x(size),
            name = format.size(size),
            half = widthOf(name, tick_font) / 2;
        out.push(line("grid", at, box.top, at, box.bottom));
        if (at - half > last + 4) {
            out.push(text("tick", at, box.bottom + 15, "middle", name));
            last = at + half;
        }
    }
    out.push(
        path("frame", `M${box.left},${box.top}V${box.bottom}H${box.right}`),
        text("axis", (box.left + box.right) / 2, height - 6, "middle", sizeName(data)),
    );

    const visible = limit => limit > low && limit < high && y(limit) < box.bottom - 16;
    const { shortest_ns, one_percent_ns } = limits;
    if (visible(shortest_ns))
        out.push(
            rect("below", box.left, y(shortest_ns), box.right - box.left, box.bottom - y(shortest_ns)),
            text("limit-text", box.right - 4, y(shortest_ns) + 13, "end", "below the shortest measurable span"),
        );
    if (visible(one_percent_ns))
        out.push(
            line("limit", box.left, y(one_percent_ns), box.right, y(one_percent_ns)),
            text("limit-text halo", box.right - 4, y(one_percent_ns) - 5, "end", "one clock step is 1 %"),
        );

    const labels = [];
    data.curves.forEach((curve, at) => {
        const drawn = svg("g", { class: `c${curve.color}` });
        let drawing = "",
            open = false,
            end = null;
        for (const point of curve.points) {
            const { value } = valueOf(point, quantity);
            if (!(value > 0)) {
                open = false;
                continue;
            }
            drawing += `${open ? "L" : "M"}${x(point.size).toFixed(1)},${y(value).toFixed(1)}`;
            open = true;
            end = { x: x(point.size), y: y(value) };
        }
        drawn.append(path(`curve ${curve.what}`, drawing));
        for (const point of curve.points) {
            const { value, low: from, high: to } = valueOf(point, quantity);
            if (!(value > 0)) continue;
            const px = x(point.size),
                interval = from > 0 && to > 0;
            if (interval && y(from) - y(to) > 8)
                drawn.append(
                    path("interval", `M${px},${y(from)}V${y(to)}M${px - 4},${y(from)}h8M${px - 4},${y(to)}h8`),
                );
            const range = interval ? `, ${show(from, quantity)} .. ${show(to, quantity)}` : "";
            drawn.append(
                marker(
                    curve.color,
                    curve.what,
                    px,
                    y(value),
                    `${point.name} ${curve.label}: ${show(value, quantity)}${range}`,
                ),
            );
        }
        out.push(drawn);
        if (end) labels.push({ y: end.y, from: end, text: names.labels[at], color: curve.color });
    });
    spread(labels, box.top + 6, box.bottom - 2, 15);
    for (const label of labels)
        out.push(svg("g", { class: `c${label.color}` }, text("name", box.right + 8, label.y + 4, "start", label.text)));
    return picture(width, height, out, describeSizes(data, quantity));
}

const units = {
    matmul: "rows",
    empty: "dispatches",
    copy: "bytes",
    fill: "elements",
    saxpy: "elements",
    reduce: "elements",
    scan: "elements",
    sort: "keys",
};

function sizeName(data) {
    return data.unit === "size" ? `size (${units[data.workload] ?? "of the workload"})` : data.unit;
}

function describeSizes(data, quantity) {
    return (
        `${data.workload}: ${caption[quantity]} over ${sizeName(data)}. ` +
        data.curves
            .map(
                curve =>
                    `${curve.label}: ` +
                    curve.points
                        .map(point => {
                            const { value } = valueOf(point, quantity);
                            return `${format.size(point.size)} ${value > 0 ? show(value, quantity) : point.status.replaceAll("_", " ")}`;
                        })
                        .join(", "),
            )
            .join(". ")
    );
}
