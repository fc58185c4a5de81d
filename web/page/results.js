// SPDX-License-Identifier: MIT
/* results.js - all results of this page, measured or loaded. Sections listen for "change". */

/**
 * @typedef {object} Result
 * @property {number} id
 * @property {string} name for a reader
 * @property {string} file name of its file
 * @property {string} json text of its file
 * @property {object} document
 * @property {string} markdown what the command wrote of it
 * @property {object} messages what the command said
 * @property {string[]} remarks of the page
 * @property {string[]|null} words of the command. null: loaded from a file
 */

export const results = new EventTarget();
results.all = [];
let next = 1;

/** Listeners get the result that is new as `detail`. */
function tell(added = null) {
    results.dispatchEvent(new CustomEvent("change", { detail: added }));
}

export function addResult(entry) {
    const result = { remarks: [], ...entry, id: next++ };
    result.name = entry.name ?? titleOf(result.document);
    result.file = entry.file ?? fileName(result.document);
    results.all.push(result);
    tell(result);
    return result;
}

export function removeResult(result) {
    results.all.splice(results.all.indexOf(result), 1);
    tell();
}

function unique(values) {
    return [...new Set(values)];
}

/** What was measured. */
export function subjectOf(document) {
    const names = unique((document.series ?? []).map(series => series.workload));
    return names.length ? names.join(", ") : document.document;
}

/** What was measured, and where. */
export function titleOf(document) {
    const ids = unique((document.devices ?? []).map(device => device.id));
    return `${subjectOf(document)}${ids.length ? ` on ${ids.join(", ")}` : ""}`;
}

function word(text) {
    return text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 40);
}

/** Name of a file: what, when, and on which device. */
export function fileName(document) {
    const at = new Date(document.started),
        date = Number.isNaN(at.getTime()) ? new Date() : at;
    const stamp = date.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
    const device = document.devices?.[0];
    return (
        ["kerntime", word(subjectOf(document)), stamp, device && word(device.name || device.id)]
            .filter(Boolean)
            .join("-") + ".json"
    );
}
