// SPDX-License-Identifier: MIT
// What the tests of web/ share: the built site, a server for it, Chromium, and named checks.
//
// Exit code 77: skipped, the reason is printed. Limits are generous: tests must pass on a busy machine.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folder that target `web_site` makes. */
export const site = join(root, "build", "web", "site");

/** Packages of tests/web/npm, as `dev` has installed them. */
export const packages = join(root, "build", "npm-web", "node_modules");

export const patience_ms = 600e3;

export function skip(reason) {
    console.log(`skipped: ${reason}`);
    process.exit(77);
}

if (!existsSync(join(site, "kerntime.wasm")))
    skip(`${site} has no kerntime.wasm; ./dev web builds it`);

// --- Checks --------------------------------------------------------------------------------------

/** Runs a check. One that throws fails the program, and the next one runs. */
export async function test(name, body) {
    try {
        await body();
        console.log(`ok      ${name}`);
    } catch (error) {
        console.log(`FAILED  ${name}\n${error?.stack ?? error}`);
        process.exitCode = 1;
    }
}

/** A folder that is gone when the program ends. */
export function scratchFolder() {
    const folder = mkdtempSync(join(tmpdir(), "kerntime-web-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
}

// --- Server --------------------------------------------------------------------------------------

const types = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".wasm": "application/wasm",
};

/** Serves `folder` on a free port; `/blank` is an empty page. `close()` ends it. */
export async function serve(folder = site) {
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
        const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
        if (path === "/blank" || path === "/favicon.ico")
            response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>blank</title>");
        else if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile())
            response.writeHead(404).end();
        else
            response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" })
                .end(readFileSync(file));
    });
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${server.address().port}/`,
        close() {
            server.closeAllConnections?.();
            server.close();
        },
    };
}

// --- Browser -------------------------------------------------------------------------------------

function findChromium() {
    const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
    return found ?? skip("Chromium is not here (Debian: chromium)");
}

async function loadPuppeteer() {
    const require = createRequire(join(packages, "x.js"));
    let path;
    try {
        path = require.resolve("puppeteer-core");
    } catch {
        skip(`puppeteer-core is not in ${packages}; ./dev test --all fetches it`);
    }
    return (await import(pathToFileURL(path))).default;
}

/**
 * Runs `body({ open, url })` with the site served and Chromium started.
 *
 * `open(path, { expected })` gives a page of puppeteer. Errors on a page's console, exceptions and failed requests fail
 * the check, unless they match the regular expression `expected`. `gpu: false`: there is no adapter.
 */
export async function withBrowser(body, { gpu = true, flags = [] } = {}) {
    const executablePath = findChromium();
    const puppeteer = await loadPuppeteer();
    const server = await serve();
    const errors = [];
    let browser;
    try {
        browser = await puppeteer.launch({
            executablePath,
            headless: true,
            userDataDir: scratchFolder(),
            protocolTimeout: patience_ms,
            timeout: patience_ms,
            args: ["--no-sandbox", "--disable-gpu-sandbox", "--disable-background-networking", "--no-first-run",
                ...gpu ? ["--enable-unsafe-webgpu"] : [], ...flags],
        });
        const open = async (path = "blank", { expected = /^$/ } = {}) => {
            const page = await browser.newPage();
            const report = text => expected.test(text) || errors.push(`${path}: ${text}`);
            page.setDefaultTimeout(patience_ms);
            page.on("console", message => message.type() === "error" && report(message.text()));
            page.on("pageerror", error => report(String(error?.stack ?? error)));
            page.on("requestfailed", request => report(`${request.url()}: ${request.failure()?.errorText}`));
            await page.goto(server.url + path, { waitUntil: "load" });
            return page;
        };
        await body({ open, url: server.url, browser });
    } finally {
        await browser?.close();
        server.close();
    }
    if (errors.length)
        throw new Error(`errors on the console:\n${errors.join("\n")}`);
}
