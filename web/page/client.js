// SPDX-License-Identifier: MIT
/* client.js - command() of kerntime.js, in a worker. A worker that does not stop is replaced. */

const patience_ms = 15000; /* after Stop, for the submission that is under way */
const cannotStart =
    "kerntime could not be loaded: reload the page, or see whether the browser is too old for WebAssembly in module workers";

/** To which timestamps are rounded, as the page's address asks. 0: they are not. */
export const quantum_ns = Number(new URLSearchParams(location.search).get("quantum_ns")) || 0;

let worker = null,
    isReady = false,
    next = 1;
const calls = new Map();

function failAll(sentence) {
    worker?.terminate();
    worker = null;
    for (const call of calls.values()) call.reject(new Error(sentence));
    calls.clear();
}

function start() {
    isReady = false;
    const url = new URL("worker.js", import.meta.url);
    url.search = quantum_ns ? `quantum_ns=${quantum_ns}` : "";
    worker = new Worker(url, { type: "module" });
    worker.addEventListener("error", event => {
        event.preventDefault();
        failAll(isReady ? `kerntime ended unexpectedly: ${event.message ?? "no reason was given"}` : cannotStart);
    });
    worker.addEventListener("message", ({ data }) => {
        isReady ||= Boolean(data.ready);
        const call = calls.get(data.id);
        if (!call) return;
        if (data.progress) {
            call.progress(data.progress);
            return;
        }
        calls.delete(data.id);
        if (data.failure) call.reject(Object.assign(new Error(data.failure.message), { stderr: data.failure.stderr }));
        else call.resolve(data.result);
    });
}

/** As in kerntime.d.ts. */
export function command(words, { files, columns, progress, signal } = {}) {
    return new Promise((resolve, reject) => {
        if (!worker) start();
        const id = next++;
        calls.set(id, { resolve, reject, progress });
        worker.postMessage({ id, words, options: { files, columns }, follow: Boolean(progress) });
        signal?.addEventListener("abort", () => {
            worker?.postMessage({ stop: id });
            setTimeout(() => {
                if (calls.has(id))
                    failAll(
                        `it did not stop within ${patience_ms / 1000} s, and was ended: what it had measured is lost`,
                    );
            }, patience_ms);
        });
    });
}
