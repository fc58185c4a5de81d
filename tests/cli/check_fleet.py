# SPDX-License-Identifier: MIT
"""Documents of `kerntime fleet`: whether their numbers follow from each other."""
import math
from statistics import median

BAD = {"wrong", "failed", "measured_twice"}


class Fleet:
    def __init__(self, path, document):
        self.path, self.fleet, self.failures = path, document["fleet"], 0

    def expect(self, truth, message):
        if not truth:
            self.failures += 1
            print(f"{self.path}: {message}")

    def times_of(self, number):
        return [t for d in self.fleet["devices"] for t in d["times"] if t["workload"] == number]

    def check_workload(self, number, workload):
        times = self.times_of(number)
        known = [t for t in times if t["time_ns"] is not None]
        self.expect(workload["devices"] == len(times) > 0, f"workload {number}: devices")
        self.expect(workload["slow"] == sum(t["answer"] == "slow" for t in times), f"workload {number}: slow")
        if not known:
            self.expect(workload["median_ns"] is None, f"workload {number}: a median of nothing")
            return
        middle = median(math.log(t["time_ns"]) for t in known)
        self.expect(math.isclose(workload["median_ns"], math.exp(middle), rel_tol=1e-9), f"workload {number}: median_ns")
        if len(known) < 3:
            nothing = [workload["spread"]] + [t[key] for t in known for key in ("effect", "effect_ci95", "p", "robust_z")]
            self.expect(not any(x is not None for x in nothing), f"workload {number}: effects of too few devices")
            return
        spread = 1.4826 * median(abs(math.log(t["time_ns"]) - middle) for t in known)
        self.expect(math.isclose(workload["spread"], spread, rel_tol=1e-4, abs_tol=1e-12), f"workload {number}: spread")
        for t in known:
            effect = t["time_ns"] / workload["median_ns"] - 1
            self.expect(math.isclose(t["effect"], effect, rel_tol=1e-6, abs_tol=1e-9), f"workload {number}: effect {t['effect']}")
            ends = t["effect_ci95"]
            self.expect(not ends or ends[0] <= t["effect"] <= ends[1], f"workload {number}: interval {ends}")
            slow = t["answer"] != "slow" or t["effect"] > self.fleet["min_effect"]
            self.expect(slow, f"workload {number}: slow by {t['effect']}")
            good = t["answer"] != "slow" and ends is not None and ends[1] < self.fleet["min_effect"]
            self.expect(good == (t["answer"] == "good"), f"workload {number}: {t['answer']}, but {ends}")

    def answer_of(self, device):
        """The worst that is true."""
        answers = {t["answer"] for t in device["times"]}
        done = {t["workload"] for t in device["times"]}
        own = {i for i, w in enumerate(self.fleet["workloads"]) if w["group"] == device["group"]}
        found = [word for word in ("wrong", "measured_twice") if word in device["problems"]]
        found += ["slow"] * ("slow" in answers) + ["failed"] * ("failed" in device["problems"])
        if not found:
            lacks = own != done and (device["reason"] or "").startswith("no time")
            found = ["undecided" if lacks or answers != {"good"} else "good"]
        return found[0]

    def check_counts(self):
        devices, counts = self.fleet["devices"], self.fleet["counts"]
        answers = [d["answer"] for d in devices]
        self.expect(counts["devices"] == len(devices), "counts.devices")
        for word in (*BAD, "slow", "undecided", "good"):
            self.expect(counts[word] == answers.count(word), f"counts.{word}")
        self.expect(counts["missing_ranks"] == sum(m["count"] for m in self.fleet["missing"]), "counts.missing_ranks")
        incomplete = any(counts[w] for w in (*BAD, "missing_ranks")) or self.fleet["files"]["incomplete"]
        doubtful = any("faster than the median, so it may be of slow ones" in note for note in self.fleet["notes"])
        wanted = "slow" if counts["slow"] else "incomplete" if incomplete else \
            "undecided" if counts["undecided"] > counts["not_judged"] or doubtful else "none_slow"
        self.expect(self.fleet["verdict"] == wanted, f"verdict is {self.fleet['verdict']}, should be {wanted}")

    def run(self):
        for device in self.fleet["devices"]:
            self.expect(device["answer"] == self.answer_of(device), f"{device['id']}: {device['answer']}")
            useless = {"wrong", "measured_twice"} & set(device["problems"])
            self.expect(not (useless and device["times"]), f"{device['id']}: times that do not count")
        for number, workload in enumerate(self.fleet["workloads"]):
            self.check_workload(number, workload)
        for places in ("nodes", "slots"):
            self.expect(sum(p["devices"] for p in self.fleet[places]) == len(self.fleet["devices"]), places)
        files = self.fleet["files"]
        self.expect(files["count"] == files["read"] + len(files["left_out"]), "files")
        self.expect(files["incomplete"] == sum(f["incomplete"] for f in files["left_out"]), "files.incomplete")
        self.check_counts()
        return self.failures
