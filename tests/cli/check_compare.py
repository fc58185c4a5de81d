# SPDX-License-Identifier: MIT
"""Documents "compare" of kerntime: that their rows and numbers follow from each other, and, where the compared files are still
there, from those. Used by check_json.py."""
import json
import math
import os


def mean(values):
    return sum(values) / len(values)


def near(found, wanted):
    return math.isclose(found, wanted, rel_tol=1e-9)


def place_of(row):
    """What a row is known by on both sides; of a simulated device not its scenario."""
    device = ":".join(row["device"].split(":")[:2])
    return row["name"], tuple(row["params"].items()), row["variant"], device, row["step"], row["kind"].startswith("wall")


def is_wanted(series, timing):
    if series["kind"].startswith("wall"):
        return timing != "device" and series["step"] == "wall"
    return timing != "wall" and series["step"] != "gaps"


def series_of(document):
    """Those of a result, or the rows of a trace as such."""
    return document["series"] if "series" in document else [
        {"name": row["name"], "params": {}, "variant": row["size"], "device": row["device"], "step": row["kind"],
         "kind": "copy" if row["kind"] == "copy" else "kernel", "status": "ok", "median_ns": row["median_ns"]}
        for run in document["runs"] for row in run["rows"]]


def times_of(paths, timing):
    """The medians of all runs by place; of what has none an empty list."""
    times = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        for series in series_of(document):
            if not is_wanted(series, timing):
                continue
            medians = times.setdefault(place_of(series), [])
            if series["status"] in ("ok", "partial") and (series["median_ns"] or 0) > 0:
                medians.append(series["median_ns"])
    return times


class Comparison:
    def __init__(self, path, document):
        self.path, self.document, self.where, self.failures = path, document, "", 0
        self.rows = document["rows"]

    def expect(self, truth, message):
        if not truth:
            self.failures += 1
            print(f"{self.path}: {self.where}{message}")

    def count(self, verdict):
        return sum(row["verdict"] == verdict for row in self.rows)

    def check_whole(self):
        document, whole = self.document, self.document["verdict"]
        for verdict, count in document["counts"].items():
            found = self.count("none" if verdict == "not_compared" else verdict)
            if verdict == "partly":
                found = sum(row["contender_failed"] > 0 for row in self.rows)
            self.expect(count == found, f"counts: {count} {verdict}, should be {found}")
        compared = len(self.rows) - self.count("none")
        self.expect(document["common_mode"]["rows"] == compared, f"common.rows is not {compared}")
        self.expect((whole == "slower") == (self.count("slower") > 0), f"the whole is {whole}")
        common, counts = document["common_mode"], document["counts"]
        undecided = self.count("inconclusive") or not compared or counts["partly"] or common["matters"] or common["unclear"]
        self.expect((whole == "likely_slower") == (not self.count("slower") and self.count("likely_slower") > 0), f"the whole is {whole}")
        if undecided and whole not in ("slower", "likely_slower"):
            self.expect(whole == "inconclusive", f"the whole is {whole}")
        if whole == "faster":
            self.expect(self.count("faster") > 0, "the whole is faster, but no row is")
        if whole == "same":
            self.expect(not self.count("faster"), "the whole is the same, but a row is faster")
        self.expect(common["groups"] <= compared, "more groups than rows")
        self.check_unclear(common, document["options"]["min_effect"])
        assumed, taken = document["options"]["run_noise"], document["common_mode"]["run_noise"]
        self.expect((assumed is None) == (taken is None), "only one run_noise is null")

    def check_unclear(self, common, min_effect):
        unclear = False
        if common["shift"] and common["shift_ci95"]:
            low, high = common["shift_ci95"]
            unclear = max(high, 1 / (1 + low) - 1) > 2 * min_effect
        self.expect(common["unclear"] == unclear, "common.unclear does not follow from its interval")

    def check_interval(self, interval, value):
        if interval is not None:
            self.expect(interval[0] <= value <= interval[1], f"{value} is outside of {interval}")

    def check_row(self, row):
        options, shift = self.document["options"], row["shift"]
        self.check_interval(row["shift_ci95"], shift)
        self.expect(row["baseline_runs"] <= self.document["baseline"]["runs"], "more runs than the baseline has")
        self.expect(row["contender_runs"] <= self.document["contender"]["runs"], "more runs than the contender has")
        self.expect(row["baseline_runs"] + row["baseline_failed"] <= self.document["baseline"]["runs"], "more than BASE's failed")
        self.expect(row["contender_runs"] + row["contender_failed"] <= self.document["contender"]["runs"], "more than NEW's failed")
        self.expect(row["error"] is None or row["baseline_failed"] + row["contender_failed"], "an error, but none failed")
        if row["p"] is not None and row["q"] is not None:
            self.expect(row["p"] <= row["q"], "q is below p")
        if row["verdict"] in ("slower", "faster"):
            least = math.log1p(options["min_effect"]) * (1 - 1e-9)
            self.expect(abs(math.log1p(shift)) >= least, f"{shift} is below the minimum effect")
            self.expect((shift > 0) == (row["verdict"] == "slower"), f"{row['verdict']} by {shift}")
            self.expect(row["q"] <= options["alpha"], f"q is {row['q']}")
        if row["verdict"] == "same":
            self.expect(abs(shift) < 2 * options["min_effect"], f"same, but {shift}")
            self.expect(row["identical"] or min(row["baseline_runs"], row["contender_runs"]) > 1, "the same by one run")
        several = min(row["baseline_runs"], row["contender_runs"]) > 1
        decidable = math.inf if row["min_detectable_effect"] is None else row["min_detectable_effect"]
        self.expect((several or row["identical"]) == (row["min_detectable_effect"] is not None), f"decidable is {row['min_detectable_effect']}")
        self.expect(not row["identical"] or decidable == 0, f"identical, but decidable {decidable}")
        if row["verdict"] == "same":
            self.expect(decidable <= options["min_effect"], f"the same, but decidable {decidable}")
        if row["verdict"] == "inconclusive":
            self.expect(decidable > options["min_effect"], f"inconclusive, but decidable {decidable}")
        if row["verdict"].startswith("likely_"):
            slower = row["verdict"] == "likely_slower"
            self.expect(row["baseline_runs"] == row["contender_runs"] == 1, "likely, but of several runs")
            self.expect((row["p_longer"] if slower else 1 - row["p_longer"]) >= 0.99, f"p_longer is {row['p_longer']}")
            self.expect((1 + shift if slower else 1 / (1 + shift)) >= 1.5 * (1 - 1e-9), f"likely, but {shift}")
            self.expect("one run a side" in row["reason"], f"likely, but {row['reason']}")
        elif row["verdict"] != "inconclusive":
            self.expect(row["reason"] is None, f"{row['verdict']}, but {row['reason']}")
            self.expect(row["runs_needed"] is None, f"{row['verdict']}, but needs {row['runs_needed']}")
        if row["identical"]:
            self.expect(row["baseline_ns"] == row["contender_ns"], "identical, but for its medians")
        common = 0 if row["identical"] else self.document["common_mode"]["shift"]
        ratio = (1 + shift) * (1 + common)
        self.expect(near(ratio, row["contender_ns"] / row["baseline_ns"]), f"shift is {shift}")

    def check_files(self):
        """Each row that either side has is there once, with the medians of its runs."""
        timing = self.document["options"]["timing"]
        base, new = (times_of(self.document[side]["files"], timing) for side in ("baseline", "contender"))
        places = [place_of(row) for row in self.rows]
        self.expect(len(set(places)) == len(places), "a row is there twice")
        self.expect(set(places) == set(base) | set(new), "rows are missing, or too many")
        self.expect(places[:len(base)] == list(base), "rows are not in the order of BASE")
        for row, place in zip(self.rows, places):
            self.where = f"{row['name']}, {row['step']}: "
            alone = "only in the baseline" if place not in new else "only in the contender" if place not in base else None
            self.expect(alone is None or row["reason"] == alone, f"it is {alone}")
            if alone == "only in the baseline" and base.get(place):
                self.expect(self.document["verdict"] in ("slower", "likely_slower", "inconclusive"), f"it is {alone}, but the whole is fine")
            if row["verdict"] == "none" or not (place in base and place in new):
                self.expect(row["verdict"] == "none", "it is compared, but not on both sides")
                continue
            for side, times in (("baseline", base), ("contender", new)):
                self.expect(row[side + "_runs"] == len(times[place]), f"{len(times[place])} runs of {side}")
                self.expect(near(row[side + "_ns"], mean(times[place])), f"{side}_ns is {row[side + '_ns']}")

    def run(self):
        self.check_whole()
        common = self.document["common_mode"]
        if common["shift"] or not common["exceptions"]: # else the shift was found, but not subtracted
            self.check_interval(common["shift_ci95"], common["shift"])
        ids = {device["id"] for device in self.document["devices"]}
        for row in self.rows:
            self.where = f"{row['name']} on {row['device']}, {row['step']}: "
            self.expect(not ids or row["device"] in ids, "its device is not listed") # of programs none is
            if row["verdict"] != "none":
                self.check_row(row)
        self.where = ""
        if ids and all(os.path.exists(path or "") for side in ("baseline", "contender") for path in self.document[side]["files"]):
            self.check_files()
        return self.failures
