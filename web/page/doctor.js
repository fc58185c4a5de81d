// SPDX-License-Identifier: MIT
/* doctor.js - what the clock can measure, and each check with what was seen, means and to do. */
import { byId, html, message } from "./dom.js";
import { selected } from "./devices.js";
import * as engine from "./engine.js";
import * as format from "./format.js";
import { spell } from "./engine.js";
import { resultTitle } from "./result.js";
import { addResult } from "./results.js";
import { commandFailure, isBusy, runTask } from "./task.js";

const words = { good: "good", note: "note", warning: "WARNING", fault: "FAULT" };

/** From this resolution on a clock whose ticks are shorter is called quantised. */
const quantised_ns = 1000,
    quantised_ticks = 10;

function fact(name, value, small, bad) {
    return html(
        "div",
        { class: bad ? "bad" : null, "data-fact": name },
        html("dt", null, name),
        html("dd", null, value, small ? html("small", null, small) : null),
    );
}

/** The shortest kernel of which a difference of this share can be shown: see docs/doctor.md. */
function shortestFor(values, share) {
    const exact = (values.min_span_ns ?? 0) + (values.resolution_ns + 2 * (values.jitter_ns ?? 0)) / share;
    const unit = 10 ** (Math.floor(Math.log10(exact)) - 1);
    return Math.ceil(exact / unit - 1e-9) * unit; /* two digits, as the command rounds it */
}

function facts(checks, device) {
    const find = name => checks.find(one => one.check === name)?.values ?? {};
    const resolution_ns = find("resolution").resolution_ns ?? device.resolution_ns;
    const min_span_ns = find("min_span").min_span_ns ?? device.min_span_ns;
    const overhead = find("timestamp_overhead"),
        shortest = find("shortest");
    if (!resolution_ns)
        return html(
            "dl",
            { class: "facts" },
            fact("Device time", "none", device.untrusted ?? "only wall time can be measured", true),
        );
    const tick_ns = find("resolution").tick_ns ?? 1;
    const coarse = resolution_ns >= quantised_ns && resolution_ns >= quantised_ticks * tick_ns;
    const noise = overhead.timestamp_overhead_ns <= (overhead.timestamp_overhead_error_ns ?? 0);
    return html(
        "dl",
        { class: "facts" },
        fact(
            "Clock resolution",
            format.time(resolution_ns),
            `one step; 1 % needs ${format.shortTime(100 * resolution_ns)} between timestamps`,
            coarse,
        ),
        fact(
            "Clock quantised",
            coarse ? "yes" : "no",
            coarse
                ? `steps of ${format.time(resolution_ns)}; Chrome: off with chrome://flags/#enable-webgpu-developer-features`
                : `steps of ${format.time(resolution_ns)}`,
            coarse,
        ),
        fact(
            "Shortest measurable span",
            min_span_ns === null || min_span_ns === undefined
                ? "unknown"
                : min_span_ns < resolution_ns
                  ? `< ${format.time(resolution_ns)}`
                  : format.time(min_span_ns),
            "shorter kernels are shown as < x",
        ),
        fact(
            "Timestamp overhead",
            overhead.timestamp_overhead_ns === undefined
                ? "unknown"
                : noise
                  ? "below noise"
                  : format.time(overhead.timestamp_overhead_ns),
            "of a submission, as the host sees it",
        ),
        shortest.resolution_ns
            ? fact(
                  "Shortest kernel to rank, 1 %",
                  format.shortTime(shortestFor(shortest, 0.01)),
                  "a difference of 1 % can be shown",
              )
            : null,
        shortest.resolution_ns
            ? fact(
                  "Shortest kernel to rank, 10 %",
                  format.shortTime(shortestFor(shortest, 0.1)),
                  "a difference of 10 % can be shown",
              )
            : null,
    );
}

function showCheck(check) {
    const body =
        check.severity === "good"
            ? html("div", { class: "body" }, check.seen)
            : html(
                  "dl",
                  { class: "body" },
                  [
                      ["seen", check.seen],
                      ["means", check.means],
                      ["do", check.advice],
                  ]
                      .filter(([, text]) => text)
                      .map(([name, text]) => [html("dt", null, name), html("dd", null, text)]),
              );
    const kind = { fault: "fault", warning: "warning-word", good: "good" }[check.severity];
    return html(
        "div",
        { "data-check": check.check, "data-severity": check.severity },
        html("span", { class: kind }, words[check.severity] ?? check.severity),
        html("span", { class: "check" }, check.check),
        body,
    );
}

/** A document of kind `doctor`. */
export function showDoctor(result) {
    const { document } = result;
    return html(
        "article",
        { class: "result", "data-result": "doctor" },
        resultTitle(result),
        result.words ? html("p", { class: "command mono" }, spell(result.words)) : null,
        result.remarks.map(remark => message("warning", remark)),
        document.devices.map(device => {
            const checks = document.diagnostics.filter(one => one.device === device.id);
            const rank = ["fault", "warning", "note", "good"];
            const sorted = [...checks]
                .filter(check => check.check !== "shortest")
                .sort((a, b) => rank.indexOf(a.severity) - rank.indexOf(b.severity));
            const last = checks.find(check => check.check === "shortest");
            return [
                document.devices.length > 1 ? html("h4", null, `${device.id} ${device.name}`) : null,
                facts(checks, device),
                html("div", { class: "checks" }, sorted.map(showCheck)),
                last ? html("p", { class: "quiet" }, `${last.seen}.${last.means ? ` ${last.means}.` : ""}`) : null,
            ];
        }),
    );
}

export function start() {
    byId("doctor-form").addEventListener("submit", async event => {
        event.preventDefault();
        if (isBusy()) return;
        const place = byId("doctor-run");
        let failure = null;
        await runTask(place, "Checking the clock", async options => {
            const value = await engine.measure(["doctor", "-d", selected.id], options);
            if (value.document)
                byId("doctor-result").replaceChildren(showDoctor(addResult({ ...value, remarks: options.remarks() })));
            if (value.code !== 0 && !(value.document && options.signal.aborted))
                failure = commandFailure(value.document ? "a check could not be made: see below" : "", value.stderr);
        });
        if (failure) place.append(failure);
    });
}
