// SPDX-License-Identifier: MIT
/* change_bar.js - the interval of a change, as a small bar in a row of a comparison. */
import { svg } from "./dom.js";
import { line, path, rect } from "./drawing.js";

/** An axis for all changes of a comparison: at least three of four rows fit on it. */
export function changeAxis(rows, effect) {
    const ends = rows
        .filter(row => row.shift_ci95)
        .map(row => Math.max(...row.shift_ci95.map(Math.abs)))
        .sort((a, b) => a - b);
    const need = Math.max(ends[Math.ceil(0.75 * ends.length) - 1] ?? 0, 3 * effect);
    return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].find(end => end >= need) ?? need;
}

/** The interval of a row as a small bar. */
export function changeBar(row, end, effect) {
    const width = 150,
        height = 16,
        middle = 8;
    const at = value => 4 + ((Math.min(Math.max(value, -end), end) + end) / (2 * end)) * (width - 8);
    const color = { slower: 1, likely_slower: 1, faster: 0, likely_faster: 0 }[row.verdict] ?? 4;
    const out = [
        line("grid", at(-effect), 2, at(-effect), 14),
        line("grid", at(effect), 2, at(effect), 14),
        line("frame", at(0), 0, at(0), 16),
    ];
    if (row.shift !== null && row.shift_ci95) {
        const [from, to] = row.shift_ci95;
        const bar = svg(
            "g",
            { class: `c${color}` },
            rect("band", at(from), middle - 4, Math.max(at(to) - at(from), 1), 8),
            svg("circle", { class: "point", cx: at(row.shift), cy: middle, r: 2.6 }),
        );
        if (to > end) bar.append(path("interval", `M${width - 5},4l4,4l-4,4`));
        if (from < -end) bar.append(path("interval", "M5,4l-4,4l4,4"));
        out.push(bar);
    }
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, out);
}
