#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks traces of `kerntime bench`, by what they must be and by the result file of the same run.

usage: check_trace.py TRACE [RESULT]

Times are compared as whole ns, read from the digits: no double takes part."""
import bisect
import json
import math
import sys
from decimal import Decimal

from check_json import refuse_constant, unique_keys

METADATA = ("process_name", "process_sort_index", "thread_name", "thread_sort_index")
HOST = ("submit", "wait")
DEVICE = ("kernel", "copy", "empty")
HOST_TRACK = "submit and wait"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=unique_keys, parse_constant=refuse_constant, parse_float=Decimal)


def ns(us):
    """Of a time as it stands in the file, with three decimals; None if it is not one."""
    if not isinstance(us, Decimal) or us.as_tuple().exponent != -3:
        return None
    return int(us * 1000)


class Checker:
    def __init__(self, trace, result):
        self.trace, self.result, self.failures = trace, result, []
        self.events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
        self.names = {}  # of (name of the metadata, pid, tid)
        self.clock_of = {pid: t["clock"] for t in trace["otherData"]["timelines"] for pid in t["pids"]}

    def expect(self, truth, message):
        if not truth:
            self.failures.append(message)

    def check_metadata(self):
        for event in self.trace["traceEvents"]:
            if event["ph"] != "M":
                self.expect(event["ph"] in "XC", f"an event of kind {event['ph']}")
                continue
            key = (event["name"], event["pid"], event["tid"])
            self.expect(event["name"] in METADATA, f"metadata {event['name']}")
            self.expect(key not in self.names, f"{key} is there twice")
            self.names[key] = next(iter(event["args"].values()))
        for pid, tid in {(e["pid"], e["tid"]) for e in self.events}:
            for name in METADATA:
                key = (name, pid, tid if name.startswith("thread") else 0)
                self.expect(key in self.names, f"{name} of {pid}, {tid} is missing")
        tids = [tid for name, _, tid in self.names if name == "thread_name"]
        pids = [pid for name, pid, _ in self.names if name == "process_name"]
        self.expect(len(set(tids + pids)) == len(tids + pids), "a number stands for two tracks")
        self.expect(sorted(pids) == sorted(self.clock_of), "the groups are not those of the time lines")
        self.expect(self.trace["displayTimeUnit"] == "ns", "times are not shown in ns")

    def check_times(self):
        first, last_end = {}, {}
        for event in self.events:
            begin, lasts = ns(event["ts"]), ns(event["dur"])
            if begin is None or lasts is None or begin < 0 or lasts < 0:
                self.failures.append(f"{event['name']} has no times: {event['ts']}, {event['dur']}")
                return False
            event["begin"], event["end"] = begin, begin + lasts
            self.expect(event["args"].get("uncertainty_ns", -1) >= 0, f"{event['name']} has no uncertainty")
            clock = self.clock_of.get(event["pid"])
            first[clock] = min(begin, first.get(clock, begin))
        for clock, begin in first.items():
            self.expect(begin == 0, f"the first event on {clock} is at {begin} ns")
        for event in sorted(self.events, key=lambda e: (e["begin"], e["end"])):
            key = event["pid"], event["tid"]
            self.expect(event["begin"] >= last_end.get(key, 0),
                        f"{event['name']} at {event['begin']} ns overlaps another on {key}")
            last_end[key] = event["end"]
        return True

    def submissions(self):
        """[(submit, wait, steps)] of each group; a wait follows its submit at once."""
        found = {}
        for event in sorted(self.events, key=lambda e: (e["begin"], e["end"])):
            of_pid = found.setdefault(event["pid"], [])
            track = self.names.get(("thread_name", event["pid"], event["tid"]))
            if event["cat"] in HOST:
                self.expect(event["name"] == event["cat"] and track == HOST_TRACK, f"{event['name']} on {track}")
            if event["cat"] == "submit":
                of_pid.append([event, None, []])
            elif event["cat"] == "wait":
                whole = bool(of_pid) and of_pid[-1][1] is None and of_pid[-1][0]["end"] == event["begin"]
                self.expect(whole, f"the wait at {event['begin']} ns has no submission")
                if whole:
                    of_pid[-1][1] = event
                    self.expect(event["args"] == of_pid[-1][0]["args"], "a submission and its wait differ")
            else:
                self.expect(event["cat"] in DEVICE, f"an event of category {event['cat']}")
        return found

    @staticmethod
    def find_submission(begins, entries, step):
        """The one whose time it shares most of: those of two never overlap, so it is one of the two that began last
        before its middle, or the next."""
        def shared(entry):
            end = (entry[1] or entry[0])["end"]
            return min(end, step["end"]) - max(entry[0]["begin"], step["begin"])
        at = bisect.bisect(begins, (step["begin"] + step["end"]) // 2)
        return max(entries[max(at - 2, 0):at + 1], key=shared, default=None)

    def check_steps(self, found):
        begins = {pid: [entry[0]["begin"] for entry in entries] for pid, entries in found.items()}
        for event in self.events:
            if event["cat"] not in DEVICE:
                continue
            pid = event["pid"]
            entry = self.find_submission(begins.get(pid, []), found.get(pid, []), event)
            if entry is None or entry[1] is None:
                self.failures.append(f"{event['name']} at {event['begin']} ns belongs to no submission")
                continue
            slack = event["args"]["uncertainty_ns"]
            inside = entry[0]["begin"] - slack <= event["begin"] and event["end"] <= entry[1]["end"] + slack
            self.expect(inside, f"{event['name']} at {event['begin']} ns lies outside of its submission")
            host, device = dict(entry[0]["args"]), dict(event["args"])
            del host["uncertainty_ns"], device["uncertainty_ns"]
            self.expect(host == device, f"{event['name']} at {event['begin']} ns is not of the submission around it")
            entry[2].append(event)

    def check_phases(self, entries, where):
        """Of one job on one device: the numbers of its samples with and without timestamps."""
        samples = {0: [], 1: []}
        for index, (submit, _, steps) in enumerate(entries):
            args = submit["args"]
            wanted = ["first use"] if index == 0 else ["warm-up", "sample"]
            self.expect(args["phase"] in wanted, f"{where}: submission {index} is {args['phase']}")
            self.expect(("sample" in args) == (args["phase"] == "sample"), f"{where}: a {args['phase']} with a number")
            self.expect(args["timestamped"] or not steps, f"{where}: steps without timestamps")
            if args["phase"] == "sample":
                samples[args["timestamped"]].append(args["sample"])
        for numbers in samples.values():
            self.expect(numbers == list(range(len(numbers))), f"{where}: the numbers of its samples are {numbers}")
        return samples

    def check_result(self, found):
        jobs = {}
        for pid, entries in found.items():
            process = self.names.get(("process_name", pid, 0), "")
            for entry in entries:
                key = process.split(" [")[0], entry[0]["args"]["job"], entry[0]["args"].get("variant")
                jobs.setdefault(key, []).append(entry)
        wanted = {}
        for series in self.result["series"] if self.result else []:
            if series["first_use_ns"] is not None:
                wanted.setdefault((series["device"], series["name"], series["variant"]), []).append(series)
        if self.result:
            self.expect(sorted(map(str, jobs)) == sorted(map(str, wanted)), f"traced are {sorted(map(str, jobs))}")
        for key, entries in jobs.items():
            samples = self.check_phases(entries, key)
            for series in wanted.get(key, []):
                self.check_series(key, series, entries, samples)

    def check_series(self, key, series, entries, samples):
        where = f"{key}, {series['step']}"
        others = sum(submit["args"]["phase"] == "warm-up" for submit, _, _ in entries)
        self.expect(others == series["warmup_n"], f"{where}: {others} submissions of warming up")
        first = entries[0][1]["end"] - entries[0][0]["begin"] if entries[0][1] else None
        self.expect(first == series["first_use_ns"], f"{where}: the first use took {first} ns")
        if series["kind"].startswith("wall"):
            stamped = series["step"] == "wall_timestamped"
            walls = [wait["end"] - submit["begin"] for submit, wait, _ in entries
                     if wait and "sample" in submit["args"] and submit["args"]["timestamped"] == stamped]
            same = [math.isclose(wall / series["trials"], sample, rel_tol=1e-6)
                    for wall, sample in zip(walls, series["samples_ns"])]
            self.expect(all(same) and len(same) == series["n"] <= len(walls), f"{where}: its samples are not the trace's")
        elif series["step"] not in ("total", "span"):
            steps = [s for _, _, all_steps in entries for s in all_steps if "sample" in s["args"]
                     and s["name"] in (series["step"], series["name"])]
            lacking = sum(self.trace["otherData"]["omitted"].values())
            self.expect(series["n"] - lacking <= len(steps) <= max(len(samples[1]), series["n"]),
                        f"{where}: {len(steps)} steps for {series['n']} samples")

    def run(self):
        self.check_metadata()
        if self.check_times():
            found = self.submissions()
            self.check_steps(found)
            self.check_result(found)
        return self.failures


def check(trace, result):
    try:
        return Checker(trace, result).run()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return [f"not such a trace: {error!r}"]


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__)
        return 2
    failures = check(load(arguments[0]), load(arguments[1]) if len(arguments) == 2 else None)
    for failure in failures[:20]:
        print(f"{arguments[0]}: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
