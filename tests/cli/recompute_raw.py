#!/usr/bin/python3
"""Computes the samples of a --raw result file anew from its stamps, in whole numbers and exact fractions.

usage: recompute_raw.py [--order] FILE...

--order: device and host share one clock in ns, so each submission must obey
         host_before <= queued <= submitted <= start < end <= host_after."""
import json
import sys
from fractions import Fraction

TOLERANCE = Fraction(1, 10**9)  # relative


def device_span_ns(raw, clock):
    """Counters wrap: the distance is taken modulo their width before it becomes a time."""
    modulus = 1 << (clock["valid_bits"] or 64)  # unknown: it was not seen to wrap
    ticks = (int(raw["end_ticks"]) - int(raw["start_ticks"])) % modulus
    host_ns = raw["host_after_ns"] - raw["host_before_ns"]
    if modulus * Fraction(clock["period_ns"]) <= host_ns:
        raise ValueError("the counter may have wrapped more than once: choose a wider one")
    return ticks * Fraction(clock["period_ns"])


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


def recompute(series, clocks, order):
    """How many samples agree, and how many do not, each of which is told."""
    where = place(series)
    if series["kind"] != "wall" and series["clock"] is None:
        return 0, 0  # stamps that were not believed became no samples
    good = [raw for raw in series["raw"] if raw["state"] == "ok"]
    if len(good) != len(series["samples_ns"]):
        print(f"{where}: {len(good)} raw samples, but {len(series['samples_ns'])} samples")
        return 0, 1
    wrong = 0
    for i, (raw, sample) in enumerate(zip(good, series["samples_ns"])):
        total = wall_ns(raw) if series["kind"] == "wall" else device_span_ns(raw, clocks[series["clock"]])
        wanted = total / series["trials"]
        if abs(Fraction(sample) - wanted) > TOLERANCE * wanted:
            print(f"{where}: sample {i} is {float(sample)!r}, the stamps say {float(wanted)!r}")
            wrong += 1
        if order and series["kind"] != "wall" and not in_order(raw):
            print(f"{where}: sample {i} is out of order: {raw}")
            wrong += 1
    return len(good) - min(wrong, len(good)), wrong


def main(arguments):
    order = "--order" in arguments
    paths = [argument for argument in arguments if argument != "--order"]
    wrong = 0 if paths else 1
    for path in paths:
        with open(path, encoding="utf-8") as file:
            # Decimals as they stand, not as the nearest double.
            document = json.load(file, parse_float=Fraction)
        clocks = {d["id"]: {c["name"]: c for c in d["clocks"]} for d in document["devices"]}
        device_samples = wall_samples = wrapped = 0
        for series in document["series"]:
            if "raw" not in series:
                print(f"{place(series)}: no raw stamps")
                wrong += 1
                continue
            agree, differ = recompute(series, clocks[series["device"]], order)
            wrong += differ
            if series["kind"] == "wall":
                wall_samples += agree
            else:
                device_samples += agree
                wrapped += sum(map(wraps, series["raw"]))
        print(f"{path}: {device_samples} device times ({wrapped} across a wrap) and {wall_samples} wall times "
              "follow from their stamps")
        if not device_samples:  # nothing compared is nothing shown
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
