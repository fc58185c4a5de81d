// SPDX-License-Identifier: MIT
/* devices.js - what can be measured here, and what to do where nothing can. */
import { byId, html, message } from "./dom.js";
import { quantum_ns } from "./client.js";
import * as engine from "./engine.js";
import * as format from "./format.js";

const simulated = "sim:0:kernel_ns=250000,jitter_ns=800";

/** Why the browser has no WebGPU at all, or null. */
function whyNoGpu() {
    if (!isSecureContext)
        return "This page was loaded by http://, where browsers have no WebGPU: open it by https:// or from localhost.";
    if (!navigator.gpu)
        return (
            "This browser has no WebGPU: use Chrome or Edge 113, Safari 26 or Firefox 141, or a later one. " +
            "On Linux, Chrome may need chrome://flags/#enable-unsafe-webgpu."
        );
    return null;
}

const noAdapter =
    "The browser has WebGPU, and offers no adapter: chrome://gpu tells why the GPU is not used. " +
    "Chrome on Linux, and without a GPU, needs chrome://flags/#enable-unsafe-webgpu.";
const noTimestamps =
    "This device has no timestamp-query, so only wall time is measured: update browser and driver, " +
    "or try chrome://flags/#enable-unsafe-webgpu.";

function showDevice(device) {
    const clock = device.clocks[0];
    const rows = [
        ["driver", [device.driver, device.vendor].filter(Boolean).join(", ")],
        ["timestamps", clock ? `yes, ${clock.method}, tick ${format.time(clock.period_ns)}` : "no"],
        [
            "memory",
            device.max_memory_bytes
                ? `largest buffer ${format.bytes(device.max_memory_bytes)}` +
                  (device.max_argument_bytes && device.max_argument_bytes !== device.max_memory_bytes
                      ? `, of which a kernel can use ${format.bytes(device.max_argument_bytes)}`
                      : "")
                : null,
        ],
        ["groups", device.max_group_size ? `up to ${format.count(device.max_group_size)} work-items` : null],
        ["issue", device.quirk ?? device.clock_error ?? device.untrusted],
    ].filter(([, text]) => text);
    return html(
        "article",
        { class: "result", "data-device": device.id },
        html(
            "h3",
            null,
            html("code", null, device.id),
            ` ${device.name}`,
            device.type === "other" ? "" : ` (${device.type})`,
        ),
        html(
            "dl",
            { class: "properties" },
            rows.map(([name, text]) => [html("dt", null, name), html("dd", null, text)]),
        ),
        clock || device.backend !== "webgpu" ? null : message("warning", noTimestamps),
    );
}

/** The selected device: its words for `-d`, and what is known of it. */
export const selected = { id: null, device: null };
export const selection = new EventTarget();

/** Whether the selected device is a processor that stands in for a GPU. */
export function isSlow() {
    const { type, name } = selected.device ?? {};
    return type === "cpu" || /swiftshader|llvmpipe|software|fallback/i.test(name ?? "");
}

function offer(found) {
    const select = byId("device"),
        kept = select.value,
        asked = new URLSearchParams(location.search).get("device");
    const choices = [...found.map(device => ({ id: device.id, text: `${device.id} ${device.name}`, device }))];
    const other = asked && !found.some(device => device.id === asked) ? asked : null;
    if (other) choices.unshift({ id: other, text: other, device: null });
    choices.push({ id: simulated, text: "sim:0 simulated device", device: null });
    select.replaceChildren(...choices.map(choice => html("option", { value: choice.id }, choice.text)));
    const pick = () => {
        const choice = choices.find(one => one.id === select.value);
        Object.assign(selected, { id: choice.id, device: choice.device });
        selection.dispatchEvent(new Event("change"));
    };
    select.onchange = pick;
    if (kept && choices.some(choice => choice.id === kept)) select.value = kept;
    else if (asked && choices.some(choice => choice.id === asked)) select.value = asked;
    pick();
}

async function look() {
    const place = byId("devices-result");
    const reason = whyNoGpu();
    let document = null,
        failure = null;
    delete place.dataset.ready;
    try {
        ({ document } = await engine.devices());
    } catch (error) {
        failure = error;
    }
    const found = (document?.devices ?? []).filter(device => device.backend === "webgpu");
    const missing = document?.backends?.find(backend => backend.name === "webgpu")?.missing;
    place.replaceChildren();
    if (quantum_ns)
        place.append(
            message("note", `Timestamps are rounded to ${format.time(quantum_ns)}, as the address of this page asks.`),
        );
    if (failure) place.append(message("error", failure.message));
    else if (!found.length)
        place.append(
            message("warning", reason ?? noAdapter, reason ? null : (missing ?? null)),
            html(
                "p",
                { class: "quiet" },
                "Files can be loaded and compared nevertheless, and a simulated device can be measured.",
            ),
        );
    place.append(...found.map(showDevice));
    byId("devices-again").hidden = false;
    place.dataset.ready = String(!failure);
    offer(found);
    byId("version").textContent = document ? `kerntime ${document.version}` : "";
}

export function start() {
    byId("devices-again").addEventListener("click", look);
    look();
}
