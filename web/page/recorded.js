// SPDX-License-Identifier: MIT
/* recorded.js - shows what a program recorded of itself: the statistics by name of a registry. */
import { html, table } from "./dom.js";
import * as format from "./format.js";
import { resultTitle } from "./result.js";

const columns = [
    { name: "NAME", key: true },
    ...["CALLS", "TOTAL", "MIN", "MEDIAN", "P95", "MAX"].map(name => ({ name, right: true, main: name === "MEDIAN" })),
];

/** A document of kind `registry`. Of a `trace` only the title: its tables are those of the command that wrote it. */
export function showRecorded(result) {
    const { document } = result;
    const rows =
        document.document === "registry"
            ? document.rows.map(row => [
                  row.name,
                  format.count(row.n),
                  ...[row.total_ns, row.min_ns, row.p50_ns, row.p95_ns, row.max_ns].map(format.time),
              ])
            : [];
    return html(
        "article",
        { class: "result", "data-result": document.document },
        resultTitle(result),
        rows.length
            ? table(columns, rows, `Times of ${result.name}`)
            : html("p", { class: "quiet" }, "It can be compared with another one."),
    );
}
