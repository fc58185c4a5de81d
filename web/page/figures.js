// SPDX-License-Identifier: MIT
/* figures.js - the figures of a document, which are drawn at their true width. */
import { html } from "./dom.js";
import { drawRows } from "./figure_rows.js";
import { drawSamples } from "./figure_samples.js";
import { drawSizes } from "./figure_sizes.js";
import { plotData, quantities } from "./plot_data.js";

/** Draws into `place` at its width, and again when that changes. */
function keepDrawn(place, draw) {
    let drawn = 0;
    const redraw = () => {
        const width = Math.round(place.clientWidth);
        if (width && width !== drawn) {
            drawn = width;
            place.replaceChildren(draw(width) ?? html("p", { class: "quiet" }, "No time to draw."));
        }
    };
    new ResizeObserver(() => requestAnimationFrame(redraw)).observe(place); /* not while it observes */
    return () => {
        drawn = 0;
        redraw();
    };
}

let pickers = 0;

function sizesFigure(data) {
    const choices = quantities(data);
    let quantity = choices[0];
    const place = html("div");
    const redraw = keepDrawn(place, width => drawSizes(data, quantity, width));
    const picker = `quantity-${pickers++}`;
    return html(
        "figure",
        { "data-figure": data.workload },
        html(
            "div",
            { class: "pick" },
            html("strong", null, data.workload),
            choices.length < 2
                ? null
                : html(
                      "label",
                      { for: picker },
                      "y axis ",
                      html(
                          "select",
                          {
                              id: picker,
                              onchange: event => {
                                  quantity = event.target.value;
                                  redraw();
                              },
                          },
                          choices.map(choice => html("option", null, choice)),
                      ),
                  ),
        ),
        place,
        html(
            "figcaption",
            null,
            data.runs > 1 ? "Bars: lowest to highest run." : "Bars: 95 % intervals.",
            " Filled: device time; open, dashed: wall time.",
        ),
    );
}

/** The rows but gaps. Of many variants, no wall times; the fastest are blue, the others grey. */
function rowsToDraw(data) {
    const many = data.curves.length > 4,
        hasDevice = data.rows.some(row => row.what === "device" && row.median_ns > 0);
    const ranked = data.rows.some(row => row.fastest),
        fast = new Set(data.rows.filter(row => row.fastest).map(row => row.variant));
    return data.rows
        .filter(row => row.step !== "gaps" && !(many && hasDevice && row.what === "wall"))
        .map(row => (ranked ? { ...row, color: fast.has(row.variant) ? 0 : 4 } : row));
}

function rowsFigure(data) {
    const place = html("div");
    const rows = rowsToDraw(data);
    keepDrawn(place, width => drawRows(data, rows, width));
    return html(
        "figure",
        { "data-figure": data.workload },
        html("div", { class: "pick" }, html("strong", null, data.rows[0]?.name ?? data.workload)),
        place,
    );
}

const samples_rows_max = 24;

/** The samples of device times, or of wall times where there are no others; drawn when opened. */
function samplesFigure(all) {
    const rows = all
        .flatMap(data =>
            data.rows.map(row => ({ ...row, title: `${row.name} ${row.label}`.replace(" device time", "") })),
        )
        .filter(row => row.median_ns > 0 && row.samples_ns.length > 1 && row.step !== "gaps");
    const device = rows.filter(row => row.what === "device");
    const shown = (device.length ? device : rows).slice(0, samples_rows_max);
    if (!shown.length) return null;
    const place = html("div");
    keepDrawn(place, width => drawSamples(shown, width));
    return html(
        "details",
        { "data-samples": true },
        html("summary", null, "Samples in the order taken"),
        html("figure", null, place),
    );
}

/** All figures of a document of kind `result`. Null: nothing to draw. */
export function figures(document) {
    const all = plotData(document).filter(data => data.rows.some(row => row.median_ns > 0));
    return all.length
        ? html(
              "div",
              null,
              html(
                  "div",
                  { class: "plots" },
                  all.map(data => (data.sizes.length > 1 ? sizesFigure(data) : rowsFigure(data))),
              ),
              samplesFigure(all),
          )
        : null;
}
