# SPDX-License-Identifier: MIT
"""Documents "trace" of kerntime: that the numbers of each row follow from its histogram, and the rest from each other. Used by
check_json.py."""
import math

from summary import lower_rank


def edges(low):
    """Both ends of a bucket: 32 of them in each power of two."""
    return low, low + 2 ** (math.frexp(low)[1] - 1) / 32 if low else 0


class Traced:
    def __init__(self, path, document):
        self.path, self.document, self.where, self.failures = path, document, "", 0

    def expect(self, truth, message):
        if not truth:
            self.failures += 1
            print(f"{self.path}: {self.where}{message}")

    def expect_near(self, key, found, wanted):
        self.expect(found is not None and math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-6), f"{key} is {found}, should be {wanted}")

    @staticmethod
    def bucket_at(row, rank):
        """Ends of the bucket of a rank from 0."""
        for low, count in row["histogram"]:
            rank -= count
            if rank < 0:
                return edges(low)
        raise ValueError("a rank beyond the histogram")

    def check_interval(self, row):
        n, inflation = row["n"], row["inflation"] or 1
        below = lower_rank(n, 0.5)
        own = (n - 1) / 2
        low = None if below is None else own - (own - below) * math.sqrt(inflation)
        if low is None or low < 0:
            self.expect(row["ci95_ns"] is None, f"ci95_ns is {row['ci95_ns']} of {n} calls")
            return
        wanted = [self.bucket_at(row, math.floor(low))[0], self.bucket_at(row, math.ceil(n - 1 - low))[1]]
        wanted = [min(max(x, row["min_ns"]), row["max_ns"]) for x in wanted]
        for found, value in zip(row["ci95_ns"] or [None, None], wanted):
            self.expect_near("ci95_ns", found, value)

    def check_row(self, row, devices):
        self.expect(row["device"] in devices, "its device is not listed")
        self.expect(row["calls"] == row["n"] + sum(row["untimed"].values()), "calls are not those with and without a time")
        self.expect(sum(count for _, count in row["histogram"]) == row["n"], "the histogram has other calls")
        self.expect(row["overlapped"] <= row["n"], "overlapped exceeds n")
        self.expect((row["bytes"] is None or row["kind"] == "map") == (row["gb_per_s"] is None), "bytes without a rate, or the reverse")
        if row["n"] == 0:
            return
        times = [row[key] for key in ("min_ns", "median_ns", "p95_ns", "p99_ns", "max_ns")]
        self.expect(times == sorted(times), f"its times are {times}")
        self.expect_near("mean_ns", row["mean_ns"], row["total_ns"] / row["n"])
        for key, p in (("median_ns", 0.5), ("p95_ns", 0.95), ("p99_ns", 0.99)):
            low, high = self.bucket_at(row, math.ceil(p * row["n"]) - 1)
            self.expect(min(low, row["max_ns"]) <= row[key] <= max(high, row["min_ns"]), f"{key} is {row[key]}, not in {low} .. {high}")
        self.check_interval(row)

    def check_device(self, device):
        if device["busy_ns"] is None:
            self.expect(device["spans"] == 0, "spans without a busy time")
            return
        self.expect_near("idle_ns", device["idle_ns"], device["span_ns"] - device["busy_ns"])
        self.expect(device["overlap_ns"] >= 0, "overlap below 0")

    def run(self):
        for number, run in enumerate(self.document["runs"]):
            self.where = f"run {number}: "
            self.expect(run["run"] == number, f"its number is {run['run']}")
            self.expect((run["exit_code"] is None) == (run["signal"] is not None), "an exit code and a signal, or none")
            self.expect(run["in_flight"] == sum(p["in_flight"] for p in run["processes"]), "in_flight is not that of its processes")
            devices = {device["id"]: device for device in run["devices"]}
            for name, device in devices.items():
                self.where = f"run {number}: {name}: "
                self.check_device(device)
            keys = [(row["name"], row["size"], row["kind"], row["device"]) for row in run["rows"]]
            self.expect(len(set(keys)) == len(keys), "a row is there twice")
            for row in run["rows"]:
                self.where = f"run {number}: {row['name']}: "
                self.check_row(row, devices)
        return self.failures
