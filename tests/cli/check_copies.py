#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks results of `kerntime copy` as drivers give them: each direction of a device in each size verified, of every sample a
time of the device within that of the whole submission, no bandwidth of maps that copy nothing, the yardstick beside them, and a
model for each direction.

usage: check_copies.py RESULT.json DEVICE SIZES DIRECTION..."""
import json
import sys

# From that size on no noise hides that nothing is copied.
SURE_BYTES = 64 << 20
YARDSTICK = ["heap-heap", "heap-heap-all-cores"]


def check_size(name, rows, size):
    """All times of one direction and size; returns what is wrong."""
    if list(rows) != ["copy", "wall", "wall_timestamped"]:
        return [f"{name}: its rows are {list(rows)}"]
    copy = rows["copy"]
    src, dst = copy["variant"].split("-")[:2]
    wrong = [f"{name}, {step}: {row['status']}, verified: {row['verified']}, {row['n']} samples, discarded: {row['discarded']}"
             for step, row in rows.items()
             if row["status"] not in ("ok", "below_min_span") or not row["verified"] or row["n"] != 5 or row["bytes"] != size]
    if (copy["src"], copy["dst"]) != (src, dst):
        wrong.append(f"{name}: from {copy['src']} to {copy['dst']}")
    for i, (copied, wall) in enumerate(zip(copy["samples_ns"], rows["wall_timestamped"]["samples_ns"])):
        if not 0 < copied * copy["trials"] <= wall * copy["trials"]:
            wrong.append(f"{name}, sample {i}: {copied} within {wall}")
    if copy["zero_copy"] and not copy["variant"].endswith("-map"):
        wrong.append(f"{name}: a copy is called none")
    return wrong


def check_model(name, models, largest):
    """The models of one direction; returns what is wrong."""
    if sorted(models) != ["copy", "wall"]:
        return [f"{name}: models of {sorted(models)}"]
    states = {model["state"] for model in models.values()}
    if not name.endswith("-map"):
        expected = {"ok", "flat", "no_line", "none"}
    elif largest >= SURE_BYTES:
        expected = {"zero_copy"}
    else:
        expected = {"zero_copy", "flat", "no_line", "none"}
    return [] if states <= expected else [f"{name}: its models are {sorted(states)}"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    sizes = [int(size) for size in sys.argv[3].split(",")]
    wrong = []
    devices = {sys.argv[2]: sys.argv[4:]}
    devices["cpu:0"] = YARDSTICK
    for device, directions in devices.items():
        of_device = [row for row in result["series"] if row["device"] == device]
        found = {row["variant"] for row in of_device}
        if found != set(directions):
            wrong.append(f"{device}: its directions are {sorted(found)}")
        for direction in directions:
            for size in sizes:
                rows = {row["step"]: row for row in of_device
                        if row["variant"] == direction and row["params"]["size"] == size}
                wrong += check_size(f"{direction}, {size}", rows, size)
            models = {model["step"]: model for model in result["transfers"]
                      if model["device"] == device and model["variant"] == direction}
            wrong += check_model(direction, models, max(sizes))
        print(f"{device}: {len(directions)} directions, {len(sizes)} sizes")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


sys.exit(main())
