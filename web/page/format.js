// SPDX-License-Identifier: MIT
/* format.js - numbers as the command prints them. */

/** A duration with four digits: "12.34 us". */
export function time(ns) {
    if (ns === null || ns === undefined || Number.isNaN(ns)) return "-";
    const units = ["ns", "us", "ms", "s"];
    let unit = 0;
    for (; unit < 3 && Math.abs(ns) >= 999.95; unit++) ns /= 1000;
    const size = Math.abs(ns);
    const decimals = size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
    return `${ns.toFixed(unit === 0 && size >= 9.9995 ? 1 : decimals)} ${units[unit]}`;
}

/** A duration of an axis or a remaining time: "12 us". */
export function shortTime(ns) {
    const units = ["ns", "us", "ms", "s"];
    let unit = 0;
    for (; unit < 3 && Math.abs(ns) >= 999.5; unit++) ns /= 1000;
    return `${Number(ns.toPrecision(3))} ${units[unit]}`;
}

/** A share as percent: "0.3 %". */
export function share(value) {
    if (value >= 10) return `a factor of ${Number((1 + value).toPrecision(value < 9999 ? 4 : 2))}`;
    const percent = 100 * value,
        size = Math.abs(percent);
    const digits =
        size >= 9.95 || size === 0
            ? percent.toFixed(0)
            : size >= 0.095
              ? percent.toFixed(1)
              : String(Number(percent.toPrecision(1)));
    return `${digits} %`;
}

/** Distance of the interval's farther end from the median: "±0.3 %", "-" if there is none. */
export function halfInterval(median, interval) {
    if (!interval || !(median > 0)) return "-";
    return `±${share(Math.max(interval[1] - median, median - interval[0]) / median)}`;
}

/** GB/s or GFLOP/s with four digits. */
export function rate(value) {
    return value >= 999.95
        ? value.toFixed(0)
        : value >= 99.995
          ? value.toFixed(1)
          : value >= 9.9995
            ? value.toFixed(2)
            : value >= 0.09995
              ? value.toFixed(3)
              : value.toPrecision(3);
}

/** Bytes in units of 1024. */
export function bytes(count) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    for (; unit < 4 && count >= 1024; unit++) count /= 1024;
    return `${unit ? Number(count.toFixed(1)) : count} ${units[unit]}`;
}

/** A count with separators: "1,048,576". */
export function count(value) {
    return value.toLocaleString("en");
}

/** A size of an axis: "64", "1Mi". */
export function size(value) {
    const units = ["", "Ki", "Mi", "Gi"];
    let unit = 0;
    for (; value >= 100000 / 1024 ** unit && value % 1024 === 0 && unit < 3; unit++) value /= 1024;
    return `${Number(value.toPrecision(6))}${units[unit]}`;
}
