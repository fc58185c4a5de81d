#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Computes the samples of a --raw result file anew from its stamps, in whole numbers and exact fractions.

usage: recompute_raw.py [--order] [--lines LINES] FILE...

--order: device and host share one clock in ns, so each submission must obey
         host_before <= queued <= submitted <= start < end <= host_after.
--lines: what `bench --raw` printed of the same must say of each stamped submission what follows from its stamps."""
import json
import re
import statistics
import sys
from fractions import Fraction

TOLERANCE = Fraction(1, 10**9)  # relative


def clocks_of(series, clocks):
    """With the period that was found in the run that the series is of, where none was told."""
    found = series.get("clock_period_ns")
    return {name: dict(clock, period_ns=found) if found else clock for name, clock in clocks.items()}


def modulus_of(clock):
    return 1 << (clock["valid_bits"] or 64)  # unknown: it was not seen to wrap


def ticks_of(raw, clock, prefix=""):
    """Counters wrap: the distance is taken modulo their width before it becomes a time."""
    return (int(raw[f"{prefix}end_ticks"]) - int(raw[f"{prefix}start_ticks"])) % modulus_of(clock)


def device_span_ns(raw, clock, prefix=""):
    host_ns = raw["host_after_ns"] - raw["host_before_ns"]
    if modulus_of(clock) * Fraction(clock["period_ns"]) <= host_ns:
        raise ValueError("the counter may have wrapped more than once: choose a wider one")
    return ticks_of(raw, clock, prefix) * Fraction(clock["period_ns"])


def wall_ns(raw):
    return Fraction(raw["host_after_ns"] - raw["host_before_ns"])


def in_order(raw):
    moments = [raw["host_before_ns"], int(raw["queued_ticks"]), int(raw["submitted_ticks"]),
               int(raw["start_ticks"])]
    end = int(raw["end_ticks"])
    return moments == sorted(moments) and moments[-1] < end <= raw["host_after_ns"]


def place(series):
    variant = f" {series['variant']}" if series["variant"] else ""
    return f"{series['name']}{variant} on {series['device']}, {series['step']}"


def wraps(raw):
    return "start_ticks" in raw and int(raw["end_ticks"]) < int(raw["start_ticks"])


def near(value, wanted):
    return abs(Fraction(value) - wanted) <= TOLERANCE * wanted


def pausing_clock(clocks):
    return next((clock for clock in clocks.values() if clock.get("pauses")), None)


def contexts_ns(series, clocks):
    """Of the samples whose times by the clock that pauses can be told."""
    clock = pausing_clock(clocks)
    return [device_span_ns(raw, clock, "context_") for raw in series["raw"]
            if raw["state"] == "ok" and "context_start_ticks" in raw
            and not raw["context_start_ticks"] == raw["context_end_ticks"] == "0"]


def wrong_context(series, clocks):
    """1 if the series has another time by the clock that pauses than its stamps say."""
    told = series["context_ns"]
    spans = contexts_ns(series, clocks) if series["median_ns"] is not None else []
    if not spans and told is None:
        return 0
    wanted = statistics.median(spans) / series["trials"] if spans else None
    if spans and told is not None and near(told, wanted):
        return 0
    print(f"{place(series)}: context_ns is {told}, the stamps say {wanted and float(wanted)!r}")
    return 1


def printed_lines(path):
    """What each line of --raw says, by the words before its first key."""
    lines = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = re.match(r"raw (.*?) ((?:clock|queued|start|elapsed_ms|host_before_ns)=.*)", line)
            if words:
                lines[words[1]] = dict(re.findall(r'(\S+?)=("[^"]*"|\S+)', words[2]))
    return lines


def wanted_of(series, raw, clocks):
    """The keys of a stamped submission's line that say how long it took, as exact numbers."""
    clock = clocks[series["clock"]]
    wanted = {"ticks": ticks_of(raw, clock)}
    if raw["state"] == "ok":
        wanted["duration_ns"] = device_span_ns(raw, clock)
    if "context_start_ticks" in raw:
        pausing = pausing_clock(clocks)
        wanted["context_ticks"] = ticks_of(raw, pausing, "context_")
        if raw["state"] == "ok" and wanted["context_ticks"]:
            wanted["context_duration_ns"] = device_span_ns(raw, pausing, "context_")
    return wanted


def wrong_lines(series, clocks, lines):
    """How many lines of the series differ from what its stamps say, and how many were looked at."""
    variant = f" {series['variant']}" if series["variant"] else ""
    words = f"{series['name']}{variant} {series['device']} {series['step']}"
    names = ("ticks", "duration_ns", "context_ticks", "context_duration_ns")
    wrong = looked_at = 0
    clock = clocks.get(series["clock"])
    if clock and series["raw"]:
        head = lines.get(words, {})
        if (head.get("clock") != f'"{clock["name"]}"' or not near(head["period_ns"], Fraction(clock["period_ns"]))
                or int(head.get("valid_bits", 0)) != (clock["valid_bits"] or 0) or int(head["trials"]) != series["trials"]):
            print(f"{place(series)}: its clock's line says {head}")
            wrong += 1
    for i, raw in enumerate(series["raw"]):
        said = {k: v for k, v in lines[f"{words} {i} {raw['state']}"].items() if k in names}
        wanted = wanted_of(series, raw, clocks) if clock and "start_ticks" in raw else {}
        looked_at += bool(wanted)
        if said.keys() != wanted.keys() or not all(near(said[k], wanted[k]) for k in wanted):
            print(f"{place(series)}: line {i} says {said}, the stamps {({k: float(v) for k, v in wanted.items()})}")
            wrong += 1
    return wrong, looked_at


def recompute(series, clocks, order):
    """How many samples agree, and how many do not, each of which is told."""
    where = place(series)
    if not series["kind"].startswith("wall") and series["clock"] is None:
        return 0, 0  # stamps that were not believed became no samples
    good = [raw for raw in series["raw"] if raw["state"] == "ok"]
    if len(good) != len(series["samples_ns"]):
        print(f"{where}: {len(good)} raw samples, but {len(series['samples_ns'])} samples")
        return 0, 1
    wrong = 0
    for i, (raw, sample) in enumerate(zip(good, series["samples_ns"])):
        total = wall_ns(raw) if series["kind"].startswith("wall") else device_span_ns(raw, clocks[series["clock"]])
        wanted = total / series["trials"]
        if not near(sample, wanted):
            print(f"{where}: sample {i} is {float(sample)!r}, the stamps say {float(wanted)!r}")
            wrong += 1
        if order and not series["kind"].startswith("wall") and not in_order(raw):
            print(f"{where}: sample {i} is out of order: {raw}")
            wrong += 1
    return len(good) - min(wrong, len(good)), wrong


def main(arguments):
    order = "--order" in arguments
    paths = [argument for argument in arguments if argument != "--order"]
    lines = None
    if paths[:1] == ["--lines"]:
        lines = printed_lines(paths[1])
        paths = paths[2:]
    wrong = 0 if paths else 1
    for path in paths:
        with open(path, encoding="utf-8") as file:
            # Decimals as they stand, not as the nearest double.
            document = json.load(file, parse_float=Fraction)
        clocks = {d["id"]: {c["name"]: c for c in d["clocks"]} for d in document["devices"]}
        device_samples = wall_samples = wrapped = printed = contexts = 0
        for series in document["series"]:
            if "raw" not in series:
                print(f"{place(series)}: no raw stamps")
                wrong += 1
                continue
            of_run = clocks_of(series, clocks[series["device"]])
            agree, differ = recompute(series, of_run, order)
            wrong += differ + wrong_context(series, of_run)
            contexts += series["context_ns"] is not None
            if lines is not None:
                differ, looked_at = wrong_lines(series, of_run, lines)
                wrong += differ
                printed += looked_at
            if series["kind"].startswith("wall"):
                wall_samples += agree
            else:
                device_samples += agree
                wrapped += sum(map(wraps, series["raw"]))
        print(f"{path}: {device_samples} device times ({wrapped} across a wrap) and {wall_samples} wall times "
              "follow from their stamps")
        if contexts:
            print(f"{path}: {contexts} medians by a clock that pauses do, too")
        if lines is not None:
            print(f"{path}: {printed} lines say so")
        if not device_samples:  # nothing compared is nothing shown
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
