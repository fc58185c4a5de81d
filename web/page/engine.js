// SPDX-License-Identifier: MIT
/* engine.js - runs the command, and gives what it wrote as a result that sections can show. */
import { command } from "./client.js";

const decoder = new TextDecoder();

function text(content) {
    return content === undefined ? null : typeof content === "string" ? content : decoder.decode(content);
}

/** Lines that tell only what the page shows itself. */
const dull =
    /^\d+ (size|configuration|device)s?\b.*: (usually )?(under|about) |^kerntime( \w+)?: interrupted; what was /;

/**
 * What the command said on standard error, by kind.
 * @returns {{ advice: string[], answers: string[], guesses: string[], failures: string[] }}
 */
function readMessages(stderr) {
    const out = { advice: [], answers: [], guesses: [], failures: [] };
    for (const line of stderr.split("\n")) {
        if (!line.trim() || dull.test(line)) continue;
        if (line.startsWith("advice: ")) out.advice.push(line.slice("advice: ".length));
        else if (/^(fastest|measured): /.test(line)) out.answers.push(line);
        else if (/^[^ ]+: .*\(guess\)|^[^ ]+: .* work-items .* in groups of /.test(line)) out.guesses.push(line);
        else out.failures.push(line);
    }
    return out;
}

/**
 * Runs a measuring command.
 * @param {string[]} words of the command, without files that the page asks for
 * @param {object} options of `command()`
 * @returns {Promise<{ code: number, words: string[], json: string|null, document: object|null,
 *     markdown: string, messages: object, stderr: string }>}
 */
export async function measure(words, options = {}) {
    const asked = [...words, "--json", "result.json", "--markdown", "-"];
    const { code, stdout, stderr, files } = await command(asked, options);
    const json = text(files["result.json"]);
    return {
        code,
        words,
        json,
        stderr,
        document: json ? JSON.parse(json) : null,
        markdown: stdout,
        messages: readMessages(stderr),
    };
}

/** Reads a file as the command does. The result has no document if the command refuses the file. */
export async function read(json) {
    const { code, stdout, stderr } = await command(["convert", "file.json", "--markdown", "-"], {
        files: { "file.json": json },
    });
    const refused = code !== 0;
    return {
        code,
        json,
        stderr,
        words: null,
        document: refused ? null : JSON.parse(json),
        markdown: stdout,
        messages: readMessages(refused ? "" : stderr),
    };
}

/** A name that the command takes for a file's, and for no option's. */
function plainName(name) {
    return name.replace(/^[-./]+|[/\0]/g, "_");
}

/** Compares two results. The command names their files. */
export async function compare(baseline, contender, words) {
    const old = plainName(baseline.file),
        now = plainName(contender.file);
    const names = old === now ? [`baseline-${old}`, `contender-${now}`] : [old, now];
    const { code, stdout, stderr, files } = await command(
        ["compare", ...names, ...words, "--json", "compare.json", "--markdown", "-"],
        { files: { [names[0]]: baseline.json, [names[1]]: contender.json } },
    );
    const json = text(files["compare.json"]);
    return {
        code,
        json,
        stderr,
        document: json ? JSON.parse(json) : null,
        markdown: stdout,
        messages: readMessages(stderr),
    };
}

/** What the kernels of a WGSL text take, or why it cannot be read. */
export async function list(name, wgsl) {
    const { code, stdout, stderr } = await command(["run", name, "--list"], { files: { [name]: wgsl } });
    return { ok: code === 0, text: code === 0 ? stdout : stderr };
}

/** The devices and why others are missing. */
export async function devices(device) {
    const words = ["devices", ...(device ? ["-d", device] : []), "--json", "devices.json"];
    const { code, stderr, files } = await command(words);
    const json = text(files["devices.json"]);
    return { code, stderr, document: json ? JSON.parse(json) : null };
}

/** The command line as a user types it. */
export function spell(words) {
    return ["kerntime", ...words]
        .map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
        .join(" ");
}

/** Splits words as a shell does: spaces, single and double quotes. */
export function split(line) {
    return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(match =>
        match[0].replace(/"([^"]*)"|'([^']*)'/g, (all, a, b) => a ?? b),
    );
}
