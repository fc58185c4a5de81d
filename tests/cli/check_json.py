#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks result files: against the schema, and that their numbers follow from their samples.

usage: check_json.py SCHEMA FILE...

The summaries are computed anew by summary.py, so nothing is shared with the library."""
import json
import math
import sys
from fractions import Fraction

import jsonschema
from check_compare import Comparison
from check_fleet import Fleet
from check_traced import Traced
from diagnostics_table import read_table
from summary import PLAIN_MAX, summarize

ROUNDING = Fraction(1, 10**12)  # relative; a double has 2^-53
WHOLE = ("total", "gaps", "span")  # of all steps, by the device's stamps
TOTALS = (*WHOLE, "wall", "wall_timestamped")


def unique_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key occurs twice: " + ", ".join(sorted(keys)))
    return dict(pairs)


def refuse_constant(text):
    raise ValueError(text + " is not JSON")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=unique_keys, parse_constant=refuse_constant)


def numbers(value):
    """A number, a list or an object of them, as a list; nothing of None."""
    return [] if value is None else list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]


def same_numbers(found, wanted, scale):
    """`scale`: the largest of the samples, whose rounding is in their differences."""
    found, wanted = numbers(found), numbers(wanted)
    return len(found) == len(wanted) and all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12 * scale) for a, b in zip(found, wanted))


def key_of(series):
    """Of one job on one device in one run."""
    return series["name"], series["variant"], series["device"], series["run"]


class Checker:
    def __init__(self, path, document):
        self.path, self.document, self.where, self.failures = path, document, "", 0
        self.devices = {device["id"]: device for device in document["devices"]}

    def expect(self, truth, message):
        if not truth:
            self.failures += 1
            print(f"{self.path}: {self.where}{message}")

    def expect_near(self, key, found, wanted, scale):
        if found is None or wanted is None:
            self.expect(found is None and wanted is None, f"{key} is {found}, should be {wanted}")
            return
        good = abs(Fraction(found) - wanted) <= ROUNDING * max(abs(wanted), scale)
        self.expect(good, f"{key} is {found!r}, should be {float(wanted)!r}")

    def has_timer_limits_of_its_run(self, series):
        """Whether its run found the step and the floor of the device: those of a real one, or of a period
        that had to be found, are the first run's."""
        device = self.devices[series["device"]]
        found = any(c["period_source"] in ("calibrated_timestamps", "bracketed_submissions") for c in device["clocks"])
        return series["run"] == 0 or (series["device"].startswith("sim:") and not found)

    @staticmethod
    def own_resolution(series, first):
        """The step that a later run has found, if it may be: about that of the first run, or not found in one of them."""
        own, tick = series["resolution_ns"] or 0, 1 / series["trials"]
        untold = not first or tick in (own, first)
        return own if not series["kind"].startswith("wall") and (untold or math.isclose(own, first, rel_tol=1e-4)) else first

    def resolution(self, series):
        """The step of the clock behind the samples."""
        device = self.devices[series["device"]]
        resolution = 0 if series["kind"].startswith("wall") else (device["resolution_ns"] or 0) / series["trials"]
        if not self.has_timer_limits_of_its_run(series):
            resolution = self.own_resolution(series, resolution)
        if not series["kind"].startswith("wall") and series.get("clock_resolution_ns"):  # floats of ms, the coarser the longer they are
            coarsest = 2 ** -23 * series["max_ns"] * len(self.document["series"]) if series["max_ns"] else 0
            self.expect(resolution <= series["clock_resolution_ns"] <= resolution + coarsest,
                        f"clock_resolution_ns is {series['clock_resolution_ns']}, should be {resolution} and at most {coarsest} more")
            resolution = series["clock_resolution_ns"]
        return resolution

    def check_summary(self, series):
        wanted = summarize(series["samples_ns"], self.resolution(series))
        if series["step"] == "gaps" and "warnings" in wanted:  # of which nothing is noticed
            wanted.update(warnings=[], drift=None, clusters=None)
        self.expect(series["warnings"] == wanted.pop("warnings", series["warnings"]), f"warnings are {series['warnings']}")
        for key, value in wanted.items():
            self.expect(same_numbers(series[key], value, series["max_ns"]), f"{key} is {series[key]}, should be {value}")
        self.expect_near("median_total_ns", series["median_total_ns"], Fraction(series["median_ns"]) * series["trials"], 0)

    @staticmethod
    def interval_of_ratio(a, b):
        """Of the ratio of two medians, on logarithms: each end is as far off as both medians together may be."""
        if not a["ci95_ns"] or not b["ci95_ns"] or not a["ci95_ns"][0] or not b["ci95_ns"][0]:
            return None
        (a_low, a_high), (b_low, b_high) = ([math.log(end / x["median_ns"]) for end in x["ci95_ns"]] for x in (a, b))
        ratio = a["median_ns"] / b["median_ns"]
        return [ratio * math.exp(-math.sqrt(a_low ** 2 + b_high ** 2)), ratio * math.exp(math.sqrt(a_high ** 2 + b_low ** 2))]

    def check_speedup(self, series, device, name, key):
        """Of a part or a cold job there is none, and `best` alone gives none."""
        same = [b for b in self.document["baselines"] if b["workload"] == series["workload"] and b["params"] == series["params"]]
        found = {b["name"]: b for b in same}
        baseline = found.get(name) if "sequential" in found else None
        if series["median_ns"] is None or device["type"] == "simulated" or series["cold"] or self.is_part(series):
            baseline = None
        wanted = baseline and Fraction(baseline["median_ns"]) / Fraction(series["median_ns"])
        self.expect_near(key, series[key], wanted, 0)
        interval = baseline and self.interval_of_ratio(baseline, series)
        self.expect(same_numbers(series[key + "_ci95"], interval, 0), f"{key}_ci95 is {series[key + '_ci95']}, should be {interval}")

    def check_baseline(self, baseline):
        wanted = summarize(baseline["samples_ns"], 0)
        self.expect(baseline["n"] == len(baseline["samples_ns"]), "n is not the number of samples_ns")
        self.expect(baseline["warnings"] == wanted.pop("warnings", baseline["warnings"]), f"warnings are {baseline['warnings']}")
        for key, value in wanted.items():
            self.expect(same_numbers(baseline[key], value, baseline["max_ns"]), f"{key} is {baseline[key]}, should be {value}")

    def check_states(self, series):
        bad = dict(series["discarded"])
        below_min_span = bad.pop("below_min_span")
        wanted = series["n"] if series["status"] == "below_min_span" else 0
        self.expect(below_min_span == wanted, f"discarded.below_min_span is {below_min_span}, should be {wanted}")
        if series["status"] == "ok":  # for those of a throttled device others were taken
            self.expect(not any(bad[state] for state in bad if state != "throttled"), "ok, but samples were discarded")
        if "raw" in series and series["method"] != "host-wall":
            states = [raw["state"] for raw in series["raw"]]
            self.expect(states.count("ok") == series["n"], "n is not the number of raw samples in state ok")
            for state, count in bad.items():
                self.expect(states.count(state) == count, f"discarded.{state} differs from raw")
        return series["n"] + sum(bad.values())

    def check_method(self, series, device):
        if series["kind"].startswith("wall"):
            wanted = "simulated" if device["type"] == "simulated" else "host-wall"
            self.expect(series["method"] == wanted, f"method is {series['method']}, should be {wanted}")
        elif series["clock"] is not None:
            methods = [c["method"] for c in device["clocks"] if c["name"] == series["clock"]]
            self.expect(methods == [series["method"]], f"method {series['method']} is not its clock's")
        else:
            self.expect(series["n"] == 0, "samples of a device's time without a clock")

    def check_min_span(self, series, device, spans):
        """No number to rank by if it cannot be told from that many empty steps."""
        if series["step"] == "gaps":
            self.expect(series["status"] != "below_min_span", "gaps have no floor")
        if series["kind"].startswith("wall") or series["step"] == "gaps" or series["n"] == 0 or \
                series["status"] not in ("ok", "below_min_span") or not self.has_timer_limits_of_its_run(series):
            return
        wanted = summarize(series["samples_ns"], self.resolution(series))
        interval = wanted["ci95_ns"] if series["n"] <= PLAIN_MAX else series["ci95_ns"]
        low = Fraction(interval[0] if interval else wanted["median_ns"])
        limits = next((c for c in device.get("clock_limits", []) if c["name"] == series["clock"]), device)
        finest = spans * max(Fraction(limits["min_span_ns"] or 0), Fraction(device["resolution_ns"]))
        total = low * series["trials"]
        if abs(total - finest) > ROUNDING * finest:  # else rounding decides
            self.expect((total < finest) == (series["status"] == "below_min_span"),
                        f"{float(total)} ns is {series['status']}, the floor is {float(finest)} ns")

    def check_series(self, series, device):
        self.expect(series["n"] == len(series["samples_ns"]), "n is not the number of samples_ns")
        if series["median_ns"] is not None:
            self.check_summary(series)
        self.check_speedup(series, device, "sequential", "speedup")
        self.check_speedup(series, device, "best", "speedup_best")
        self.check_method(series, device)
        return self.check_states(series)

    def is_part(self, series):
        """A baseline does the work of all steps, and none in the gaps between them."""
        return not series["kind"].startswith("wall") and series["step"] not in ("total", "span") and any(
            other["step"] == "total" and key_of(other) == key_of(series) for other in self.document["series"])

    def check_whole(self, rows, steps):
        """Of each sample: all steps are the total, and with what is between them the span, to the last bit."""
        if not all(step in rows for step in WHOLE):
            self.expect(False, "total, gaps and span are not all there")
            return
        total, gaps, span = ([Fraction(x) for x in rows[step]["samples_ns"]] for step in WHOLE)
        if len(total) == len(span):
            pairs = [(a, c) for a, c in zip(total, span) if a <= c]
            overlaps = len(total) - len(pairs)
            self.expect(len(pairs) == len(gaps), f"{len(gaps)} gaps of {len(pairs)} spans that have some")
            self.expect(rows["gaps"]["discarded"]["negative"] >= overlaps, f"{overlaps} samples of steps that overlap")
            for i, ((a, c), b) in enumerate(zip(pairs, gaps)):
                self.expect(a + b == c, f"gaps: sample {i}: {float(a)!r} + {float(b)!r} is not {float(c)!r}")
        parts = [[Fraction(x) for x in rows[step]["samples_ns"]] for step in steps]
        if all(len(part) == len(total) for part in parts):
            for i, (a, c) in enumerate(zip(total, zip(*parts))):
                self.expect(abs(a - sum(c)) <= ROUNDING * a, f"total: sample {i} is not the sum of the steps")

    def check_measurement(self, rows, counts):
        """The series of one job on one device: every stamped submission gives each step a sample or a state."""
        steps = [step for step in rows if step not in TOTALS]
        several = len(steps) > 1
        for step in WHOLE:
            self.expect(several or step not in rows, f"{step} of a single step")
        if several and any(step in rows for step in WHOLE):
            self.check_whole(rows, steps)
        for step, series in rows.items():
            self.check_min_span(series, self.devices[series["device"]], len(steps) if step == "total" else 1)
        stamped = counts.get("wall_timestamped")
        for step in steps:
            if stamped is not None and rows[step]["clock"] is not None:
                self.expect(counts[step] == stamped,
                            f"{step}: {counts[step]} samples and states of {stamped} submissions")
        if "wall" in counts and stamped is not None:
            self.expect(abs(counts["wall"] - stamped) <= 1, "stamped and unstamped did not alternate")

    def times_of(self, transfer):
        """Median of each size of a transfer that has one; of several runs, the mean of theirs."""
        times = {}
        for series in self.document["series"]:
            wall = transfer["step"] == "wall"
            if series["workload"] == "copy" and series["device"] == transfer["device"] and \
                    series["variant"] == transfer["variant"] and series["median_ns"] is not None and \
                    (series["step"] == "wall" if wall else not series["kind"].startswith("wall")):
                times.setdefault(series["params"]["size"], []).append(series["median_ns"])
        return {size: sum(medians) / len(medians) for size, medians in times.items()}

    def check_line(self, model, times):
        """What follows from the sizes; and that they lie near the line, which was fitted to means, where there is little noise."""
        latency, rate = model["latency_ns"], model["gb_per_s"]
        on = [size for size in times if model["from_bytes"] <= size <= model["to_bytes"]]
        self.expect(model["from_bytes"] in times and model["to_bytes"] in times, "it ends where nothing was measured")
        self.expect(model["points"] <= len(on), f"{model['points']} points of {len(on)} sizes")
        near = [size for size in on if abs(times[size] / (latency + size / rate) - 1) < 0.5]
        if self.devices[model["device"]]["type"] == "simulated":
            self.expect(2 * len(near) > len(on), f"{len(near)} of {len(on)} sizes lie near the line")
        self.expect_near("half_bytes", model["half_bytes"], Fraction(latency) * Fraction(rate), 0)
        for key, interval in (("latency_ns", model["latency_ci95_ns"]), ("gb_per_s", model["gb_per_s_ci95"])):
            self.expect(0 <= interval[0] <= model[key] and (interval[1] is None or model[key] <= interval[1]),
                        f"{key} is {model[key]}, its interval {interval}")
        for key, beyond in (("below", [s for s in times if s < model["from_bytes"]]),
                            ("above", [s for s in times if s > model["to_bytes"]])):
            self.expect((model[key] is None) == (not beyond), f"{key} is {model[key]} of {len(beyond)} sizes")

    def check_transfers(self):
        """Each direction has both of its times, or the one that was measured."""
        models, wanted = self.document.get("transfers", []), set()
        for series in self.document["series"]:
            if series["workload"] == "copy" and series["variant"] and series["step"] != "wall_timestamped":
                wanted.add((series["device"], series["variant"], "wall" if series["kind"].startswith("wall") else "copy"))
        found = {}
        for model in models:
            found.setdefault((model["device"], model["variant"], model["step"]), []).append(model)
        self.expect(set(found) == wanted, f"transfers are {sorted(found)}")
        for key, lines in found.items():  # several are lines, by ascending size
            self.where = f"transfer {key[1]} on {key[0]}, {key[2]}: "
            self.expect(len(lines) == 1 or all(line["state"] == "ok" for line in lines), f"{len(lines)} models")
            for line, after in zip(lines, lines[1:]):
                self.expect((line["to_bytes"] or 0) < (after["from_bytes"] or 0), "its models overlap")
        for model in models:
            self.where = f"transfer {model['variant']} on {model['device']}, {model['step']}: "
            self.expect(model["variant"].startswith(f"{model['src']}-{model['dst']}"), "src and dst are others")
            times = self.times_of(model)
            zero = any(series["zero_copy"] for series in self.document["series"] if series["workload"] == "copy" and
                       (series["device"], series["variant"]) == (model["device"], model["variant"]))
            self.expect(zero == (model["state"] == "zero_copy") or (zero and model["state"] == "none"),
                        f"state is {model['state']}, zero_copy {zero}")
            if model["state"] == "ok":
                self.check_line(model, times)
            if model["state"] == "flat":
                self.expect([model["from_bytes"], model["to_bytes"]] == [min(times), max(times)], "flat of other sizes")
                self.expect(model["latency_ci95_ns"][0] <= model["latency_ns"] <= model["latency_ci95_ns"][1],
                            f"{model['latency_ns']} is not within its interval")
            if model["state"] in ("ok", "no_line", "flat"):
                self.expect(len(times) >= 4, f"state is {model['state']} of {len(times)} sizes")

    def check_limits(self, device):
        """What is a part of something is no larger, where both are known."""
        keys = ("max_argument_bytes", "max_memory_bytes", "memory_bytes")
        sizes = [device[key] for key in keys if device[key] is not None]
        self.expect(sizes == sorted(sizes), f"{device['id']}: {', '.join(keys)} are {sizes}")

    def check_diagnostics(self):
        """Each device has findings, the last of which is what they all come to."""
        findings = self.document.get("diagnostics", [])
        known = read_table() if findings else {}
        for finding in findings:
            self.where = f"finding {finding['check']} of {finding['device']}: "
            self.expect(finding["device"] in self.devices, "its device is not listed")
            unknown = sorted(finding["values"].keys() - known.get(finding["check"], set()))
            self.expect(not unknown, f"values that docs/result-diagnostics.md does not explain: {', '.join(unknown)}")
        for device in self.devices if self.document["document"] == "doctor" else []:
            self.where = f"findings of {device}: "
            found = [finding for finding in findings if finding["device"] == device]
            checks = [finding["check"] for finding in found]
            self.expect(checks.count("shortest") == 1 and checks[-1] == "shortest", f"they are {checks}")
            unknown = found and found[-1]["values"].get("shortest_ns") is None
            self.expect(not found or unknown == (": unknown (" in found[-1]["seen"]), "its last number and sentence differ")

    def run(self):
        devices = self.devices
        self.check_diagnostics()
        self.expect(len(devices) == len(self.document["devices"]), "a device is listed twice")
        for device in devices.values():
            self.check_limits(device)
        measurements = {}
        for series in self.document["series"]:
            self.where = f"{series['name']} on {series['device']}, {series['step']}: "
            if series["device"] not in devices:
                self.expect(False, "its device is not listed")
                continue
            rows, counts = measurements.setdefault(key_of(series), ({}, {}))
            self.expect(series["step"] not in rows, "this step is there twice")
            rows[series["step"]] = series
            counts[series["step"]] = self.check_series(series, devices[series["device"]])
        for key, (rows, counts) in measurements.items():
            self.where = f"{key[0]} on {key[2]}: "
            self.check_measurement(rows, counts)
        self.check_transfers()
        for baseline in self.document["baselines"]:
            self.where = f"baseline {baseline['name']} of {baseline['workload']}: "
            self.check_baseline(baseline)
        return self.failures


def check(path, schema):
    try:
        document = load(path)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}")
        return 1
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(document))
    for error in errors:
        print(f"{path}: {'/'.join(str(part) for part in error.absolute_path)}: {error.message[:300]}")
    checker = {"compare": Comparison, "fleet": Fleet, "trace": Traced}.get(document.get("document"), Checker)
    return len(errors) or checker(path, document).run()


def main(arguments):
    if len(arguments) < 2:
        print(__doc__)
        return 2
    schema = load(arguments[0])
    jsonschema.Draft202012Validator.check_schema(schema)
    untold = schema["$defs"]["summary"]["properties"].keys() - summarize([1.0, 2.0]).keys()
    if untold:
        print("summary.py does not compute " + ", ".join(sorted(untold)))
        return 1
    return 1 if sum(check(path, schema) for path in arguments[1:]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
