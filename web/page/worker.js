// SPDX-License-Identifier: MIT
/*
 * worker.js - runs commands beside the page: drawing does not disturb what is measured, and what
 * is measured does not stop the page.
 */
import { command, load } from "../kerntime.js";

/* For a look at what a coarse clock does: ?quantum_ns=100000 in the page's address. */
const quantum_ns = Number(new URLSearchParams(location.search).get("quantum_ns")) || 0;
const loaded = quantum_ns > 0 ? load({ quantum_ns }) : Promise.resolve();

const stops = new Map();

async function run({ id, words, options, follow }) {
    const stop = new AbortController();
    stops.set(id, stop);
    const progress = follow ? now => postMessage({ id, progress: now }) : undefined;
    try {
        await loaded;
        postMessage({ id, result: await command(words, { ...options, signal: stop.signal, progress }) });
    } catch (error) {
        postMessage({ id, failure: { message: error.message, stderr: error.stderr ?? "" } });
    }
    stops.delete(id);
}

addEventListener("message", ({ data }) => {
    if (data.stop) stops.get(data.stop)?.abort();
    else run(data);
});

postMessage({ ready: true });
