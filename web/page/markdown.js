// SPDX-License-Identifier: MIT
/* markdown.js - reads what `--markdown` of the command writes: notes, tables and a verdict. */

function unescape(text) {
    return text.replace(/<br>/g, "\n").replace(/\\([\\|*_[\]<>#~&`$])/g, "$1");
}

function cells(line) {
    return line
        .replace(/^\| ?/, "")
        .replace(/ ?\|$/, "")
        .split(/(?<!\\)\|/)
        .map(cell => unescape(cell.trim()));
}

/**
 * @param {string} text
 * @returns {{notes: string[], tables: {head: string[], right: boolean[], rows: string[][]}[],
 *     verdict: string|null, rest: string[]}} `rest`: lines of no such kind
 */
export function readMarkdown(text) {
    const out = { notes: [], tables: [], verdict: null, rest: [] };
    let table = null,
        isPlain = false; /* between lines of "```" */
    for (const line of text.split("\n")) {
        if (line.startsWith("```")) {
            isPlain = !isPlain;
            continue;
        }
        if (isPlain) {
            out.rest.push(line);
            continue;
        }
        if (line.startsWith("|")) {
            if (!table) out.tables.push((table = { head: cells(line), right: null, rows: [] }));
            else if (!table.right) table.right = cells(line).map(rule => rule.endsWith(":"));
            else table.rows.push(cells(line));
            continue;
        }
        table = null;
        if (line.startsWith("- ")) out.notes.push(unescape(line.slice(2)));
        else if (line.startsWith("**")) out.verdict = unescape(line.replace(/^\*\*|\*\*$/g, ""));
        else if (line.trim() && !/^<\/?details>/.test(line)) out.rest.push(unescape(line));
    }
    return out;
}
