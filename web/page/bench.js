// SPDX-License-Identifier: MIT
/* bench.js - workloads with known answers, one after another: each gives a result of its own. */
import { byId, html } from "./dom.js";
import { isSlow, selected, selection } from "./devices.js";
import * as engine from "./engine.js";
import { showResult } from "./result.js";
import { addResult } from "./results.js";
import { commandFailure, isBusy, runTask } from "./task.js";

/** Sizes that give the first number within seconds: on a GPU, and on a processor that stands in. */
const workloads = [
    {
        name: "matmul",
        what: "C = A B, square matrices of f32; size: rows",
        gpu: "128..1024",
        cpu: "32,64,128",
        chosen: true,
    },
    {
        name: "saxpy",
        what: "y = a x + y: bandwidth of reads and writes; size: elements",
        gpu: "65536,1048576,16777216",
        cpu: "4096,65536",
    },
    {
        name: "fill",
        what: "sets an array of u32: bandwidth of writes; size: elements",
        gpu: "65536,1048576,16777216",
        cpu: "4096,65536",
    },
    {
        name: "reduce",
        what: "sum of an array of u32, two kernels; size: elements",
        gpu: "65536,1048576,4194304",
        cpu: "4096,65536",
    },
    {
        name: "scan",
        what: "exclusive prefix sum of u32, three kernels; size: elements",
        gpu: "65536,1048576,4194304",
        cpu: "4096,65536",
    },
    { name: "sort", what: "radix sort of u32 keys, twelve kernels; size: keys", gpu: "65536,1048576", cpu: "4096" },
    {
        name: "empty",
        what: "does nothing: launch latency; size: dispatches in one submission",
        gpu: "1,1000",
        cpu: "1,100",
    },
];

function drawChoices() {
    byId("bench-workloads").replaceChildren(
        ...workloads.flatMap(workload => {
            const box = html("input", { type: "checkbox", name: "workload", value: workload.name });
            box.checked = Boolean(workload.chosen);
            const sizes = html("input", {
                class: "sizes",
                name: `sizes-${workload.name}`,
                "aria-label": `Sizes of ${workload.name}`,
                value: workload.gpu,
                spellcheck: "false",
                autocapitalize: "off",
                autocomplete: "off",
                oninput: () => (sizes.dataset.edited = "true"),
            });
            return [html("label", null, box, workload.name), sizes, html("span", { class: "quiet" }, workload.what)];
        }),
    );
}

function setSizes() {
    for (const workload of workloads) {
        const input = byId("bench-form").elements[`sizes-${workload.name}`];
        if (!input.dataset.edited) input.value = isSlow() ? workload.cpu : workload.gpu;
    }
}

/** The progress of one of several commands as that of all. */
function shareOf(progress, at, all) {
    return now => progress({ ...now, share: (at + now.share) / all, left_ns: all - at > 1 ? null : now.left_ns });
}

async function run(form) {
    const names = [...form.querySelectorAll("[name=workload]:checked")].map(box => box.value);
    const place = byId("bench-run"),
        shown = byId("bench-result");
    if (!names.length) {
        place.replaceChildren(commandFailure("no workload is chosen", ""));
        return;
    }
    const settings = [
        "--max-time",
        form.elements.max_time.value,
        ...(form.elements.runs.value === "1" ? [] : ["--runs", form.elements.runs.value]),
        ...(form.elements.cold.checked ? ["--cold"] : []),
        ...(form.elements.baselines.checked ? [] : ["--baseline-samples", "0"]),
        ...engine.split(form.elements.more.value),
    ];
    shown.replaceChildren();
    const failures = [];
    await runTask(place, `Measuring ${names.join(", ")}`, async ({ progress, signal, remarks }) => {
        for (const [at, name] of names.entries()) {
            if (signal.aborted) break;
            const sizes = form.elements[`sizes-${name}`].value.trim();
            const value = await engine.measure(
                ["bench", name, ...(sizes ? ["--size", sizes] : []), "-d", selected.id, ...settings],
                { progress: shareOf(progress, at, names.length), signal },
            );
            if (value.document) shown.append(showResult(addResult({ ...value, remarks: remarks() })));
            else failures.push(commandFailure("", value.stderr));
        }
    });
    place.append(...failures);
}

export function start() {
    drawChoices();
    selection.addEventListener("change", setSizes);
    const form = byId("bench-form");
    form.addEventListener("submit", event => {
        event.preventDefault();
        if (!isBusy()) run(form);
    });
}
