#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks a time line of `kerntime trace`: events of a track are sorted and do not overlap, each command has its call, and those
on one clock come after it; rows are in the order of their numbers, and processes in that of their first calls. Prints what is on it.

usage: check_timeline.py FILE"""
import json
import sys


def main(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    names, last_end, counts, failures, of_calls = {}, {}, {}, [], 0
    for event in trace["traceEvents"]:
        if event["ph"] == "M" and event["name"] in ("process_name", "thread_name"):
            names[event["name"], event["pid"], event["tid"] if event["name"] == "thread_name" else 0] = event["args"]["name"]
    clocks = {pid: timeline["clock"] for timeline in trace["otherData"]["timelines"] for pid in timeline["pids"]}
    for event in trace["traceEvents"]:
        if event["ph"] != "X":
            continue
        track = event["pid"], event["tid"]
        begin, end = round(1000 * event["ts"]), round(1000 * (event["ts"] + event["dur"]))
        if begin < last_end.get(track, 0):
            failures.append(f"{event['name']} at {begin} ns begins before the event before it ends")
        last_end[track] = end
        process = names["process_name", event["pid"], 0].split(" (")[0]
        key = process, names["thread_name", event["pid"], event["tid"]], event["cat"], event["name"]
        counts[key] = counts.get(key, 0) + 1
        of_calls += event["args"].get("commands", 0)
        related = "clock of" not in clocks[event["pid"]]
        if event["cat"] != "call" and (event["args"]["uncertainty_ns"] is None) == related:
            failures.append(f"{event['name']} has uncertainty {event['args']['uncertainty_ns']} on {clocks[event['pid']]}")
    commands = sum(count for key, count in counts.items() if key[2] != "call")
    if of_calls != commands:
        failures.append(f"calls of {of_calls} commands, and {commands} commands")
    tracks = [(pid, int(name.split()[1])) for (what, pid, _), name in sorted(names.items()) if what == "thread_name"]
    if tracks != sorted(tracks):
        failures.append(f"rows are not sorted: {tracks}")
    starts = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and event["cat"] == "call":
            starts[event["pid"]] = min(event["ts"], starts.get(event["pid"], event["ts"]))
    if [starts[pid] for pid in sorted(starts)] != sorted(starts.values()):
        failures.append(f"processes are not sorted: {starts}")
    for key, count in sorted(counts.items()):
        print(*key, count, sep="; ")
    print("omitted", trace["otherData"]["omitted"], "lost", trace["otherData"]["lost"])
    print("\n".join(failures[:10]), end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
