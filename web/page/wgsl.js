// SPDX-License-Identifier: MIT
/* wgsl.js - times a shader of the user, beside a second variant of it. */
import { byId, html } from "./dom.js";
import { isSlow, selected } from "./devices.js";
import * as engine from "./engine.js";
import { showResult } from "./result.js";
import { addResult } from "./results.js";
import { examples } from "./wgsl_examples.js";
import { commandFailure, isBusy, runTask } from "./task.js";

const pause_ms = 400;
const files = ["a.wgsl", "b.wgsl"];
let editors = [];

/* ---- texts that survive a reload of the page ---- */

function remember(file, text) {
    try {
        sessionStorage.setItem(file, text);
    } catch {
        /* storage is full or forbidden */
    }
}

function recall(file) {
    try {
        return sessionStorage.getItem(file);
    } catch {
        return null;
    }
}

/* ---- editors ---- */

/** The entry points of a text, without its comments. */
function entriesOf(wgsl) {
    const code = wgsl.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
    return [...code.matchAll(/@compute\b[^{}]*?\bfn\s+([\p{L}_][\p{L}\p{N}_]*)/gu)].map(match => match[1]);
}

/** Keeps the list of entry points and what the kernel takes up to date. */
async function refresh(editor) {
    const wgsl = editor.area.value;
    const names = entriesOf(wgsl),
        old = editor.entry.value;
    editor.entry.replaceChildren(...names.map(name => html("option", null, name)));
    if (names.includes(old)) editor.entry.value = old;
    editor.entry.parentElement.hidden = names.length < 2;
    if (isBusy()) {
        editor.timer = setTimeout(() => refresh(editor), pause_ms);
        return;
    }
    const { ok, text } = await engine.list(editor.file, wgsl).catch(error => ({ ok: false, text: error.message }));
    if (editor.area.value !== wgsl) return;
    editor.takes.textContent = text.replace(/^kerntime run: /gm, "").trimEnd();
    editor.takes.classList.toggle("bad", !ok);
    editor.takes.setAttribute("aria-live", ok ? "off" : "polite");
}

function makeEditor(file, text) {
    const area = html("textarea", {
        id: `wgsl-${file[0]}`,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        wrap: "off",
        "aria-describedby": `takes-${file[0]}`,
    });
    area.value = text;
    const entry = html("select", { name: `entry-${file[0]}` });
    const takes = html("pre", {
        class: "takes",
        id: `takes-${file[0]}`,
        tabindex: 0,
        role: "region",
        "aria-label": `What ${file} takes`,
    });
    const editor = { file, area, entry, takes, timer: 0 };
    area.addEventListener("input", () => {
        remember(file, area.value);
        clearTimeout(editor.timer);
        editor.timer = setTimeout(() => refresh(editor), pause_ms);
    });
    area.addEventListener("keydown", event => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            byId("wgsl-form").requestSubmit();
        }
    });
    editor.element = html(
        "div",
        { class: "editor" },
        html(
            "div",
            { class: "head" },
            html("strong", null, html("label", { for: area.id }, file)),
            html("label", null, "Entry", entry),
        ),
        area,
        takes,
    );
    refresh(editor);
    return editor;
}

function toggleSecond() {
    if (editors.length > 1) {
        remember(files[1], "");
        editors.pop().element.remove();
    } else {
        editors.push(makeEditor(files[1], recall(files[1]) || editors[0].area.value));
        byId("wgsl-editors").append(editors[1].element);
        remember(files[1], editors[1].area.value);
        editors[1].area.focus();
    }
    byId("wgsl-second").textContent = editors.length > 1 ? "Remove b.wgsl" : "Add a variant";
}

/** Replaces the text of the first editor. Undo brings back what was there. */
function useExample(example) {
    const { area } = editors[0],
        form = byId("wgsl-form");
    area.focus();
    area.select();
    if (!document.execCommand("insertText", false, example.wgsl)) {
        area.value = example.wgsl;
        area.dispatchEvent(new Event("input"));
    }
    area.setSelectionRange(0, 0);
    area.scrollTop = 0;
    form.elements.n.value = isSlow() ? example.slow_n : example.n;
    form.elements.constants.value = example.constants;
    for (const name of ["local", "groups"]) form.elements[name].value = "";
}

function drawExamples() {
    const select = byId("wgsl-example");
    select.append(...examples.map((example, at) => html("option", { value: at }, example.name)));
    select.addEventListener("change", () => {
        useExample(examples[select.value]);
        select.value = "";
    });
}

/* ---- errors ---- */

/** Puts the cursor where the compiler found something. */
function goTo(editor, line, column) {
    const lines = editor.area.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(column - 1, 0);
    editor.area.focus();
    editor.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(editor.area).lineHeight) || 18;
    editor.area.scrollTop = Math.max(0, (line - 4) * height);
}

/** Buttons to the places that a compiler names, ":12:5", in the file that was named last. */
function placeButtons(text) {
    const seen = new Set(),
        buttons = [];
    let editor = editors[0];
    for (const [, file, line, column] of text.matchAll(/([ab]\.wgsl)|:(\d+):(\d+)/g)) {
        if (file) {
            editor = editors.find(one => one.file === file) ?? editor;
            continue;
        }
        const label = `Go to ${editors.length > 1 ? `${editor.file} ` : ""}line ${line}`,
            target = editor;
        if (seen.has(label) || seen.size >= 4) continue;
        seen.add(label);
        buttons.push(
            html(
                "button",
                { type: "button", class: "small", onclick: () => goTo(target, Number(line), Number(column)) },
                label,
            ),
            " ",
        );
    }
    return buttons;
}

/* ---- measuring ---- */

/** The words of `kerntime run`, and its files. */
function plan(form) {
    const value = name => form.elements[name].value.trim();
    const names = editors.map(editor =>
        editor.entry.options.length > 1 ? `${editor.file}:${editor.entry.value}` : editor.file,
    );
    const words = ["run", ...names, "-d", selected.id];
    if (value("n")) words.push("-n", value("n"));
    if (value("local")) words.push("--local", value("local"));
    if (value("groups")) words.push("--groups", value("groups"));
    for (const constant of engine.split(value("constants"))) words.push("-D", constant);
    words.push("--max-time", value("max_time"), ...engine.split(value("more")));
    return { words, files: Object.fromEntries(editors.map(editor => [editor.file, editor.area.value])) };
}

async function run(form) {
    const place = byId("wgsl-run"),
        shown = byId("wgsl-result");
    const { words, files: texts } = plan(form);
    let failure = null;
    if (selected.id.startsWith("sim:")) {
        place.replaceChildren(
            commandFailure("WGSL needs a WebGPU device, and a simulated one is selected: see Devices", ""),
        );
        return;
    }
    shown.replaceChildren();
    await runTask(place, "Timing the shader", async options => {
        const value = await engine.measure(words, { ...options, files: texts });
        if (!value.document) {
            failure = commandFailure("", value.stderr);
            failure.append(...placeButtons(value.stderr));
            return;
        }
        const view = showResult(addResult({ ...value, remarks: options.remarks() }));
        view.querySelector(".message.error")?.append(...placeButtons(value.stderr));
        shown.append(view);
    });
    if (failure) place.append(failure);
}

export function start() {
    editors = [makeEditor(files[0], recall(files[0]) || examples[0].wgsl)];
    byId("wgsl-editors").replaceChildren(editors[0].element);
    drawExamples();
    byId("wgsl-second").addEventListener("click", toggleSecond);
    if (recall(files[1])) toggleSecond();
    const form = byId("wgsl-form");
    form.addEventListener("submit", event => {
        event.preventDefault();
        if (!isBusy()) run(form);
    });
}
