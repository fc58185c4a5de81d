// SPDX-License-Identifier: MIT
/* task.js - one measurement at a time: its progress, the Stop button, and what disturbed it. */
import { html, message } from "./dom.js";
import { shortTime } from "./format.js";

const announce_ms = 5000;

let running = null;

function setBusy(busy) {
    for (const button of document.querySelectorAll("[data-run]")) {
        button.setAttribute("aria-disabled", String(busy));
        if (busy) button.setAttribute("aria-description", "A measurement is running");
        else button.removeAttribute("aria-description");
    }
    document.body.toggleAttribute("data-busy", busy);
}

export function isBusy() {
    return running !== null;
}

/** Notices when the tab is hidden: browsers slow the timers of such tabs. */
function watchTab(onHidden) {
    let hidden_ms = 0,
        since = null;
    const count = () => {
        const now = performance.now();
        hidden_ms += since === null ? 0 : now - since;
        since = document.hidden ? now : null;
        if (document.hidden) onHidden();
    };
    document.addEventListener("visibilitychange", count);
    count();
    return {
        /** Hidden time since the last call. */
        take() {
            count();
            const taken = hidden_ms;
            hidden_ms = 0;
            return taken;
        },
        end: () => document.removeEventListener("visibilitychange", count),
    };
}

const hiddenSentence = "The tab was in the background";

/** The panel of a running measurement. */
function makePanel(title, stop) {
    const bar = html("progress", { max: 1, value: 0, "aria-label": title });
    const state = html("span", { class: "state" }, "Starting …");
    const button = html("button", { type: "button", "data-stop": true, onclick: stop }, "Stop");
    const rows = html("tbody");
    const scroll = html(
        "div",
        { class: "scroll", hidden: true, tabindex: 0, role: "region", "aria-label": "Rows so far" },
        html("table", null, rows),
    );
    const spoken = html("div", { class: "unseen", role: "status" }, `${title}: started`);
    const notes = html("div");
    const panel = html(
        "div",
        { class: "progress", "data-progress": true },
        html("div", { class: "line" }, html("span", null, title), bar, state, button),
        notes,
        scroll,
        spoken,
    );
    return { panel, bar, state, button, rows, scroll, spoken, notes };
}

function drawRows(parts, rows) {
    parts.scroll.hidden = rows.length === 0;
    rows.forEach((row, at) => {
        let line = parts.rows.children[at];
        if (!line) {
            line = html("tr", null, html("td", { class: "key" }), html("td", { class: "key" }), html("td"));
            parts.rows.append(line);
        }
        [row.label, row.who, row.text].forEach((cell, column) => {
            if (line.children[column].textContent !== cell) line.children[column].textContent = cell;
        });
        line.children[2].className = row.final ? "main" : "quiet";
    });
    while (parts.rows.children.length > rows.length) parts.rows.lastChild.remove();
}

/**
 * Runs `body({ progress, signal, remarks })` with a panel in `place`. `remarks()` tells what
 * disturbed the measurement since it was last called. If the body throws, `place` tells why.
 */
export async function runTask(place, title, body) {
    if (running) return;
    const controller = new AbortController();
    const before = document.activeElement;
    const parts = makePanel(title, () => {
        controller.abort();
        parts.button.setAttribute("aria-disabled", "true");
        parts.button.textContent = "Stopping …";
    });
    running = controller;
    setBusy(true);
    place.replaceChildren(parts.panel);
    parts.button.focus({ preventScroll: true });
    const tab = watchTab(() =>
        parts.notes.replaceChildren(
            message("warning", `${hiddenSentence}: browsers slow it down there. Keep it in front while it measures.`),
        ),
    );
    let spoken = performance.now();
    const progress = now => {
        if (now.share >= 1 && !now.left_ns) {
            /* all of one stage is done: the next one begins */
            parts.bar.removeAttribute("value");
            parts.state.textContent = "Preparing …";
            return;
        }
        parts.bar.value = now.share;
        const left =
            now.left_ns === null || now.left_ns === undefined ? "" : `, ${shortTime(Math.max(now.left_ns, 1e8))} left`;
        parts.state.textContent = `${Math.round(100 * now.share)} %${left}`;
        parts.bar.title = now.text ?? "";
        drawRows(parts, now.rows ?? []);
        if (performance.now() - spoken > announce_ms) {
            spoken = performance.now();
            parts.spoken.textContent = parts.state.textContent;
        }
    };
    const remarks = () => {
        const hidden_ms = tab.take();
        return [
            hidden_ms > 0
                ? `${hiddenSentence} for ${(hidden_ms / 1000).toFixed(1)} s of this measurement. ` +
                  "Browsers slow such tabs down, so wall times may be too long: measure again with the tab in front."
                : null,
            controller.signal.aborted ? "Stopped: only what had been measured is shown." : null,
        ].filter(Boolean);
    };
    let failure = null;
    try {
        await body({ progress, signal: controller.signal, remarks });
    } catch (error) {
        failure = error;
    }
    tab.end();
    running = null;
    setBusy(false);
    const hadFocus = parts.panel.contains(document.activeElement);
    if (failure) {
        place.replaceChildren(failureMessage(failure));
    } else {
        place.replaceChildren(
            html(
                "div",
                { class: "unseen", role: "status" },
                controller.signal.aborted ? `${title}: stopped` : `${title}: finished`,
            ),
        );
    }
    if (hadFocus && before?.isConnected) before.focus({ preventScroll: true });
}

/** A failure as one sentence, with all that the command said behind it. */
export function failureMessage(error) {
    return commandFailure(error?.message ?? String(error), error?.stderr ?? "");
}

/** The same from the command's own words. */
export function commandFailure(sentence, stderr) {
    const lines = stderr.split("\n").filter(line => line.trim());
    const first = (sentence || lines[0] || "it failed without a message").replace(/^kerntime( \w+)?: /, "");
    const rest = lines.filter(line => line.replace(/^kerntime( \w+)?: /, "") !== first).join("\n");
    return message("error", first, rest || null);
}
