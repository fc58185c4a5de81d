// SPDX-License-Identifier: MIT
// Times a matrix multiplication on a simulated device, under Node: node bench.js [DEVICE]
import { bench } from "../kerntime.js";

const result = await bench({
    workloads: "matmul",
    sizes: [64, 128],
    device: process.argv[2] ?? "sim:0:kernel_ns=250000,jitter_ns=800",
});
for (const series of result.series.filter(series => series.kind === "kernel")) {
    const [low, high] = series.ci95_ns.map(ns => (ns / 1e3).toFixed(1));
    console.log(`${series.name}: ${(series.median_ns / 1e3).toFixed(1)} us, 95 % interval ${low} us to ${high} us`);
}
