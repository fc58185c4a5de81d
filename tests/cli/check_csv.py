#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks that a CSV says the same as the JSON of the same result, read by Python's own two readers.

usage: check_csv.py RESULT.json RESULT.csv

What becomes of control characters and formulas is written down in docs/csv.md."""
import csv
import io
import json
import os
import re
import sys

BEFORE = ["name", "workload"]
AFTER = ["variant", "device", "run", "step", "kind", "status", "error", "method", "clock", "trials", "verified",
         "zero_copy", "cold", "src", "dst", "bytes", "flops", "first_use_ns", "warmup_n", "warmup_ns", "warmup_end", "stop", "n",
         "discarded"]
STATE = ["throttled", "throttle", "core_clock_mhz", "temperature_c", "power_w", "energy_j", "energy_ci95_low_j", "energy_ci95_high_j",
         "gflop_per_j"]
LAST = ["warnings", "median_total_ns", "context_ns", "speedup", "speedup_ci95_low",
        "speedup_ci95_high", "speedup_best", "speedup_best_ci95_low", "speedup_best_ci95_high", "gb_per_s", "gflop_per_s", "sequential_ns", "best_ns",
        "clock_resolution_ns", "started", "host", "device_name", "driver", *STATE]
THROTTLE = ["power_cap", "thermal", "hardware", "current", "other", "idle", "clock_setting"]
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "result-statistics.md")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?")
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def read_table():
    """The statistics, from the table of docs/result-statistics.md: {column: (key, place in what it holds, or None)}."""
    with open(DOCUMENT, encoding="utf-8") as file:
        rows = re.findall(r"^\| `(\w+)(?:\[(\d)\]|\.(\w+))?` \| (?:`(\w+)` )?\|", file.read(), flags=re.M)
    return {column or key: (key, int(index) if index else part or None) for key, index, part, column in rows}


def printable(text):
    return CONTROL.sub("\ufffd", re.sub("[\v\f]", " ", text))


def baseline(document, series, name):
    found = [b["median_ns"] for b in document["baselines"] if b["name"] == name and
             b["workload"] == series["workload"] and b["params"] == series["params"]]
    return found[-1] if found else None


def rate(amount, ns):
    return amount / ns if amount is not None and ns else None


def has_rate(document, series):
    """No rates of what copies nothing, and of a mapping only if its times lie on a line."""
    if series["workload"] != "copy" or not (series["variant"] or "").endswith("-map"):
        return not series["zero_copy"]
    step = "wall" if series["kind"].startswith("wall") else "copy"
    return any((model["device"], model["variant"], model["step"], model["state"]) ==
               (series["device"], series["variant"], step, "ok") for model in document.get("transfers", []))


STATISTICS = read_table()


def value(document, series, column):
    if column == "started":
        return document["started"]
    if column == "host":
        return document["host"].get("name")
    if column in ("device_name", "driver"):
        return next(d[column.removeprefix("device_")] for d in document["devices"] if d["id"] == series["device"])
    if column.startswith("param_"):
        return next((number for name, number in series["params"].items() if "param_" + printable(name) == column), None)
    if column == "discarded":
        return sum(series["discarded"].values())
    if column in STATISTICS:
        key, place = STATISTICS[column]
        return series[key] if place is None or series[key] is None else series[key][place]
    if column == "warnings":
        return " ".join(series["warnings"])
    if column == "gb_per_s":
        return rate(series["bytes"], series["median_ns"]) if has_rate(document, series) else None
    if column == "gflop_per_s":
        return rate(series["flops"], series["median_ns"])
    if column in ("sequential_ns", "best_ns"):
        return baseline(document, series, column[:-len("_ns")])
    if column.startswith("speedup") and "_ci95_" in column:
        key, end = column.rsplit("_", 1)
        return series[key] and series[key][end == "high"]
    if column == "clock_resolution_ns":
        return series.get(column)
    if column in STATE:
        return of_state(series, column)
    return series[column]


def of_state(series, column):
    state, energy = series.get("state"), series.get("energy", {})
    if column == "throttled":
        return series["discarded"]["throttled"] if state else None
    if column == "throttle":
        return " ".join(word for word in THROTTLE if state and word in state["throttle"] + state["left_out"])
    if column.startswith("energy"):
        return energy.get("dispatch_j" if column == "energy_j" else column[len("energy_"):])
    return energy.get(column) if column == "gflop_per_j" else (state or {}).get(column)


def is_same(field, wanted):
    if wanted is None:
        return field == ""
    if isinstance(wanted, bool):
        return field == ("true" if wanted else "false")
    if isinstance(wanted, str):
        return field == ("'" if wanted[:1] in tuple("=+-@\t\r\n") else "") + printable(wanted)
    return NUMBER.fullmatch(field) is not None and float(field) == wanted


def differences(document, text):
    """What the CSV says otherwise than the JSON, one sentence each."""
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    params = dict.fromkeys("param_" + printable(name) for series in document["series"] for name in series["params"])
    columns = [*BEFORE, *params, *AFTER, *STATISTICS, *LAST]
    if head != columns:
        yield f"the columns are {head}"
    if len(rows) != len(document["series"]):
        yield f"{len(rows)} rows for {len(document['series'])} series"
    if "\r" in re.sub('"[^"]*"', "", text) or not text.endswith("\n"):
        yield "a line does not end in a line feed alone"
    for number, (row, series) in enumerate(zip(rows, document["series"])):
        if len(row) != len(columns):
            yield f"row {number} has {len(row)} fields"
        for column, field in zip(columns, row):
            if not is_same(field, value(document, series, column)):
                yield f"row {number}: {column} is {field!r}, not {value(document, series, column)!r}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        wrong = list(differences(document, file.read()))
    print("\n".join(wrong) or f"{len(document['series'])} rows say the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
