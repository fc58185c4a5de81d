# SPDX-License-Identifier: MIT
# What readers of other formats take of a result, by their sources and documents:
#   Google Benchmark's tools/compare.py, github-action-benchmark (`googlecpp` and `customSmallerIsBetter`), bencher (`json`).
# usage: check_formats.py RESULT.json GBENCH.json BMF.json ACTION.json
import json
import re
import statistics
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def is_time(value):
    return type(value) in (int, float) and value > 0


def name_of(series, twins):
    device = series["device"] if twins else ":".join(series["device"].split(":")[:2])
    parts = [series["name"], series["variant"], series["step"], "cold" if series["cold"] else None, device]
    return "/".join(part for part in parts if part)


# Names to medians over runs, or None, of the times that `kerntime compare` matches.
def expected(result):
    plain = [":".join(device["id"].split(":")[:2]) for device in result["devices"]]
    twins = len(set(plain)) < len(plain)
    medians, wrong = {}, set()
    for series in result["series"]:
        if series["step"] not in ("gaps", "wall_timestamped"):
            medians.setdefault(name_of(series, twins), []).append(series["median_ns"])
            wrong |= {name_of(series, twins)} if series.get("wrong") else set()
    known = {name: [m for m in all if m is not None] for name, all in medians.items()}
    return {name: statistics.median(all) if all and name not in wrong else None for name, all in known.items()}


def check_gbench(document, wanted):
    assert document["context"]["caches"] == []
    assert document["context"]["json_schema_version"] == 1
    assert isinstance(document["context"]["date"], str)
    assert [b["run_name"] for b in document["benchmarks"]] == list(wanted)
    for b in document["benchmarks"]:
        assert len(b["name"].encode()) <= 1024 and b["threads"] == 1
        if wanted[b["run_name"]] is None:
            # compare.py takes all but aggregates for times.
            assert b["run_type"] == "aggregate" and b["name"] == b["run_name"] + "_" + b["aggregate_name"]
            assert b["error_occurred"] is True and b["error_message"]
            assert "real_time" not in b and "cpu_time" not in b
            continue
        assert "error_occurred" not in b and b["run_type"] == "iteration" and b["name"] == b["run_name"]
        assert b["real_time"] == wanted[b["name"]] and is_time(b["cpu_time"]) and b["time_unit"] == "ns"
        assert type(b["iterations"]) is int and b["iterations"] > 0


def check_bmf(document, wanted):
    assert list(document) == [name for name in wanted if wanted[name] is not None]
    for name, measures in document.items():
        latency = measures["latency"]
        assert list(measures) == ["latency"] and latency["value"] == wanted[name]
        assert set(latency) in ({"value"}, {"value", "lower_value", "upper_value"})
        assert latency.get("lower_value", 0) <= latency["value"] <= latency.get("upper_value", latency["value"])


def check_action(document, wanted, bmf):
    assert [bench["name"] for bench in document] == [name for name in wanted if wanted[name] is not None]
    for bench in document:
        assert set(bench) <= {"name", "unit", "value", "range", "extra"}
        assert bench["unit"] == "ns" and bench["value"] == wanted[bench["name"]] and isinstance(bench["extra"], str)
        latency = bmf[bench["name"]]["latency"]
        assert ("range" in bench) == ("lower_value" in latency)
        if "range" in bench:
            half = float(re.fullmatch("± ([0-9.e+-]+)", bench["range"]).group(1))
            far = max(latency["value"] - latency["lower_value"], latency["upper_value"] - latency["value"])
            assert abs(half - far) <= 1e-5 * far


wanted = expected(load(sys.argv[1]))
assert wanted
check_gbench(load(sys.argv[2]), wanted)
check_bmf(load(sys.argv[3]), wanted)
check_action(load(sys.argv[4]), wanted, load(sys.argv[3]))
