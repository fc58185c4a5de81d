// SPDX-License-Identifier: MIT
/* main.js - starts the sections. What goes wrong is told on the page, not only on the console. */
import { byId, message } from "./dom.js";
import * as bench from "./bench.js";
import * as devices from "./devices.js";
import * as doctor from "./doctor.js";
import * as files from "./files.js";
import * as wgsl from "./wgsl.js";

function tell(error) {
    byId("problems").append(
        message("error", `Unexpected error: ${error?.message ?? error}. Reload the page if it does not answer.`),
    );
}

addEventListener("error", event => tell(event.error ?? event.message));
addEventListener("unhandledrejection", event => tell(event.reason));

doctor.start();
bench.start();
wgsl.start();
files.start();
devices.start();
