// SPDX-License-Identifier: MIT
/* dom.js - makes elements. Text is always set as text: files that users load are not trusted. */

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
    return element;
}

/** An HTML element. Attributes that begin with "on" are listeners. */
export function html(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
    return document.getElementById(id);
}

/** A message of one kind: "note", "warning" or "error"; the details are shown as they are. */
export function message(kind, sentence, details) {
    return html(
        "div",
        { class: `message ${kind}`, role: kind === "error" ? "alert" : "status" },
        html("div", null, sentence),
        details ? html("pre", null, details) : null,
    );
}

/** A table that scrolls inside itself. `columns` are {name, right, only, main, key, wrap}. */
export function table(columns, rows, label) {
    const classes = column =>
        [column.right && "right", column.only, column.main && "main", column.key && "key", column.wrap && "wrap"]
            .filter(Boolean)
            .join(" ") || null;
    return html(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
        html(
            "table",
            null,
            html(
                "thead",
                null,
                html(
                    "tr",
                    null,
                    columns.map(column => html("th", { scope: "col", class: classes(column) }, column.name)),
                ),
            ),
            html(
                "tbody",
                null,
                rows.map(row =>
                    html(
                        "tr",
                        null,
                        row.map((cell, at) => html("td", { class: classes(columns[at]) }, cell)),
                    ),
                ),
            ),
        ),
    );
}

/** Offers text as a file. */
export function save(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = html("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
}
