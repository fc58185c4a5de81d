// SPDX-License-Identifier: MIT
/* compare.js - what changed between two results, by the command's own verdicts. */
import { html, table } from "./dom.js";
import * as format from "./format.js";
import { changeAxis, changeBar } from "./change_bar.js";
import { readMarkdown } from "./markdown.js";
import { isWideOnly, notes, resultTitle } from "./result.js";

/** The rows of the document in the order of the table, whose cells are the command's. */
function matchRow(document, row) {
    return document.rows.find(
        one =>
            one.name === row.NAME &&
            (one.variant ?? "") === (row.VARIANT ?? "") &&
            (row.DEVICE === undefined || one.device === row.DEVICE) &&
            (row.STEP ? one.step === row.STEP : one.kind !== "wall"),
    );
}

const classOf = verdict =>
    ({
        slower: "slower",
        "likely slower": "slower",
        faster: "faster",
        "likely faster": "faster",
        inconclusive: "inconclusive",
    })[verdict] ?? "same";

function showRows(result, parsed) {
    const { document } = result,
        effect = document.options.min_effect;
    const end = changeAxis(document.rows, effect);
    const bar = parsed.head.findIndex(name => name.startsWith("`"));
    const left = ["VERDICT", "NAME", "VARIANT", "DEVICE", "STEP", "REASON"];
    const columns = parsed.head.map((name, at) =>
        at === bar
            ? { name: `-${format.share(end)} .. +${format.share(end)}` }
            : {
                  name,
                  right: !left.includes(name),
                  only: name !== "95% INTERVAL" && isWideOnly(parsed, at) ? "wideonly" : null,
                  key: ["NAME", "VARIANT", "DEVICE", "STEP"].includes(name),
                  main: name === "CHANGE" || name === "RESIDUAL",
              },
    );
    const rows = parsed.rows.map(cells => {
        const row = Object.fromEntries(parsed.head.map((name, at) => [name, cells[at]]));
        const found = matchRow(document, row);
        return cells.map((cell, at) =>
            at === bar
                ? found
                    ? changeBar(found, end, effect)
                    : ""
                : parsed.head[at] === "VERDICT"
                  ? html("span", { class: classOf(cell) }, cell)
                  : cell,
        );
    });
    return table(columns, rows, `Changes, ${result.name}`);
}

/** A change of a row: percent, from ten times on a factor. */
function change(shift) {
    if (shift === null) return "-";
    return shift >= 9 || shift <= -0.9
        ? `${Number((1 + shift).toPrecision(3))}x`
        : `${shift > 0 ? "+" : ""}${(100 * shift).toFixed(1)} %`;
}

/** The table of a document that was loaded: the command reads no comparisons. */
function tableOf(document) {
    return {
        head: [
            "VERDICT",
            "NAME",
            "VARIANT",
            "DEVICE",
            "STEP",
            "BASELINE",
            "CONTENDER",
            "CHANGE",
            "95% INTERVAL",
            "`bar`",
        ],
        rows: document.rows.map(row => [
            row.verdict.replace("_", " "),
            row.name,
            row.variant ?? "",
            row.device ?? "",
            row.step,
            format.time(row.baseline_ns),
            format.time(row.contender_ns),
            change(row.shift),
            row.shift_ci95 ? row.shift_ci95.map(change).join(" .. ") : "-",
            "",
        ]),
    };
}

function parse(result) {
    if (result.markdown) return readMarkdown(result.markdown);
    const { document } = result;
    const counts = Object.entries(document.counts)
        .filter(([, count]) => count)
        .map(([name, count]) => `${count} ${name.replace("_", " ")}`);
    return {
        notes: [],
        tables: [tableOf(document)],
        verdict: `Overall ${document.verdict.replace("_", " ")}: ${counts.join(", ")}`,
    };
}

/** A document of kind `compare`. */
export function showComparison(result) {
    const parsed = parse(result);
    const words = parsed.notes.filter(text => /^(baseline|contender): |^note: /.test(text));
    const findings = parsed.notes.filter(text => !words.includes(text));
    return html(
        "article",
        { class: "result", "data-result": "compare", "data-verdict": result.document.verdict },
        resultTitle(result),
        html("p", { class: `verdict ${classOf(result.document.verdict.replace("_", " "))}` }, parsed.verdict),
        parsed.tables.map(one => showRows(result, one)),
        notes(findings),
        notes(words),
    );
}
