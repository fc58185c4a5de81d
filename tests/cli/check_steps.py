#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks results of jobs of several kernels, as drivers give them: a row for each kernel, of every sample what they add
up to, and that all of it lies within the time of the whole submission by the host's clock.

usage: check_steps.py RESULT.json WORKLOAD..."""
import json
import sys
from fractions import Fraction

KERNELS = {
    "reduce": ["reduce_partial", "reduce_final"],
    "scan": ["scan_block_sums", "scan_offsets", "scan_blocks"],
    "sort": [f"{kernel} {digit}" for digit in range(4) for kernel in ("histogram", "scan", "scatter")],
}
REST = ["total", "gaps", "span", "wall", "wall_timestamped"]


def check_measurement(name, rows):
    """All rows of one workload; returns what is wrong."""
    kernels = KERNELS[name]
    if list(rows) != kernels + REST:
        return [f"{name}: its rows are {list(rows)}"]
    wrong = [f"{name}, {step}: {row['status']}, verified: {row['verified']}, {row['n']} samples, discarded: {row['discarded']}"
             for step, row in rows.items()
             if row["status"] not in ("ok", "below_min_span") or not row["verified"] or row["n"] != rows["wall"]["n"]]
    if wrong or rows["wall"]["n"] == 0:
        return wrong or [f"{name}: no sample"]
    samples = {step: [Fraction(ns) * row["trials"] for ns in row["samples_ns"]] for step, row in rows.items()}
    for i in range(rows["wall"]["n"]):
        of = {step: ns[i] for step, ns in samples.items()}
        total = sum(of[kernel] for kernel in kernels)
        if min(of[kernel] for kernel in kernels) <= 0:
            wrong.append(f"{name}, sample {i}: a kernel took no time")
        if total != of["total"] or total + of["gaps"] != of["span"]:
            wrong.append(f"{name}, sample {i}: {float(total)} + {float(of['gaps'])} is not {float(of['span'])}")
        if of["gaps"] < 0 or of["span"] > of["wall_timestamped"]:
            wrong.append(f"{name}, sample {i}: a span of {float(of['span'])} within {float(of['wall_timestamped'])}")
    return wrong


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    wrong = []
    for name in sys.argv[2:]:
        rows = {row["step"]: row for row in result["series"] if row["workload"] == name}
        wrong += check_measurement(name, rows)
        print(f"{name}: {len(KERNELS[name])} kernels")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


sys.exit(main())
