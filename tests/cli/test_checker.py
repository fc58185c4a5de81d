#!/usr/bin/python3
"""check_json.py, recompute_raw.py, check_csv.py and check_trace.py themselves: each lie told in a good file must be found.

usage: test_checker.py KERNTIME"""
import contextlib
import copy
import csv
import io
import json
import math
import os
import runpy
import subprocess
import sys
import tempfile
from decimal import Decimal

import check_csv
import check_json
import check_trace

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "..", "..", "docs", "kerntime-1.schema.json")


def produce(kerntime, path):
    """A file with everything in it: two devices, discarded stamps, samples below the floor, raw stamps, baselines."""
    command = [kerntime, "bench", "matmul", "--size", "8", "-d", "sim:0:jitter_ns=4000,zero=0.2,seed=7",
               "-d", "sim:1:kernel_ns=50", "-d", "sim:2:bits=32,period_ns=52.083333", "-d", "cpu:0",
               "--baseline-samples", "3", "--samples", "20..20", "--raw", "--json", path, "--csv", path + ".csv", "-q"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def accepts(script, path):
    """By the whole script, in a child that has loaded already what takes longest to load."""
    child = os.fork()
    if child != 0:
        return os.waitpid(child, 0)[1] == 0
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        sys.argv = [script, *([SCHEMA] if script == "check_json.py" else []), path]
        runpy.run_path(os.path.join(HERE, script), run_name="__main__")
        code = 0
    except SystemExit as end:
        code = 0 if end.code in (0, None) else 1
    finally:
        os._exit(code)


def changes():
    """Name, script, and what to do to the document: each makes it wrong in one place."""
    def series(index, key, value):
        return lambda j: j["series"][index].__setitem__(key, value)

    def scale(index, key):
        return lambda j: j["series"][index].__setitem__(key, j["series"][index][key] * (1 + 1e-9))

    yield "another schema", lambda j: j.__setitem__("schema", "kerntime/2")
    yield "an unknown document", lambda j: j.__setitem__("document", "poem")
    yield "an unknown key", lambda j: j.__setitem__("mood", "good")
    yield "a key is missing", lambda j: j["series"][0].pop("stop")
    yield "an unknown key of a series", series(0, "mood", "good")
    yield "an unknown status", series(0, "status", "fine")
    yield "an unknown method", series(0, "method", "guess")
    yield "n as text", series(0, "n", "17")
    yield "a negative sample", lambda j: j["series"][0]["samples_ns"].__setitem__(0, -1)
    yield "an unknown state", lambda j: j["series"][0]["discarded"].__setitem__("odd", 0)
    yield "ticks as a number", lambda j: j["series"][0]["raw"][0].__setitem__("start_ticks", 5)
    yield "half a pair of stamps", lambda j: j["series"][0]["raw"][0].pop("end_ticks")
    yield "a failure without a sentence", series(0, "error", None)
    yield "a sentence without a failure", series(3, "error", "oh")
    yield "a summary below the floor", series(3, "median_ns", 100)
    yield "a wall time by a device clock", series(1, "clock", "device")
    for key in ("min_ns", "median_ns", "mean_ns", "max_ns", "stddev_ns", "mad_ns", "p95_ns", "median_total_ns"):
        yield key + " is not that of the samples", scale(0, key)
    yield "the interval's lower end", lambda j: j["series"][0]["ci95_ns"].__setitem__(0, j["series"][0]["min_ns"])
    yield "the interval's upper end", lambda j: j["series"][0]["ci95_ns"].__setitem__(1, j["series"][0]["max_ns"])
    yield "no interval", series(0, "ci95_ns", None)
    yield "outliers past the samples", series(0, "outliers", {"low": 9, "high": 9})
    yield "no outliers", series(0, "outliers", None)
    yield "a spread beyond all samples", lambda j: j["series"][0].__setitem__("robust_stddev_ns", 1e9)
    yield "an interval beside its percentile", lambda j: j["series"][0].__setitem__(
        "p95_ci95_ns", [j["series"][0]["p95_ns"] + 1, j["series"][0]["p95_ns"] + 2])
    yield "half an interval", series(0, "p95_ci95_ns", [1])
    yield "a grid beyond all samples", series(0, "resolution_ns", 1e9)
    yield "a grid of 0", series(0, "resolution_ns", 0)
    yield "an inflation below 0", series(0, "inflation", -1)
    yield "an unknown pattern", series(0, "warnings", ["boredom"])
    yield "a drift without its size", series(0, "warnings", ["drift"])
    yield "a drift that was not noticed", series(0, "drift", 0.02)
    yield "levels without their times", series(0, "warnings", ["bimodal"])
    yield "levels beyond all samples", lambda j: j["series"][0].update(
        warnings=["bimodal"], clusters={"low_ns": 1, "high_ns": 2, "high_share": 0.5})
    yield "a level without samples", lambda j: j["series"][0].update(warnings=["bimodal"], clusters={
        "low_ns": j["series"][0]["min_ns"], "high_ns": j["series"][0]["max_ns"], "high_share": 1})
    yield "an interval in spite of a drift", lambda j: j["series"][0].update(warnings=["drift"], drift=0.02)
    yield "a pattern below the floor", series(3, "warnings", ["coarse_clock"])
    yield "cold as a text", series(0, "cold", "no")
    yield "a warm-up below 0", series(0, "warmup_ns", -1)
    yield "a warm-up that ended in a way of its own", series(0, "warmup_end", "none")
    yield "a sample too few", lambda j: j["series"][0]["samples_ns"].pop()
    yield "discarded stamps forgotten", lambda j: j["series"][0]["discarded"].__setitem__("zero", 2)
    yield "below_min_span forgotten", lambda j: j["series"][3]["discarded"].__setitem__("below_min_span", 19)
    yield "above the floor after all", lambda j: j["devices"][1].__setitem__("min_span_ns", 1)
    yield "below the floor after all", lambda j: j["devices"][2].__setitem__("min_span_ns", 1e6)
    yield "an unlisted device", series(0, "device", "sim:3")
    yield "an argument beyond all memories", lambda j: j["devices"][1].__setitem__("max_argument_bytes", (2 << 30) + 1)
    yield "a device listed twice", lambda j: j["devices"].append(j["devices"][0])
    yield "a step twice", lambda j: j["series"].append(j["series"][0])
    yield "a total of one step", series(2, "step", "total")
    yield "speed-up", lambda j: scale(-1, "speedup")(j)
    yield "a speed-up of a simulated device", series(0, "speedup", 2.0)
    yield "a baseline's median", lambda j: j["baselines"][0].__setitem__("median_ns", 1)


def step_changes():
    """Name, and what to do to a file of one job of several steps: as above."""
    def sample(step, what):
        def change(j):
            series = next(s for s in j["series"] if s["step"] == step)
            series["samples_ns"][3] = what(series["samples_ns"][3])
        return change

    def row(step, what):
        return lambda j: what(next(s for s in j["series"] if s["step"] == step))

    yield "no gaps", lambda j: j["series"].remove(next(s for s in j["series"] if s["step"] == "gaps"))
    for step in ("total", "gaps", "span"):
        yield f"the last bit of a sample of {step}", sample(step, lambda x: math.nextafter(x, math.inf))
    yield "a step of another sample", sample("scan 0", lambda x: x + 1)
    yield "an overlap that is counted twice", row("gaps", lambda s: s["discarded"].__setitem__("negative", 1))
    yield "gaps below the floor", row("gaps", lambda s: s.__setitem__("status", "below_min_span"))
    yield "bytes of gaps", row("gaps", lambda s: s.__setitem__("bytes", 8))
    yield "a total below the floor of one step", lambda j: j["devices"][0].__setitem__("min_span_ns", 50000)


def copy_changes():
    """Name, and what to do to a file of copies in two directions, of which one copies nothing."""
    def model(index, key, value):
        return lambda j: j["transfers"][index].__setitem__(key, value)

    yield "no models", lambda j: j.pop("transfers")
    yield "a model is missing", lambda j: j["transfers"].pop()
    yield "a model twice", lambda j: j["transfers"].append(j["transfers"][0])
    yield "another kind of memory", model(0, "src", "shared")
    yield "a size of half bandwidth", lambda j: model(0, "half_bytes", j["transfers"][0]["half_bytes"] * (1 + 1e-9))(j)
    yield "a latency beside its interval", lambda j: model(0, "latency_ns", j["transfers"][0]["latency_ci95_ns"][1] + 1)(j)
    yield "a bandwidth beside its interval", lambda j: model(0, "gb_per_s", j["transfers"][0]["gb_per_s_ci95"][0] - 0.1)(j)
    yield "a line that ends where nothing was measured", model(0, "to_bytes", 8193)
    yield "more points than sizes", model(0, "points", 99)
    yield "larger sizes than the largest", model(0, "above", 0.5)
    yield "a line of nothing", model(0, "state", "no_line")
    yield "a bandwidth of a zero copy", model(2, "gb_per_s", 1)
    yield "a zero copy that copies", lambda j: [s.__setitem__("zero_copy", False) for s in j["series"]]
    yield "a copy that does not", lambda j: j["series"][0].__setitem__("zero_copy", True)


def doctor_changes():
    """Of the findings of a device, the last of which is the shortest kernel."""
    def finding(key, value):
        return lambda j: j["diagnostics"][-1].__setitem__(key, value)

    yield "no findings", lambda j: j.pop("diagnostics")
    yield "none of a device", lambda j: j["diagnostics"].clear()
    yield "an unlisted device", finding("device", "sim:3")
    yield "an unknown severity", finding("severity", "bad")
    yield "nothing seen", finding("seen", None)
    yield "an unknown key of a finding", finding("mood", "good")
    yield "a number as text", finding("values", {"shortest_ns": "5"})
    yield "a number with a unit in its name", finding("values", {"shortest_ns": None, "of grid (ns)": 1})
    yield "a number that is explained nowhere", lambda j: j["diagnostics"][-1]["values"].__setitem__("tick_ns", 1)
    yield "no shortest kernel", lambda j: j["diagnostics"].pop()
    yield "it stands twice", lambda j: j["diagnostics"].append(j["diagnostics"][-1])
    yield "something stands behind it", lambda j: j["diagnostics"].append({**j["diagnostics"][-1], "check": "resolution"})
    yield "a number and no number", lambda j: j["diagnostics"][-1]["values"].__setitem__(
        "shortest_ns", 5 if j["diagnostics"][-1]["values"]["shortest_ns"] is None else None)
    yield "a warning of which nothing follows", lambda j: j["diagnostics"].insert(
        0, {**j["diagnostics"][-1], "check": "resolution", "severity": "warning", "means": None})
    yield "a series", lambda j: j["series"].append({})
    yield "findings of another document", lambda j: j.__setitem__("document", "devices")


def compare_changes():
    """Name, and what to do to a comparison in which one row is slower, one is the same, one only in the contender."""
    def row(verdict, key, value):
        return lambda j: next(r for r in j["rows"] if r["verdict"] == verdict).__setitem__(key, value)

    yield "no verdict", lambda j: j.pop("verdict")
    yield "it is the same on the whole", lambda j: j.__setitem__("verdict", "same")
    yield "one more that is slower", lambda j: j["counts"].__setitem__("slower", 2)
    yield "an unknown verdict", row("slower", "verdict", "worse")
    yield "slower is faster", row("slower", "verdict", "faster")
    yield "slower by less than matters", row("slower", "shift", 0.005)
    yield "slower by chance", row("slower", "q", 0.06)
    yield "a q below its p", row("slower", "p", 0.04)
    yield "a change beside its interval", row("slower", "shift_ci95", [0.9, 1])
    yield "runs that decide what is decided", row("slower", "runs_needed", 9)
    yield "the same, which these runs cannot decide", row("same", "min_detectable_effect", 0.011)
    yield "decidable by no runs", row("slower", "min_detectable_effect", None)
    yield "another median", row("slower", "baseline_ns", 1)
    yield "the same samples of other medians", row("same", "contender_ns", 1)
    yield "the same samples of a change", row("slower", "identical", True)
    yield "more runs than there are", row("same", "contender_runs", 6)
    yield "fewer runs than there are", row("same", "contender_runs", 4)
    yield "the same, but why", row("same", "reason", "oh")
    yield "not compared, but no why", row("none", "reason", None)
    yield "not compared, for another why", row("none", "reason", "only in the baseline")
    yield "not compared, but a change", row("none", "shift", 0.1)
    yield "a row is missing", lambda j: (j["rows"].pop(), j["counts"].__setitem__("not_compared", 0))
    yield "a row of no device", row("same", "device", "sim:9")
    yield "a run failed of which the whole says nothing", row("same", "contender_failed", 1)
    yield "runs failed that are not counted", lambda j: j["counts"].__setitem__("partly", 1)
    yield "an error, and none failed", row("same", "error", "oh")
    yield "more groups than rows", lambda j: j["common_mode"].__setitem__("groups", 99)
    yield "unclear what is not there", lambda j: j["common_mode"].__setitem__("unclear", True)
    yield "noise assumed where it was seen", lambda j: j["options"].__setitem__("run_noise", 0.005)
    yield "series", lambda j: j.__setitem__("series", [])
    yield "an unknown key of a row", row("same", "mood", "good")


def raw_changes():
    yield "a sample", lambda j: j["series"][0]["samples_ns"].__setitem__(0, j["series"][0]["samples_ns"][0] * 1.00001)
    yield "a stamp", lambda j: j["series"][6]["raw"][3].__setitem__("end_ticks", "1")
    yield "the period", lambda j: j["devices"][2]["clocks"][0].__setitem__("period_ns", 52.08334)
    yield "the trials", lambda j: j["series"][0].__setitem__("trials", 2)
    yield "a state", lambda j: j["series"][0]["raw"][0].__setitem__("state", "lost")
    yield "a wall time", lambda j: j["series"][1]["raw"][0].__setitem__("host_after_ns", 2000000000)
    yield "a time by a clock that is not there", lambda j: j["series"][0].__setitem__("context_ns", 5)
    yield "no raw stamps", lambda j: j["series"][0].pop("raw")


def write_rows(rows, end="\n"):
    text = io.StringIO()
    csv.writer(text, lineterminator=end).writerows(rows)
    return text.getvalue()


def csv_changes(text):
    """Name, and the text with one field, name, row or line end made wrong."""
    rows = list(csv.reader(io.StringIO(text)))
    for index in range(len(rows)):
        for column, name in enumerate(rows[0]):
            changed = copy.deepcopy(rows)
            changed[index][column] = "0" if rows[index][column] == "" else "1" + rows[index][column]
            yield f"row {index}: {name}", write_rows(changed)
    yield "a row is missing", write_rows(rows[:-1])
    yield "a row twice", write_rows([*rows, rows[-1]])
    yield "a column is missing", write_rows([row[:-1] for row in rows])
    yield "other line ends", write_rows(rows, "\r\n")
    yield "the last line has no end", text[:-1]


def check_csv_changes(document, path):
    wrong = 0
    with open(path, encoding="utf-8", newline="") as file:
        good = file.read()
    for name, text in [("the good file", good), *csv_changes(good)]:
        if (next(check_csv.differences(document, text), None) is None) != (text == good):
            print(f"check_csv.py: is wrong about: {name}")
            wrong += 1
    return wrong


def trace_changes():
    """Name, and what to do to a trace: each makes it wrong in one place."""
    def events(trace, kind):
        return [event for event in trace["traceEvents"] if event.get("cat") == kind]

    def add_us(event, key, us):
        event[key] += Decimal(us)

    def change(kind, index, key, us):
        return lambda t: add_us(events(t, kind)[index], key, us)

    def argument(kind, index, key, value):
        return lambda t: events(t, kind)[index]["args"].__setitem__(key, value)

    def remove(kind, index):
        return lambda t: t["traceEvents"].remove(events(t, kind)[index])

    def metadata(name, what):
        return lambda t: what(t["traceEvents"], next(e for e in t["traceEvents"] if e["name"] == name))

    yield "a submission too early", change("submit", 3, "ts", "-0.001")
    yield "a submission too long", change("submit", 3, "dur", "0.001")
    yield "a wait too long", change("wait", -1, "dur", "0.001")
    yield "a wait too short", change("wait", 5, "dur", "-0.001")
    yield "everything is late", lambda t: [add_us(e, "ts", "0.001") for e in t["traceEvents"] if "ts" in e]
    yield "one time line is late", lambda t: [add_us(e, "ts", "0.001") for e in t["traceEvents"] if "ts" in e and e["pid"] == 2]
    yield "a step too early", change("kernel", 4, "ts", "-50.000")
    yield "a step too late", change("kernel", 4, "ts", "50.000")
    yield "a step too long", change("kernel", 4, "dur", "500.000")
    yield "a step of another sample", argument("kernel", -1, "sample", 7)
    yield "a step of another job", argument("kernel", -1, "job", "matmul/9")
    yield "a step without an uncertainty", argument("kernel", -1, "uncertainty_ns", None)
    yield "a step is missing", remove("kernel", -1)
    yield "a submission is missing", remove("submit", -1)
    yield "a wait is missing", remove("wait", -1)
    yield "a sample twice", argument("submit", -1, "sample", 0)
    yield "a first use later", argument("wait", 4, "phase", "first use")
    yield "a negative span", lambda t: events(t, "wait")[0].__setitem__("dur", Decimal("-1.000"))
    yield "two decimals", lambda t: events(t, "wait")[0].__setitem__("dur", Decimal("1.00"))
    yield "a track without a name", metadata("thread_name", lambda all, e: all.remove(e))
    yield "a group without a place", metadata("process_sort_index", lambda all, e: all.remove(e))
    yield "another group's name", metadata("process_name", lambda all, e: e["args"].__setitem__("name", "sim:9"))
    yield "another track's name", metadata("thread_name", lambda all, e: e["args"].__setitem__("name", "kernel"))
    yield "two tracks of one number", metadata("thread_name", lambda all, e: e.__setitem__("tid", 1))
    yield "a group of no time line", lambda t: t["otherData"]["timelines"].pop()
    yield "no time lines", lambda t: t.pop("otherData")
    yield "an unknown kind of event", lambda t: events(t, "kernel")[0].__setitem__("ph", "B")
    yield "an unknown category", lambda t: events(t, "kernel")[0].__setitem__("cat", "noise")


def check_trace_changes(kerntime, path):
    wrong = 0
    command = [kerntime, "bench", "matmul", "--size", "8", "-d", "sim:0:calibration_jitter_ns=0,kernel_ns=5000", "-d", "sim:1",
               "--samples", "5..5", "--max-time", "1us", "--trace", path, "--json", path + ".json", "-q"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    good, result = check_trace.load(path), check_trace.load(path + ".json")
    for name, change in (("the good file", lambda t: None), *trace_changes()):
        trace = copy.deepcopy(good)
        change(trace)
        same = trace == good
        if same != (name == "the good file") or bool(check_trace.check(trace, result)) == same:
            print(f"check_trace.py: is wrong about: {name}")
            wrong += 1
    return wrong


def check_changes(command, path, changes, code=0):
    """A changed sample is another summary, too; but that is not what has to be found here."""
    wrong = 0
    ended = subprocess.run([*command, "--json", path, "-q"], stdout=subprocess.DEVNULL, check=False)
    if ended.returncode != code:
        print(f"{' '.join(command)}: exit {ended.returncode}")
        wrong += 1
    good, schema = check_json.load(path), check_json.load(SCHEMA)
    for name, change in (("the good file", lambda j: None), *changes):
        document = copy.deepcopy(good)
        change(document)
        valid = not list(check_json.jsonschema.Draft202012Validator(schema).iter_errors(document))
        kind = check_json.Comparison if document.get("document") == "compare" else check_json.Checker
        checker = kind(path, document)
        checker.check_summary = lambda series: None
        with contextlib.redirect_stdout(io.StringIO()):
            accepted = valid and checker.run() == 0
        if accepted != (document == good) or (document == good) != (name == "the good file"):
            print(f"check_json.py: is wrong about: {name}")
            wrong += 1
    return wrong


def check_step_changes(kerntime, path):
    return check_changes([kerntime, "bench", "sort", "--size", "1000", "--trials", "7", "--samples", "20..20", "-d",
                          "sim:0:jitter_ns=4000,period_ns=52.083333,kernel_ns=9000"], path, step_changes())


def check_copy_changes(kerntime, path):
    return check_changes([kerntime, "copy", "--size", "8KiB..4MiB", "--samples", "6..6", "-d", "sim:0:jitter_ns=100",
                          "--direction", "heap-device,device-host-map"], path, copy_changes())


def check_doctor_changes(kerntime, path):
    return check_changes([kerntime, "doctor", "-d", "sim:0"], path, doctor_changes())


def check_compare_changes(kerntime, path):
    """Without noise from run to run a row is slower or not whatever the dice."""
    for name, kernel_ns, sizes in (("baseline", 100000, "8"), ("contender", 103000, "8,9")):
        subprocess.run([kerntime, "bench", "matmul", "--size", sizes, "--runs", "5", "--samples", "10..10", "-d",
                        f"sim:0:kernel_ns={kernel_ns},jitter_ns=200", "--json", path + name, "-q"],
                       stdout=subprocess.DEVNULL, check=True)
    document = check_json.load(path + "contender")  # its wall times are those of BASE
    device = document["devices"][0]["id"]
    walls = [{**series, "device": device} for series in check_json.load(path + "baseline")["series"] if series["kind"] == "wall"]
    document["series"] = [s for s in document["series"] if s["kind"] != "wall"] + walls
    with open(path + "contender", "w", encoding="utf-8") as file:
        json.dump(document, file)
    return check_changes([kerntime, "compare", path + "baseline", path + "contender"], path, compare_changes(), 1)


def main(kerntime):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        good = produce(kerntime, path)
        for script, lies in (("check_json.py", changes()), ("recompute_raw.py", raw_changes())):
            if not accepts(script, os.path.join(folder, "file")):
                print(f"{script}: refuses the good file")
                wrong += 1
            for name, change in lies:
                document = copy.deepcopy(good)
                change(document)
                with open(path + ".changed", "w", encoding="utf-8") as file:
                    json.dump(document, file)
                if document == good or accepts(script, path + ".changed"):
                    print(f"{script}: does not find: {name}")
                    wrong += 1
        wrong += check_csv_changes(good, path + ".csv")
        wrong += check_step_changes(kerntime, path) + check_copy_changes(kerntime, path)
        wrong += check_trace_changes(kerntime, path) + check_doctor_changes(kerntime, path)
        wrong += check_compare_changes(kerntime, path)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
