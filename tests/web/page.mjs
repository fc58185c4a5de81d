// SPDX-License-Identifier: MIT
// The page in Chromium, as a user sees it: each section, what can go wrong, the keyboard, a narrow screen.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder, test, withBrowser } from "./harness.mjs";

const kerntime = process.argv[2]; // the command on this machine
const folder = scratchFolder();

const text = (page, selector) => page.$eval(selector, element => element.innerText);
const idle = page => page.waitForFunction(() => !document.body.hasAttribute("data-busy"));
const setValue = (page, selector, value) =>
    page.$eval(
        selector,
        (element, value) => {
            element.value = value;
            element.dispatchEvent(new Event("input", { bubbles: true }));
            element.dispatchEvent(new Event("change", { bubbles: true }));
        },
        value,
    );
const ready = page => page.waitForSelector("#devices-result[data-ready=true]");

/** Clicks where a pointer would, wherever it is on the page. */
async function press(page, selector) {
    await page.waitForSelector(selector);
    await page.$eval(selector, element => element.scrollIntoView({ block: "center", behavior: "instant" }));
    await page.click(selector);
}

async function run(page, section) {
    await press(page, `#${section} [data-run]`);
    await page.waitForSelector("body[data-busy], [data-result], .message");
    await idle(page);
}

async function upload(page, ...files) {
    const before = await page.evaluate(
        () => document.querySelector("#files-message").innerText + document.querySelectorAll("[data-show]").length,
    );
    await (await page.$("#files-input")).uploadFile(...files);
    await page.waitForFunction(
        before =>
            document.querySelector("#files-message").innerText + document.querySelectorAll("[data-show]").length !==
            before,
        {},
        before,
    );
    await page.waitForFunction(() => document.querySelector("#files-input").value === "");
}

/** Remembers the devices that the page's worker makes, so that they can be lost. */
const keepDevices = worker =>
    worker.evaluate(() => {
        const request = GPUAdapter.prototype.requestDevice;
        globalThis.made = [];
        GPUAdapter.prototype.requestDevice = async function (...descriptor) {
            const device = await request.apply(this, descriptor);
            made.push(device);
            return device;
        };
    });

/** Writes a result of the native command on a simulated device. */
function simulate(name, scenario, edit = text => text) {
    const path = join(folder, name);
    execFileSync(
        kerntime,
        ["bench", "matmul", "-d", `sim:0:${scenario}`, "--size", "64,128", "--runs", "2", "-q", "--json", path],
        { stdio: "ignore" },
    );
    writeFileSync(path, edit(readFileSync(path, "utf8")));
    return path;
}

await withBrowser(async ({ open, browser, url }) => {
    const page = await open("index.html?quantum_ns=100000", { expected: /on purpose/ });
    await ready(page);
    await page.setViewport({ width: 1280, height: 900 });

    await test("devices: what there is, and whether it has timestamps", async () => {
        const devices = await text(page, "#devices-result");
        assert.match(devices, /webgpu:0/);
        assert.match(devices, /timestamps\s+yes/);
        assert.equal(await page.$eval("#device", select => select.value), "webgpu:0");
    });

    await test("doctor: a clock that moves in steps of 100 us is quantised", async () => {
        await run(page, "doctor");
        assert.match(await text(page, "[data-fact='Clock quantised']"), /yes\s+steps of 100\.0 us/);
        assert.match(await text(page, "[data-fact='Clock resolution']"), /100\.0 us[^]*1 % needs 10 ms/);
        assert.equal(await page.$eval("[data-check=resolution]", check => check.dataset.severity), "warning");
        assert.match(await text(page, "[data-check=resolution]"), /seen[^]*means[^]*do/);
    });

    await page.goto(`${url}index.html`);
    await ready(page);

    await test("a workload: rows while it runs, then table, notes and figure", async () => {
        await setValue(page, "[name=sizes-matmul]", "64,96");
        await run(page, "bench");
        const table = await text(page, "#bench-result table");
        assert.match(table, /NAME.*DEVICE TIME.*95% INTERVAL.*WALL.*GFLOP\/s/s);
        assert.match(table, /matmul\/64[^\n]* [mu]s[^]*matmul\/96/);
        const figure = await page.$eval("#bench-result svg", svg => svg.getAttribute("aria-label"));
        assert.match(figure, /^matmul: time per dispatch over size.*device time: 64 .* [mu]s.*wall: 64 /s);
        assert.equal(await page.$$eval("#bench-result .curve", curves => curves.length), 2);
        assert.match(await text(page, "#bench-result .notes.notes:last-of-type"), /webgpu:0/);
        await press(page, "#bench-result [data-samples] summary");
        await page.waitForSelector("#bench-result [data-samples] svg");
        assert.match(
            await page.$eval("#bench-result [data-samples] svg", svg => svg.getAttribute("aria-label")),
            /matmul\/96: \d+ samples/,
        );
    });

    await test("own WGSL: the example runs, and each guess is named", async () => {
        await page.waitForFunction(() => /buffer, read/.test(document.querySelector("#takes-a").textContent));
        await setValue(page, "#wgsl [name=n]", "64Ki");
        await run(page, "wgsl");
        assert.match(await text(page, "#wgsl-result table"), /saxpy\/65536[^\n]* [mu]s/);
        assert.match(
            await text(page, "#wgsl-result [data-guesses]"),
            /x: array<f32>, 65,536 elements, random 0\.\.1 \(guess\)/,
        );
    });

    await test("own WGSL: all values of an override are tried, and the fastest is named", async () => {
        await page.select("#wgsl-example", "1");
        await setValue(page, "#wgsl [name=n]", "64");
        await run(page, "wgsl");
        assert.match(await text(page, "#wgsl-result .answer"), /^fastest: TILE=/);
        assert.equal(await page.$$eval("#wgsl-result tbody tr", rows => rows.length), 3);
        await page.select("#wgsl-example", "0");
        await setValue(page, "#wgsl [name=n]", "64Ki");
    });

    await test("own WGSL: a second variant is timed beside the first one", async () => {
        await press(page, "#wgsl-second");
        await setValue(
            page,
            "#wgsl-b",
            await page.$eval("#wgsl-a", area => area.value.replace("group_size: u32 = 64", "group_size: u32 = 128")),
        );
        await run(page, "wgsl");
        assert.match(await text(page, "#wgsl-result .answer"), /^fastest: [ab]\.wgsl/);
        assert.match(await text(page, "#wgsl-result table"), /VARIANT[^]*[ab]\.wgsl[^]*[ab]\.wgsl/);
    });

    await test("own WGSL: the compiler's error as it is, and a way to its line", async () => {
        const wgsl = await page.$eval("#wgsl-b", area => area.value);
        await setValue(page, "#wgsl-b", wgsl.replace("arguments.a * x[i]", "missing * x[i]"));
        await run(page, "wgsl");
        assert.match(
            await text(page, "#wgsl-result .message.error"),
            /b\.wgsl does not compile[^]*unresolved value 'missing'/,
        );
        await press(page, "#wgsl-result .message.error button");
        assert.equal(await page.evaluate(() => document.activeElement.id), "wgsl-b");
        assert.match(await page.$eval("#wgsl-b", area => area.value.slice(area.selectionStart)), /^missing \* x\[i\]/);
        await press(page, "#wgsl-second");
    });

    await test("a result is saved as a file that the command reads", async () => {
        const client = await browser.target().createCDPSession();
        await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
        await press(page, "#bench-result [data-save]");
        const name = /^kerntime-matmul-\d{8}-\d{6}-.+\.json$/;
        let saved;
        while (!(saved = readdirSync(folder).find(file => name.test(file))))
            await new Promise(resolve => setTimeout(resolve, 100));
        assert.equal(JSON.parse(readFileSync(join(folder, saved), "utf8")).document, "result");
        if (existsSync(kerntime ?? ""))
            assert.match(execFileSync(kerntime, ["convert", join(folder, saved)], { encoding: "utf8" }), /matmul\/64/);
    });

    if (existsSync(kerntime ?? "")) {
        await test("two files are compared as the command compares them", async () => {
            const old = simulate("old.json", "kernel_ns=250000"),
                now = simulate("new.json", "kernel_ns=275000");
            await upload(page, old, now);
            await press(page, "#compare-form button");
            await page.waitForSelector("#compare-result [data-verdict]");
            const { verdict, command } = await page.$eval("#compare-result", place => ({
                verdict: place.querySelector("[data-verdict]").dataset.verdict,
                command: place.querySelector(".verdict").textContent,
            }));
            let native;
            try {
                native = execFileSync(kerntime, ["compare", old, now], { encoding: "utf8", stdio: "pipe" });
            } catch (error) {
                native = error.stdout;
            }
            assert.equal(verdict, "slower");
            assert.equal(command, native.trim().split("\n").at(-1));
            assert.match(await text(page, "#compare-result table"), /VERDICT[^]*CHANGE[^]*slower[^]*matmul\/64/);
            assert.ok(await page.$("#compare-result td svg .point"));
        });

        await test("texts of a file are texts", async () => {
            const hostile = "<img src=x onerror=document.title='hacked'>|`x`";
            await upload(
                page,
                simulate("hostile.json", "kernel_ns=250000", text =>
                    text
                        .replaceAll("matmul/64", hostile)
                        .replace('"name": "simulated device"', `"name": ${JSON.stringify(hostile)}`),
                ),
            );
            assert.ok((await text(page, "#files-view")).includes(hostile));
            assert.equal(await page.$("#files-view img"), null);
            assert.notEqual(await page.title(), "hacked");
        });
    }

    await test("a file that is no result: a sentence", async () => {
        const path = join(folder, "other.json");
        for (const [content, sentence] of [
            ["{", /other\.json is no JSON/],
            ["{}", /other\.json is no result of kerntime/],
            ['{"schema": "kerntime/1", "document": "result"}', /other\.json: "version" is missing/],
            ['{"schema": "kerntime/1", "document": "compare"}', /other\.json is incomplete/],
        ]) {
            writeFileSync(path, content);
            await page.$eval("#files-message", place => place.replaceChildren());
            await upload(page, path);
            assert.match(await text(page, "#files-message .error"), sentence);
        }
    });

    await test("a narrow screen: nothing but tables scrolls sideways", async () => {
        await page.setViewport({ width: 360, height: 740 });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        assert.match(await text(page, "#bench-result table"), /±95%/);
        assert.doesNotMatch(await text(page, "#bench-result table"), /95% INTERVAL/);
        await page.setViewport({ width: 1280, height: 900 });
    });

    await test("the keyboard: run, stop, and run again", async () => {
        await page.select("#bench-form [name=max_time]", "10s");
        await page.focus("#bench [data-run]");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => /so far/.test(document.querySelector("#bench-run").innerText));
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "Stop");
        assert.equal(await page.$eval("#doctor [data-run]", button => button.getAttribute("aria-disabled")), "true");
        await page.keyboard.press("Enter");
        await idle(page);
        assert.match(await text(page, "#bench-result .message.warning"), /^Stopped/);
        assert.match(await text(page, "#bench-result table"), /matmul\/64/);
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run");
    });

    await test("a tab in the background: the result says so", async () => {
        await press(page, "#bench [data-run]");
        await page.waitForFunction(() => /so far/.test(document.querySelector("#bench-run").innerText));
        const other = await browser.newPage();
        await other.bringToFront();
        await page.waitForFunction(() => document.hidden, { polling: 100 });
        await other.close();
        await page.bringToFront();
        await press(page, "[data-stop]");
        await idle(page);
        assert.match(await text(page, "#bench-result"), /The tab was in the background for [\d.]+ s/);
    });

    await test("a lost device: a sentence, and what was measured before", async () => {
        const worker = page.workers()[0];
        await keepDevices(worker);
        await press(page, "#bench [data-run]");
        await page.waitForFunction(() => /so far/.test(document.querySelector("#bench-run").innerText));
        await worker.evaluate(() => made.forEach(device => device.destroy()));
        await idle(page);
        assert.match(await text(page, "#bench-result .message.error"), /the device was lost/);
    });

    await test("no timestamp-query: a sentence", async () => {
        await page.workers()[0].evaluate(() => {
            const features = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "features").get;
            Object.defineProperty(GPUAdapter.prototype, "features", {
                get() {
                    return new Set([...features.call(this)].filter(name => name !== "timestamp-query"));
                },
            });
        });
        await press(page, "#devices-again");
        await ready(page);
        assert.match(await text(page, "#devices-result .message"), /no timestamp-query, so only wall time/);
    });

    await test("an exception: a sentence on the page", async () => {
        await page.evaluate(() => void dispatchEvent(new PromiseRejectionEvent("unhandledrejection",
            { promise: Promise.resolve(), reason: new Error("on purpose") })));
        await page.waitForSelector("#problems .message");
        assert.match(await text(page, "#problems"), /Unexpected error: on purpose/);
    });
});

await withBrowser(
    async ({ open }) => {
        const page = await open("index.html");
        await test("no adapter: a sentence, and a simulated device", async () => {
            await ready(page);
            assert.match(await text(page, "#devices-result .message"), /no adapter/);
            assert.match(await page.$eval("#device", select => select.value), /^sim:0/);
            await run(page, "wgsl");
            assert.match(await text(page, "#wgsl-run .message"), /WGSL needs a WebGPU device/);
            await setValue(page, "[name=sizes-matmul]", "16");
            await run(page, "bench");
            assert.match(await text(page, "#bench-result table"), /matmul\/16/);
        });
    },
    { gpu: false },
);
