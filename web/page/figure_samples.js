// SPDX-License-Identifier: MIT
/* figure_samples.js - samples in the order taken: a trend, two clusters or a disturbance is seen at once. */
import { svg } from "./dom.js";
import { line, makeScale, path, picture, rect, text } from "./drawing.js";
import * as format from "./format.js";

const panel = 96,
    gap = 12;

/** The range that nearly all samples and the interval lie in. */
function rangeOf(row) {
    const sorted = [...row.samples_ns].sort((a, b) => a - b),
        at = share => sorted[Math.round(share * (sorted.length - 1))];
    const low = Math.min(at(0.01), row.low_ns || Infinity),
        high = Math.max(at(0.97), row.high_ns || 0);
    const margin = Math.max((high - low) * 0.08, high * 0.001);
    return [Math.max(low - margin, 0), high + margin];
}

function drawPanel(row, top, width) {
    const [low, high] = rangeOf(row),
        samples = row.samples_ns;
    const box = { left: 68, right: width - 8, top: top + 18, bottom: top + panel };
    const x = makeScale(0, samples.length - 1 || 1, box.left + 4, box.right - 4, false);
    const y = makeScale(low, high, box.bottom - 2, box.top + 2, false);
    const inside = ns => Math.min(Math.max(ns, low), high);
    const dots = samples.map((ns, at) => `M${x(at).toFixed(1)},${y(inside(ns)).toFixed(1)}h0`).join("");
    return svg(
        "g",
        { class: `c${Math.max(row.color, 0)}` },
        text("name", box.left, top + 12, "start", row.title),
        row.low_ns > 0
            ? rect("band", box.left, y(row.high_ns), box.right - box.left, Math.max(y(row.low_ns) - y(row.high_ns), 1))
            : null,
        line("curve", box.left, y(row.median_ns), box.right, y(row.median_ns)),
        path("samples", dots),
        path("frame", `M${box.left},${box.top}V${box.bottom}H${box.right}`),
        text("tick", box.left - 6, box.top + 9, "end", format.time(high)),
        text("tick", box.left - 6, box.bottom, "end", format.time(low)),
    );
}

/** Rows with at least two samples, one below the other. Samples beyond the axis stand at its ends. */
export function drawSamples(rows, width) {
    const content = rows.map((row, at) => drawPanel(row, at * (panel + gap), width));
    const height = rows.length * (panel + gap) + 18;
    content.push(text("axis", width / 2, height - 4, "middle", "sample number; line: median, band: 95 % interval"));
    const description = rows.map(row => `${row.title}: ${row.samples_ns.length} samples`).join(". ");
    return picture(width, height, content, `Samples in the order taken. ${description}`);
}
