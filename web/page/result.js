// SPDX-License-Identifier: MIT
/* result.js - shows one result: notes in the command's words, its tables, and figures. */
import { html, message, save, table } from "./dom.js";
import { spell } from "./engine.js";
import { figures } from "./figures.js";
import { halfInterval } from "./format.js";
import { readMarkdown } from "./markdown.js";

/** Columns that a phone leaves out. */
const wideOnly = new Set([
    "95% INTERVAL",
    "MEAN",
    "SAMPLES",
    "RUN-TO-RUN RANGE",
    "RUNS",
    "OVER BEST",
    "WALL SPEED-UP",
    "BASELINE",
    "CONTENDER",
    "REASON",
]);
const keys = new Set(["NAME", "VARIANT", "DEVICE", "STEP", "DIRECTION"]);

/** Whether a phone leaves out the column: it is of second rank, or tells nothing apart. */
export function isWideOnly(parsed, at) {
    return (
        wideOnly.has(parsed.head[at]) ||
        (parsed.head[at] === "VARIANT" && new Set(parsed.rows.map(row => row[at]).filter(Boolean)).size < 2)
    );
}

/** A note with its kind in front: "warning: ...". */
export function note(text) {
    const match = text.match(/^(error|warning|note|fastest|measured|advice): /);
    const kind = match?.[1] ?? "legend";
    const answer = kind === "fastest" || kind === "measured";
    return html(
        "li",
        { class: answer ? "answer" : kind },
        match && !answer ? [html("b", null, kind), " ", text.slice(match[0].length)] : text,
    );
}

export function notes(list) {
    return list.length ? html("ul", { class: "notes" }, list.map(note)) : null;
}

/** Finds the series or baseline that a row of the table shows. */
function findTime(document, row) {
    const baseline = document.baselines.find(
        one => one.name === row.DEVICE && `${one.workload}/${Object.values(one.params)[0]}` === row.NAME,
    );
    if (baseline) return baseline;
    const mine = document.series.filter(
        one =>
            one.name === row.NAME &&
            (one.variant ?? "") === (row.VARIANT ?? "") &&
            one.device === row.DEVICE &&
            one.kind !== "wall_timestamped",
    );
    const step = row.STEP ? mine.find(one => one.step === row.STEP) : mine.find(one => one.kind !== "wall");
    return step?.status === "ok" || step?.status === "partial" ? step : null;
}

/** The cells of ±95%, which stands in for the interval where there is little room. */
function halfIntervals(document, parsed) {
    if (!parsed.head.includes("95% INTERVAL") || document.series.some(series => series.run > 0)) return null;
    let last = {};
    return parsed.rows.map(cells => {
        const row = Object.fromEntries(parsed.head.map((name, at) => [name, cells[at]]).reverse());
        last = row.NAME ? row : { ...last, STEP: row.STEP };
        const time = findTime(document, last);
        return time ? halfInterval(time.median_ns, time.ci95_ns) : "";
    });
}

/** A table of the command. DEVICE is left out if all rows have the same: the notes name it. */
function showTable(document, parsed, label) {
    const half = document.document === "result" ? halfIntervals(document, parsed) : null;
    const device = parsed.head.indexOf("DEVICE");
    const values = new Set(parsed.rows.map(row => row[device]).filter(Boolean));
    const kept = parsed.head.map((name, at) => at).filter(at => at !== device || values.size > 1);
    const columns = kept.map(at => ({
        name: parsed.head[at],
        right: parsed.right?.[at],
        only: isWideOnly(parsed, at) && (half || parsed.head[at] !== "95% INTERVAL") ? "wideonly" : null,
        key: keys.has(parsed.head[at]),
        main: parsed.head[at] === "DEVICE TIME" && at > 0,
    }));
    const rows = parsed.rows.map(row => kept.map(at => row[at] ?? ""));
    const place = columns.findIndex(column => column.name === "95% INTERVAL");
    if (half && place >= 0) {
        columns.splice(place, 0, { name: "±95%", right: true, only: "narrow" });
        rows.forEach((row, at) => row.splice(place, 0, half[at]));
    }
    return table(columns, rows, label);
}

/** Buttons that copy say so for a while. */
function copyButton(label, text) {
    const button = html(
        "button",
        {
            type: "button",
            class: "small",
            onclick: async () => {
                try {
                    await navigator.clipboard.writeText(text);
                    button.textContent = "Copied";
                } catch {
                    button.textContent = "Not allowed";
                }
                setTimeout(() => (button.textContent = label), 2000);
            },
        },
        label,
    );
    return button;
}

/** The buttons that every result has. */
export function resultTitle(result, level = "h3") {
    return html(
        "div",
        { class: "title" },
        html(level, null, result.name),
        html(
            "button",
            { type: "button", class: "small", "data-save": true, onclick: () => save(result.file, result.json) },
            "Save JSON",
        ),
        result.markdown ? copyButton("Copy Markdown", result.markdown) : null,
    );
}

/** A result of `bench`, `copy` or `run`, or of any other command that writes tables. */
export function showResult(result) {
    const parsed = readMarkdown(result.markdown);
    const { messages, document } = result;
    const legend = parsed.notes.filter(text => !/^(error|warning|note): /.test(text));
    const findings = parsed.notes.filter(text => /^(error|warning|note): /.test(text));
    return html(
        "article",
        { class: "result", "data-result": document.document },
        resultTitle(result),
        result.words ? html("p", { class: "command mono" }, spell(result.words)) : null,
        result.remarks.map(remark => message("warning", remark)),
        messages.failures.length
            ? message(
                  "error",
                  messages.failures[0].replace(/^kerntime( \w+)?: /, ""),
                  messages.failures.slice(1).join("\n") || null,
              )
            : null,
        notes(messages.answers),
        parsed.tables.map(one => showTable(document, one, `Results of ${result.name}`)),
        parsed.rest.length ? html("pre", null, parsed.rest.join("\n")) : null,
        notes([...findings, ...messages.advice.map(text => `advice: ${text}`)]),
        notes(legend),
        showGuesses(messages.guesses),
        document.document === "result" ? figures(document) : null,
    );
}

/** What each argument got, as `run` tells it: a line for each kernel. */
function showGuesses(lines) {
    const byText = new Map();
    for (const line of lines) {
        const [, file, text] = line.match(/^(.*?): (.*)$/s);
        byText.set(text, [...(byText.get(text) ?? []), file]);
    }
    return [...byText].map(([text, files]) =>
        html(
            "details",
            { open: true, "data-guesses": true },
            html("summary", null, `What ${files.join(" and ")} got`),
            html(
                "ul",
                null,
                text.split("; ").map(one => html("li", { class: "mono" }, one)),
            ),
        ),
    );
}
