// SPDX-License-Identifier: MIT
/* figure_rows.js - the times of one size: a row for each, with its samples and interval. */
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
    text,
    tick_font,
    widthOf,
} from "./drawing.js";
import * as format from "./format.js";

/** A number in 0..1 that depends on its argument only. */
function scatter(index) {
    return (index * 0.6180339887) % 1;
}

export function drawRows(data, rows, width) {
    const shown = rows.filter(row => row.median_ns > 0);
    if (!shown.length) return null;
    const narrow = width < 480,
        step = 40;
    const inner = shown
        .flatMap(row => {
            const sorted = [...row.samples_ns].sort((a, b) => a - b);
            return [
                sorted[Math.floor(0.02 * (sorted.length - 1))],
                sorted[Math.ceil(0.95 * (sorted.length - 1))],
                row.low_ns,
                row.high_ns,
                row.median_ns,
            ];
        })
        .filter(value => value > 0);
    let low = Math.min(...inner),
        high = Math.max(...inner);
    const log = high / low >= 5;
    const margin = log ? 0 : Math.max((high - low) * 0.06, high * 0.002);
    [low, high] = log ? [low / 1.2, high * 1.2] : [low - margin, high + margin];
    const names = fit(
        shown.map(row => row.label),
        narrow ? 0.8 * width : 0.28 * width,
    );
    const left = narrow ? 8 : 12 + names.width;
    const box = { left, right: width - (narrow ? 10 : 20), top: 4, bottom: 4 + step * shown.length };
    const height = box.bottom + 36;
    const x = makeScale(low, high, box.left, box.right, log);
    const out = [];
    let last = -Infinity;
    for (const tick of log ? logTicks(low, high) : linearTicks(low, high, narrow ? 3 : 6)) {
        out.push(line("grid", x(tick), box.top, x(tick), box.bottom));
        const name = log ? format.shortTime(tick) : format.time(tick);
        const half = widthOf(name, tick_font) / 2;
        if (x(tick) - half > Math.max(last + 8, -8) && x(tick) + half < width + 4) {
            out.push(text("tick", x(tick), box.bottom + 15, "middle", name));
            last = x(tick) + half;
        }
    }
    out.push(
        path("frame", `M${box.left},${box.bottom}H${box.right}`),
        text(
            "axis",
            (box.left + box.right) / 2,
            height - 4,
            "middle",
            "time per dispatch; bar: 95 % interval, dots: samples",
        ),
    );
    shown.forEach((row, at) => {
        const top = box.top + at * step,
            middle = top + (narrow ? 26 : 20);
        const drawn = svg("g", { class: `c${Math.max(row.color, 0)}` });
        /* One path for all: each sample is a line of no length with round ends. */
        const dots = row.samples_ns
            .map((ns, index) =>
                ns >= low && ns <= high
                    ? `M${x(ns).toFixed(1)},${(middle + 8 * (2 * scatter(index + 1) - 1)).toFixed(1)}h0`
                    : "",
            )
            .join("");
        if (dots) drawn.append(path("samples", dots));
        const interval = row.low_ns > 0;
        if (interval) {
            const from = x(Math.max(row.low_ns, low)),
                to = x(Math.min(row.high_ns, high));
            drawn.append(
                rect("band", from, middle - 11, Math.max(to - from, 1), 22),
                path("interval", `M${from},${middle - 11}v22M${to},${middle - 11}v22`),
            );
        }
        drawn.append(
            marker(
                Math.max(row.color, 0),
                row.what,
                x(row.median_ns),
                middle,
                `${row.label}: ${format.time(row.median_ns)}`,
            ),
        );
        const beyond = row.samples_ns.filter(ns => ns > high).length;
        if (beyond) drawn.append(text("tick halo", box.right, middle + 4, "end", `${beyond} more →`));
        drawn.append(
            narrow
                ? text("name halo", box.left, top + 10, "start", names.labels[at])
                : text("name", box.left - 10, middle + 4, "end", names.labels[at]),
        );
        out.push(drawn);
    });
    return picture(
        width,
        height,
        out,
        `${data.workload}: ` +
            shown
                .map(
                    row =>
                        `${row.label} ${format.time(row.median_ns)}${row.low_ns > 0 ? `, 95 % interval ${format.time(row.low_ns)} to ${format.time(row.high_ns)}` : ""}`,
                )
                .join(". "),
    );
}
