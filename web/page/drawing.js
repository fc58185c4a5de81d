// SPDX-License-Identifier: MIT
/*
 * drawing.js - what all figures share: elements of SVG, widths of texts, axes, markers. Colours are
 * classes (page.css), so both themes and print have their own.
 */
import { svg } from "./dom.js";

/* ---- elements ---- */

export function line(name, x1, y1, x2, y2) {
    return svg("line", { class: name, x1, y1, x2, y2 });
}

export function path(name, d) {
    return svg("path", { class: name, d });
}

export function rect(name, x, y, width, height) {
    return svg("rect", { class: name, x, y, width, height });
}

export function text(name, x, y, anchor, content) {
    return svg("text", { class: name, x, y, "text-anchor": anchor }, content);
}

/** A whole figure. The description is all that a screen reader tells of it. */
export function picture(width, height, content, description) {
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": description }, content);
}

/* ---- texts ---- */

const label_font = '600 12px system-ui, "DejaVu Sans", sans-serif';
export const tick_font = '11px system-ui, "DejaVu Sans", sans-serif';
const canvas = document.createElement("canvas").getContext("2d");
export function widthOf(text, font) {
    canvas.font = font;
    return canvas.measureText(text).width;
}

/** Shortens a label to a width. */
function cut(text, width) {
    if (widthOf(text, label_font) <= width) return text;
    let length = text.length;
    while (length > 1 && widthOf(`${text.slice(0, length)}…`, label_font) > width) length--;
    return `${text.slice(0, length)}…`;
}

/** Labels that fit into a share of the figure, and how wide they are. */
export function fit(texts, width) {
    const labels = texts.map(text => cut(text, width));
    return { labels, width: Math.max(...labels.map(text => widthOf(text, label_font))) };
}

/* ---- axes ---- */

/** Ticks at 1, 2 and 5 of each decade, or at powers of ten if there are many. */
export function logTicks(low, high) {
    const decades = Math.log10(high / low),
        ticks = [];
    for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++)
        for (const digit of decades > 3 ? [1] : [1, 2, 5]) ticks.push(digit * 10 ** exponent);
    return ticks.filter(tick => tick >= low * 0.999 && tick <= high * 1.001);
}

export function linearTicks(low, high, most) {
    const rough = (high - low) / most,
        decade = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(digit => digit * decade).find(size => size >= rough);
    const ticks = [];
    for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high * (1 + 1e-9); tick += step)
        ticks.push(Math.abs(tick) < step / 1e6 ? 0 : tick);
    return ticks;
}

export function makeScale(low, high, from, to, log) {
    const turn = log ? Math.log : value => value;
    const begin = turn(low),
        span = turn(high) - begin || 1;
    return value => from + ((turn(value) - begin) / span) * (to - from);
}

/* ---- points ---- */

const shapes = [
    (x, y, r) => svg("circle", { cx: x, cy: y, r }),
    (x, y, r) => svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }),
    (x, y, r) => svg("path", { d: `M${x},${y - 1.3 * r}L${x + 1.2 * r},${y + r}H${x - 1.2 * r}Z` }),
    (x, y, r) =>
        svg("path", { d: `M${x},${y - 1.4 * r}L${x + 1.4 * r},${y}L${x},${y + 1.4 * r}L${x - 1.4 * r},${y}Z` }),
    (x, y, r) => svg("path", { d: `M${x},${y + 1.3 * r}L${x + 1.2 * r},${y - r}H${x - 1.2 * r}Z` }),
    (x, y, r) => svg("path", { d: `M${x - r},${y}H${x + r}M${x},${y - r}V${y + r}` }),
];

export function marker(color, what, x, y, title) {
    const point = shapes[color](x, y, 3.6);
    point.setAttribute("class", `point ${what}`);
    point.append(svg("title", null, title));
    return point;
}

/** Moves labels apart so that none covers another. */
export function spread(labels, top, bottom, distance) {
    labels.sort((a, b) => a.y - b.y);
    for (let i = 1; i < labels.length; i++) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + distance);
    let limit = bottom;
    for (let i = labels.length - 1; i >= 0; i--) {
        labels[i].y = Math.max(top, Math.min(labels[i].y, limit));
        limit = labels[i].y - distance;
    }
}
