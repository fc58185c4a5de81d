// SPDX-License-Identifier: MIT
/* files.js - results as files: save, load, show, compare. */
import { byId, html, message, save, table } from "./dom.js";
import { showComparison } from "./compare.js";
import { showDoctor } from "./doctor.js";
import * as engine from "./engine.js";
import { showRecorded } from "./recorded.js";
import { showResult } from "./result.js";
import { addResult, removeResult, results } from "./results.js";
import { commandFailure } from "./task.js";

const largest_bytes = 256 << 20;
const chosen = { baseline: null, contender: null };

let isPicked = false; /* the user chose the baseline, which then stays */

const canCompare = result => ["result", "registry", "trace"].includes(result.document.document);

/** How kinds of document are shown. The others are tables of the command. */
const shows = { doctor: showDoctor, compare: showComparison, registry: showRecorded, trace: showRecorded };

/** The command has no tables of these, and reads the last two to compare them. */
const withoutTables = ["compare", "registry", "trace"];

function show(result) {
    const kind = result.document.document;
    const view = (shows[kind] ?? showResult)(result);
    byId("files-view").replaceChildren(view);
    return view;
}

/* ---- the list ---- */

const workloadsOf = result =>
    new Set((result.document.series ?? result.document.rows ?? []).map(row => row.workload ?? row.name));

function shareWork(one, other) {
    const names = workloadsOf(one);
    return one !== other && [...workloadsOf(other)].some(name => names.has(name));
}

/** A new result becomes the contender of the latest one that has the same workload. */
function choose(added) {
    if (!canCompare(added)) return;
    const keeps = isPicked && chosen.baseline && shareWork(chosen.baseline, added);
    const peer = keeps ? chosen.baseline : results.all.findLast(other => canCompare(other) && shareWork(other, added));
    chosen.baseline = peer ?? chosen.baseline ?? added;
    chosen.contender = peer ? added : chosen.contender;
}

function side(result, which) {
    if (!canCompare(result)) return "";
    const box = html("input", {
        type: "radio",
        name: which,
        value: result.id,
        "aria-label": `${which}: ${result.name}`,
        onchange: () => {
            chosen[which] = result;
            isPicked = which === "baseline" || isPicked;
            updateForm();
        },
    });
    box.checked = chosen[which] === result;
    return box;
}

/** The list is drawn anew: the focus goes to it, or to the button that loads. */
function remove(result) {
    removeResult(result);
    (byId("files-list").querySelector(".scroll") ?? byId("files-input")).focus();
}

function drawList() {
    for (const which of ["baseline", "contender"])
        if (chosen[which] && !results.all.includes(chosen[which])) chosen[which] = null;
    const button = (label, does, more = {}) =>
        html("button", { type: "button", class: "small", onclick: does, ...more }, label);
    const columns = [
        { name: "BASELINE" },
        { name: "CONTENDER" },
        { name: "RESULT", wrap: true },
        { name: "STARTED", only: "wideonly" },
    ];
    const rows = results.all.map(result => [
        side(result, "baseline"),
        side(result, "contender"),
        html(
            "div",
            { class: "entry" },
            html(
                "span",
                null,
                html("strong", null, result.name),
                result.from ? html("span", { class: "quiet" }, ` ${result.from}`) : null,
            ),
            html(
                "span",
                { class: "buttons" },
                button("Show", () => show(result).scrollIntoView({ block: "nearest" }), {
                    "data-show": result.id,
                    "aria-label": `Show ${result.name}`,
                }),
                button("Save", () => save(result.file, result.json), { "aria-label": `Save ${result.name}` }),
                button("Remove", () => remove(result), { "aria-label": `Remove ${result.name}` }),
            ),
        ),
        String(result.document.started ?? result.document.written ?? "").replace("T", " "),
    ]);
    byId("files-list").replaceChildren(...(rows.length ? [table(columns, rows, "Results")] : []));
    updateForm();
}

function updateForm() {
    const { baseline, contender } = chosen;
    byId("compare-form").hidden = results.all.filter(canCompare).length < 2;
    byId("compare-hint").textContent =
        baseline && contender && baseline === contender ? "Baseline and contender are one result." : "";
}

/* ---- loading ---- */

/** Reads one file. Returns a sentence if it is no result, else null. */
async function load(file) {
    if (file.size > largest_bytes)
        return commandFailure(`${file.name} has more than 256 MiB: no result is that large`, "");
    const json = await file.text();
    let document;
    try {
        document = JSON.parse(json);
    } catch (error) {
        return commandFailure(`${file.name} is no JSON: ${error.message}`, "");
    }
    if (document?.schema !== "kerntime/1")
        return commandFailure(`${file.name} is no result of kerntime: "schema" is not "kerntime/1"`, "");
    const value = withoutTables.includes(document.document)
        ? { json, document, markdown: "", words: null, messages: null }
        : await engine.read(json);
    if (!value.document) return commandFailure("", value.stderr.replaceAll("file.json", file.name));
    const result = addResult({ ...value, from: file.name, file: file.name });
    try {
        show(result);
    } catch (error) {
        removeResult(result);
        return commandFailure(`${file.name} is incomplete: ${error.message}`, "");
    }
    return null;
}

async function loadAll(files) {
    const place = byId("files-message");
    place.replaceChildren();
    let loaded = 0;
    for (const file of files) {
        const failure = await load(file).catch(error => commandFailure(`${file.name}: ${error.message}`, ""));
        if (failure) place.append(failure);
        else loaded++;
    }
    if (loaded) place.append(html("div", { class: "unseen", role: "status" }, `${loaded} loaded`));
}

function acceptDrops() {
    const hasFiles = event => event.dataTransfer?.types.includes("Files");
    let depth = 0;
    const mark = change => {
        depth = Math.max(0, depth + change);
        document.body.classList.toggle("dropping", depth > 0);
    };
    addEventListener("dragenter", event => hasFiles(event) && mark(1));
    addEventListener("dragleave", event => hasFiles(event) && mark(-1));
    addEventListener("dragover", event => hasFiles(event) && event.preventDefault());
    addEventListener("drop", event => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        mark(-depth);
        byId("files").scrollIntoView();
        loadAll([...event.dataTransfer.files]);
    });
}

/* ---- comparing ---- */

async function runComparison(form) {
    const { baseline, contender } = chosen,
        place = byId("compare-result");
    if (!baseline || !contender) {
        place.replaceChildren(commandFailure("choose a baseline and a contender", ""));
        return;
    }
    place.replaceChildren(message("note", "Comparing …"));
    try {
        const value = await engine.compare(baseline, contender, ["--min-effect", form.elements.min_effect.value]);
        if (!value.document) {
            place.replaceChildren(commandFailure("", value.stderr));
            return;
        }
        place.replaceChildren(
            showComparison({
                ...value,
                file: "kerntime-compare.json",
                name: `${baseline.from ?? baseline.name} → ${contender.from ?? contender.name}`,
            }),
        );
    } catch (error) {
        place.replaceChildren(commandFailure(error.message, ""));
    }
}

export function start() {
    results.addEventListener("change", event => {
        if (event.detail) choose(event.detail);
        drawList();
    });
    byId("files-input").addEventListener("change", async event => {
        await loadAll([...event.target.files]);
        event.target.value = "";
    });
    byId("compare-form").addEventListener("submit", event => {
        event.preventDefault();
        runComparison(event.target);
    });
    acceptDrops();
}
