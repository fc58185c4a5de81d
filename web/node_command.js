#!/usr/bin/env node
// SPDX-License-Identifier: MIT
/*
 * node_command.js - the command under Node, as `npx kerntime` runs it: with this machine's files,
 * environment and terminal, and simulated devices.
 */
import { writeSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { hostName } from "./host_name.js";
import { Instance, loadModule } from "./module.js";
import { RealFiles } from "./node_files.js";

/** Writes all of it, also into a pipe whose reader is slow. A reader that has gone ends the program, as SIGPIPE does. */
function writeAll(number, bytes) {
    for (let done = 0; done < bytes.length;) {
        try {
            done += writeSync(number, bytes, done);
        } catch (error) {
            if (error.code === "EPIPE")
                process.exit(141);
            if (error.code !== "EAGAIN")
                throw error;
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        }
    }
}

const loaded = await loadModule("kerntime-command", new URL("./", import.meta.url));
const instance = await Instance.create(loaded, {
    words: ["kerntime", ...process.argv.slice(2)],
    files: new RealFiles(),
    folder: process.cwd(),
    environment: {
        KERNTIME_HOST: hostName(),
        KERNTIME_HOST_NAME: hostname(),
        ...process.env,
        ...process.stdout.isTTY && !process.env.COLUMNS && { COLUMNS: String(process.stdout.columns) },
    },
    terminals: [0, 1, 2].map(number => [process.stdin, process.stdout, process.stderr][number].isTTY ?? false),
    output: bytes => writeAll(1, bytes),
    errors: bytes => writeAll(2, bytes),
});
process.exit(await instance.run());
