// SPDX-License-Identifier: MIT
// Sizes of the modules as servers send them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { site, test } from "./harness.mjs";

const compressed = name => gzipSync(readFileSync(join(site, name)), { level: 9 }).length;

for (const [name, most] of [["kerntime", 200000], ["kerntime-command", 450000]])
    await test(`${name}.wasm is at most ${most} bytes compressed`, () => {
        const bytes = compressed(`${name}.wasm`);
        console.log(`        ${bytes} bytes; ${name}-asyncify.wasm: ${compressed(`${name}-asyncify.wasm`)} bytes`);
        assert.ok(bytes <= most, `${bytes} bytes`);
    });
