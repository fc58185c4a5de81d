// SPDX-License-Identifier: MIT
// Clocks as browsers quantise them: timestamps are rounded down on their way to the module.
import assert from "node:assert/strict";
import { test, withBrowser } from "./harness.mjs";

for (const quantum_ns of [100000, 65536])
    await test(`timestamps in steps of ${quantum_ns} ns`, () => withBrowser(async ({ open }) => {
        const page = await open();
        const { checks, short } = await page.evaluate(async quantum_ns => {
            const { load, doctor, bench } = await import("/kerntime.js");
            await load({ quantum_ns });
            return {
                checks: await doctor(),
                short: await bench({ workloads: "fill", sizes: 256, options: ["--samples", "10..20", "--max-time", "1s"] }),
            };
        }, quantum_ns);

        // The doctor measures the step, and says what it means for times.
        const [device] = checks.devices;
        const resolution = checks.diagnostics.find(({ check }) => check === "resolution");
        assert.equal(device.untrusted, null);
        assert.equal(resolution.values.resolution_ns, quantum_ns, JSON.stringify(resolution));
        assert.notEqual(resolution.severity, "good");

        // A kernel of a few us is repeated until the clock can tell, or has no time.
        for (const series of short.series.filter(({ kind }) => kind === "kernel")) {
            const told = series.median_ns === null;
            assert.ok(told || series.median_ns * series.trials > quantum_ns, JSON.stringify({ ...series, samples_ns: [] }));
            assert.ok(told || series.trials > 1, `${series.trials} trials`);
        }
    }));
