# SPDX-License-Identifier: MIT
"""Runs kerntime-hw-check over a stub driver, and holds what it says against what the stub was told to do.

usage: check.py CASE PROGRAM, with KT_CUDA_STUB, KT_HIP_STUB and KT_CUPTI_STUB naming the libraries, and KT_SUITE the suite
"""

import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

STEP_NS = 32  # of the stub's %globaltimer, and of its events here
RECORD_NS = 32  # from the moment of an event to what comes behind it
CUPTI_LATE_NS = 100  # by so much the stub's records are longer
LENGTHS_NS = [unit * factor for unit in (1e3, 1e4, 1e5, 1e6, 1e7) for factor in (1, 2, 5)][1:] + [1e8]
JUDGED_NS = 20e3
SHARE = 0.01
LAUNCH_RATIO, LAUNCH_MORE_NS = 1.05, 500
FIXED_MAX_NS = 5000

DEVICE = {
    "id": str, "name": str, "backend": str, "driver": str, "kernel_driver": (str, None), "clock_khz": (float, None),
    "memory_clock_khz": (float, None), "clock_after_mhz": (float, None), "memory_clock_after_mhz": (float, None),
    "globaltimer_step_ns": (float, None), "cupti_version": (float, None), "fixed_cost_ns": (float, None), "error": (str, None), "no_kernels": (str, None),
    "no_kernels_by_hand": (str, None), "no_cupti": (str, None), "timer_limits": (dict, None), "conformance": dict, "kernels": list,
    "launches": list,
    "copies": list, "passes": bool,
}
KERNEL = {
    "nominal_ns": float, "method": str, "beside_copy": bool, "samples": float, "discarded": dict,
    "device_ns": (float, None), "in_kernel_ns": (float, None),
    "apart_ns": (float, None), "allowed_ns": (float, None), "wall_ns": (float, None), "cupti_ns": (float, None),
    "cupti_apart_ns": (float, None), "verdict": ("within", "beyond", None), "error": (str, None),
}
LAUNCH = {
    "by": ("timer", "job"), "method": (str, None), "untimed_ns": (float, None), "by_hand_ns": (float, None),
    "kerntime_ns": (float, None),
    "ratio": (float, None), "ratio_low": (float, None), "ratio_high": (float, None), "verdict": ("within", "beyond", None),
    "error": (str, None),
}
COPY = {
    "direction": str, "bytes": float, "by_hand_ns": (float, None), "kerntime_ns": (float, None), "ratio": (float, None),
    "ratio_low": (float, None), "ratio_high": (float, None), "error": (str, None),
}
CONFORMANCE = {
    "is_run": bool, "exit_code": (float, None), "verdict": ("within", "beyond", None), "said": str, "passed": (float, None),
    "skipped": (float, None), "skips": list,
}
DOCUMENT = {
    "schema": str, "version": str, "started": str, "host": dict, "command": list, "asked": dict, "devices": list,
    "passes": bool,
}

wrong = []


def expect(condition, sentence):
    if not condition:
        wrong.append(sentence)


def fits(value, wanted):
    if isinstance(wanted, tuple):
        return any(fits(value, one) for one in wanted)
    if wanted is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return isinstance(value, wanted) if isinstance(wanted, type) else value == wanted and type(value) is type(wanted)


def has_form(value, form, where):
    expect(list(value) == list(form), f"{where}: keys {list(value)}")
    for key, wanted in form.items():
        expect(fits(value.get(key), wanted), f"{where}.{key}: {value.get(key)!r}")


def has_document_form(document):
    has_form(document, DOCUMENT, "document")
    expect(document["schema"] == "kerntime-hw-check/1", document["schema"])
    for device in document["devices"]:
        has_form(device, DEVICE, "device")
        has_form(device["conformance"], CONFORMANCE, "conformance")
        for name, form in (("kernels", KERNEL), ("launches", LAUNCH), ("copies", COPY)):
            for i, row in enumerate(device[name]):
                has_form(row, form, f"{name}[{i}]")


def environment(**variables):
    """None of the caller's own drivers takes part."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("KERNTIME_", "KT_STUB_"))}
    return kept | variables


def on_cuda(script="", record_ns=RECORD_NS, step_ns=STEP_NS):
    stub = os.environ["KT_CUDA_STUB"]
    return environment(KERNTIME_BACKENDS="cuda", KERNTIME_LIB_CUDA=stub, KERNTIME_LIB_NVRTC=stub,
                       KT_STUB_CUDA=f"clock=host,blocking=patient,step_ns={step_ns},record_ns={record_ns},call_ns=0{script}")


def on_hip(script="", compiler=None):
    stub = os.environ["KT_HIP_STUB"]
    return environment(KERNTIME_BACKENDS="hip", KERNTIME_LIB_HIP=stub, KERNTIME_LIB_HIPRTC=compiler or stub,
                       KT_STUB_HIP=f"clock=host,call_ns=0{script}")


def suite_in(folder, api="cuda"):
    """The real one, on the stub, which has a profile of its own."""
    path = pathlib.Path(folder, "suite.sh")
    path.write_text(f'#!/bin/sh\n[ "$2" = {api} ] && exec "{os.environ["KT_SUITE"]}" "$1" {api}_stub\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def run(words, variables, folder):
    program = [sys.argv[2], *words]
    done = subprocess.run(program, env=variables, cwd=folder, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, sep="", end="")
    return done


def run_to_json(words, variables, folder):
    done = run([*words, "--json", "all.json", "--log", "suite.log"], variables, folder)
    path = pathlib.Path(folder, "all.json")
    if not path.exists():
        sys.exit(f"no JSON was written; exit code {done.returncode}")
    document = json.loads(path.read_text(encoding="utf-8"))
    has_document_form(document)
    expect(done.returncode == (0 if document["passes"] else 4), f"exit code {done.returncode}")
    expect(len(document["devices"]) == 1, "one device")
    return done, document["devices"][0]


def rows_of(text, head):
    """The rows of the table whose head begins so, as lists of cells that stand two blanks or a bar apart."""
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if line.strip(" |").startswith(head)), len(lines) - 1)
    rows = []
    for line in lines[at + 1:]:
        if not line.strip():
            break
        if not line.startswith("| -"):
            rows.append(re.split(r" {2,}|\s*\|\s*", line.strip(" |")))
    return rows


def fixed_cost_ns(device):
    aparts = [k["apart_ns"] for k in device["kernels"] if k["method"] == "event-pair-blocked" and k["nominal_ns"] < JUDGED_NS]
    aparts = [ns for ns in aparts if ns is not None]
    return max(statistics.median(aparts), 0) if aparts else None


def allowance_ns(device, nominal_ns, truth_ns):
    """As docs/measured/README.md has it."""
    limits = device["timer_limits"]
    fixed_ns = (device["fixed_cost_ns"] or 0) if nominal_ns >= JUDGED_NS else 0
    return SHARE * truth_ns + max(limits["min_span_ns"], limits["resolution_ns"], min(fixed_ns, FIXED_MAX_NS))


def launch_verdict(launch):
    more_ns = launch["kerntime_ns"] - launch["by_hand_ns"]
    return "within" if launch["ratio"] <= LAUNCH_RATIO or more_ns <= LAUNCH_MORE_NS else "beyond"


def has_truth(device, short_ppm=0, record_ns=RECORD_NS, step_ns=STEP_NS):
    """Each length is judged once, from 20 us on, and its truth is that of the timer's steps."""
    timer_ns = device["globaltimer_step_ns"]
    expect(timer_ns and timer_ns % STEP_NS == 0 and timer_ns < 1000, f"the step of the timer is {timer_ns}")
    judged = [k for k in device["kernels"] if k["method"] == "event-pair-blocked"]
    expect([k["nominal_ns"] for k in judged] == LENGTHS_NS, "a row of each length is held")
    by_hand = [k["nominal_ns"] for k in device["kernels"] if k["method"] == "by-hand" and k["apart_ns"] is not None]
    expect(by_hand == LENGTHS_NS, "a row by hand of each length stands beside it")
    expect(device["fixed_cost_ns"] == fixed_cost_ns(device), f"the fixed cost is {device['fixed_cost_ns']}")
    for k in judged:
        what = f"{k['nominal_ns'] / 1e3:g} us"
        truth_ns = math.ceil(k["nominal_ns"] / STEP_NS) * STEP_NS
        expect(k["in_kernel_ns"] == truth_ns, f"{what}: in the kernel {k['in_kernel_ns']} ns, not {truth_ns}")
        reported_ns = (k["nominal_ns"] + record_ns) * (1 - short_ppm / 1e6)
        # Of both events a step, of the truth another, and what a float of ms cannot hold.
        slack_ns = 2 * step_ns + STEP_NS + reported_ns * 2**-23
        expect(abs(k["device_ns"] - reported_ns) <= slack_ns, f"{what}: {k['device_ns']} ns, told {reported_ns}")
        expect(abs(k["apart_ns"] - (reported_ns - truth_ns)) <= slack_ns, f"{what}: {k['apart_ns']} ns apart")
        expect(math.isclose(k["allowed_ns"], allowance_ns(device, k["nominal_ns"], truth_ns)), f"{what}: {k['allowed_ns']} ns allowed")
        verdict = None if k["nominal_ns"] < JUDGED_NS else "beyond" if short_ppm > 1e6 * SHARE else "within"
        expect(k["verdict"] == verdict, f"{what}: {k['verdict']}")
    for k in device["kernels"]:
        if k["method"] != "event-pair-blocked":
            expect(k["method"] in ("event-pair", "by-hand") and k["verdict"] is None, f"{k['method']} is judged")


def sums_of_suite(folder, device):
    """What passed and what was skipped, by cmocka's own sums, which the report has to have."""
    log = pathlib.Path(folder, "suite.log").read_text(encoding="utf-8")
    suite = device["conformance"]
    # Since cmocka 1.1.6 the group's name stands before the number.
    found = [re.search(rf"\[  {word} +\] (?:.*: )?(\d+) test\(s\)", log) for word in ("PASSED", "SKIPPED")]
    sums = [int(match[1]) if match else 0 for match in found]  # cmocka has no line of none
    expect([suite["passed"], suite["skipped"]] == sums and suite["verdict"] == "within", f"{suite}, not {sums}")
    expect(len(suite["skips"]) == sums[1], f"{len(suite['skips'])} skips are named")
    return sums


def check_cuda(folder):
    """All parts, in all forms; CUPTI's records and a suite take part."""
    words = ["--samples", "6", "--copy-mib", "1", "--copy-rounds", "1", "--cupti", os.environ["KT_CUPTI_STUB"],
             "--conformance", suite_in(folder), "--markdown", "."]
    pathlib.Path(folder, "suite.log").write_text("[       OK ] of_a_run_before\n", encoding="utf-8")
    done, device = run_to_json(words, on_cuda(), folder)
    has_truth(device)
    expect(device["no_cupti"] is None, device["no_cupti"])
    for k in device["kernels"]:
        has_records = k["method"] == "event-pair-blocked"
        wanted = k["nominal_ns"] + CUPTI_LATE_NS if has_records else None
        expect(k["cupti_ns"] == wanted, f"CUPTI tells {k['cupti_ns']}, not {wanted}")
    log = pathlib.Path(folder, "suite.log").read_text(encoding="utf-8")
    expect("of_a_run_before" not in log, "the log is of this run")
    sums = sums_of_suite(folder, device)
    expect([l["by"] for l in device["launches"]] == ["timer", "job"], "two ways to time a launch")
    for l in device["launches"]:
        expect(l["error"] is None and l["ratio"] > 0, f"{l['by']}: {l['error']}")
    job = device["launches"][1]
    expect(job["method"] == "event-pair-blocked" and job["verdict"] is None, f"a blocked job: {job['method']}, {job['verdict']}")
    expect(all(k["discarded"] == {} and k["samples"] == 6 for k in device["kernels"]), "none was discarded")
    directions = {c["direction"] for c in device["copies"]}
    expect({"heap-device", "device-heap", "host-device", "device-host", "device-device"} <= directions, directions)
    expect(all(c["error"] is None and c["by_hand_ns"] > 0 for c in device["copies"]), "a copy failed")
    expect(device["clock_khz"] == 1500000, f"clocks: {device['clock_khz']}")
    markdown = pathlib.Path(folder, "cuda-stub-0.md").read_text(encoding="utf-8")
    expect("kerntime-hw-check --samples 6" in markdown, "the command stands in Markdown")
    for text in (done.stdout, markdown):
        for head, name in (("KERNEL", "kernels"), ("LAUNCH", "launches"), ("COPY", "copies")):
            expect(len(rows_of(text, head)) == len(device[name]), f"a row for each of {name}")
        expect(re.search(rf"PASS\W+conformance: {sums[0]} pass, {sums[1]} skipped", text), "conformance passes")
        expect(re.search(r"PASS\W+device time within 1 % .* 12 of 12 .* within; worst [0-9.]+ [mu]s: ", text), "12 of 12 kernels")
        expect(re.search(r"(PASS|FAIL)\W+a launch that a timer times", text), "a sentence on launches")


def check_short_events(folder):
    """Events that are off by 3 % are found out, and so is a suite that fails."""
    words = ["--samples", "6", "--only", "kernels,conformance", "--conformance", "/bin/false"]
    done, device = run_to_json(words, on_cuda(",events_ppm=30000"), folder)
    has_truth(device, 30000)
    expect(done.returncode == 4, f"exit code {done.returncode}")
    expect(re.search("FAIL device time .* 12 of 12 kernels of 20 us and more are beyond; worst", done.stdout), "12 of 12")
    expect("FAIL conformance: the suite fails" in done.stdout, "the suite fails")


def check_busy_launch(folder):
    """A kernel's own dispatch, which two events alone do not have, is no error of the device time."""
    done, device = run_to_json(["--samples", "6", "--only", "kernels"], on_cuda(",busy_launch_ns=1200"), folder)
    has_truth(device, record_ns=RECORD_NS + 1200)
    expect(done.returncode == 0, f"exit code {done.returncode}")
    # More than a dispatch takes is none.
    done, device = run_to_json(["--samples", "6", "--only", "kernels"], on_cuda(",busy_launch_ns=9000"), folder)
    verdicts = {k["nominal_ns"]: k["verdict"] for k in device["kernels"] if k["method"] == "event-pair-blocked"}
    beyond = [ns for ns, verdict in verdicts.items() if verdict == "beyond"]
    expect(beyond == [20e3, 50e3, 100e3, 200e3], f"beyond: {beyond}")
    expect("4 of 12 kernels of 20 us and more are beyond" in done.stdout, "those beyond are counted")


def check_late_host(folder):
    """A host that is late to release a blocked stream loses a submission now and then, and nothing fails for that."""
    variables = on_cuda(",give_up_every=7") | {"KT_STUB_CUDA": "clock=host,step_ns=32,record_ns=32,call_ns=0,give_up_every=7"}
    _, device = run_to_json(["--samples", "8", "--only", "kernels,copies", "--copy-mib", "1", "--copy-rounds", "1"], variables, folder)
    expect(any("lost" in k["discarded"] for k in device["kernels"]), "a submission is lost")
    for row in device["kernels"] + device["copies"]:
        expect(row["error"] is None, f"{row['error']}")


def check_hip(folder):
    """No kernel there tells the truth, and nobody says so."""
    words = ["--copy-mib", "1", "--copy-rounds", "1", "--cupti", "/no/cupti", "--no-conformance", "there is no suite"]
    done, device = run_to_json(words, on_hip(), folder)
    expect(device["kernels"] == [] and "PTX" in device["no_kernels"], f"no kernels: {device['no_kernels']}")
    expect(all(l["error"] is None for l in device["launches"]) and len(device["launches"]) == 2, "launches")
    expect(len(device["copies"]) >= 5 and all(c["error"] is None for c in device["copies"]), "copies")
    # Nothing blocks a stream of HIP, so a job is judged as well.
    expect(device["launches"][1]["method"] == "event-pair", f"{device['launches'][1]['method']}")
    verdicts = [l["verdict"] for l in device["launches"]]
    expect(all(v == launch_verdict(l) for v, l in zip(verdicts, device["launches"])), verdicts)
    expect(device["passes"] == (verdicts == ["within", "within"]), "what is asked of HIP")
    suite = device["conformance"]
    expect(not suite["is_run"] and suite["verdict"] is None and suite["said"] == "there is no suite", suite)
    expect("conformance: not run (there is no suite)" in done.stdout, "the suite is not run")


def check_hip_without_compiler(folder):
    """No launch works then, and the device is not fine."""
    done, device = run_to_json(["--only", "launches"], on_hip(compiler="/no/compiler"), folder)
    expect(done.returncode == 4 and not device["passes"], f"exit code {done.returncode}")
    for l in device["launches"]:
        expect(l["verdict"] == "beyond" and l["error"].startswith("by hand: ") and "/no/compiler" in l["error"], l["error"])
    expect(re.search(r"a launch that a timer times: by hand: .*hiprtc", done.stdout), "the sentence names hiprtc")
    words = ["--only", "conformance", "--conformance", suite_in(folder, "hip")]
    done, device = run_to_json(words, on_hip(compiler="/no/compiler"), folder)
    passed, skipped = sums_of_suite(folder, device)
    expect(passed > 0 and skipped > 0, f"{passed} pass, {skipped} are skipped")
    for skip in device["conformance"]["skips"]:
        expect("hiprtc" in skip["reason"], skip["reason"])
        expect(f"skipped: {skip['test']}: {skip['reason']}" in done.stdout, "the reason why a test was skipped")


def check_hip_6(folder):
    """Its compiler looks at the device, and takes the option all the same."""
    words = ["--only", "copies", "--copy-mib", "1", "--copy-rounds", "1"]
    _, device = run_to_json(words, on_hip(",version=60032830"), folder)
    expect(device["copies"] and all(c["error"] is None and c["ratio"] > 0 for c in device["copies"]), "copies")


def check_lost_events(folder):
    """Each second distance is below 0: what is discarded is told, and four of seven are too many."""
    words = ["--samples", "7", "--only", "kernels", "--markdown", "all.md"]
    done, device = run_to_json(words, on_cuda(",elapsed=negative,every=2"), folder)
    blocked = [k for k in device["kernels"] if k["method"] == "event-pair-blocked"]
    expect(len(blocked) == len(LENGTHS_NS), "a row of each length")
    for k in blocked:
        lost = k["discarded"].get("negative")
        expect(list(k["discarded"]) == ["negative"] and lost + k["samples"] == 7 and lost in (3, 4), f"{k['discarded']}")
        verdict = None if k["nominal_ns"] < JUDGED_NS else "beyond" if lost == 4 else "within"
        expect(k["verdict"] == verdict, f"{k['nominal_ns']} ns: {k['verdict']}, {lost} lost")
        expect((k["error"] or "").startswith("only 3 of 7 samples") == (lost == 4), f"{k['error']}")
    expect(any(k["error"] for k in blocked) == (done.returncode == 4) or done.returncode == 4, "a row in error fails")
    for text in (done.stdout, pathlib.Path(folder, "all.md").read_text(encoding="utf-8")):
        expect(any(row[-1] in ("3 negative", "4 negative") for row in rows_of(text, "KERNEL")), "the table tells of it")


def check_below_step(folder):
    """A shortest span below the clock resolution: the resolution is allowed in its place."""
    done, device = run_to_json(["--samples", "6", "--only", "kernels"], on_cuda(record_ns=20, step_ns=500), folder)
    limits = device["timer_limits"]
    expect(limits["min_span_ns"] < limits["resolution_ns"], f"shortest span {limits['min_span_ns']}, resolution {limits['resolution_ns']}")
    expect("shortest span < 500.0 ns" in done.stdout, "the shortest span is below the resolution")
    has_truth(device, record_ns=20, step_ns=500)


def check_unblocked(folder):
    """Where no stream can be blocked, a job is judged, and kernels are by the other method."""
    _, device = run_to_json(["--only", "launches"], on_cuda(",blocking=refused"), folder)
    job = device["launches"][1]
    expect(job["method"] == "event-pair", f"{job['method']}")
    expect(job["verdict"] == launch_verdict(job), f"{job['ratio']}: {job['verdict']}")


def check_by_hand_fails(folder):
    """By hand an event is waited for, by kerntime never: the side that fails is named, and its call."""
    done, device = run_to_json(["--samples", "6", "--only", "kernels,launches,copies", "--copy-mib", "1", "--copy-rounds", "1"],
                               on_cuda(",fail=cuEventSynchronize:0"), folder)
    expect(done.returncode == 4, f"exit code {done.returncode}")
    by_hand = [k for k in device["kernels"] if k["method"] == "by-hand"]
    expect(len(by_hand) == len(LENGTHS_NS), "a row of each length by hand")
    rows = by_hand + device["launches"] + device["copies"]
    expect(all(r["error"] and "cuEventSynchronize answered 999" in r["error"] for r in rows), "the call is named")
    expect(all(r["error"].startswith("by hand: ") for r in device["launches"] + device["copies"]), "the side is named")
    _, device = run_to_json(["--samples", "6", "--only", "kernels"], on_cuda(",fail=cuModuleLoadDataEx:4"), folder)
    # kerntime loads the blocking kernel and the kernel that spins; by hand there are two more.
    expect((device["no_kernels_by_hand"] or "").startswith("cuModuleLoadDataEx answered 999"), device["no_kernels_by_hand"])
    expect(not device["passes"] and all(k["method"] != "by-hand" for k in device["kernels"]), "no kernel by hand")


def check_no_suite(folder):
    """Said, whatever the reason is; a suite that says nothing has not passed."""
    for words, why in ((["--only", "conformance"], "no suite is named"),
                       (["--conformance", "/bin/true", "--only", "cupti"], "--only leaves it out")):
        done, device = run_to_json(words, on_cuda(), folder)
        expect(done.returncode == 4 and "nothing was checked" in done.stderr, f"exit code {done.returncode}")
        expect(why in device["conformance"]["said"] and f"conformance: not run ({why}" in done.stdout, why)
    done, device = run_to_json(["--conformance", "/bin/true", "--only", "conformance"], on_cuda(), folder)
    expect(device["conformance"]["verdict"] == "beyond" and done.returncode == 4, "nothing was tested")


def check_no_gpu(folder):
    for variables in (environment(KERNTIME_BACKENDS="cpu"), on_cuda() | {"KERNTIME_LIB_CUDA": "/no/driver"},
                      on_cuda(",devices=0")):
        done = run(["--json", "all.json"], variables, folder)
        expect(done.returncode == 3 and not done.stdout, f"exit code {done.returncode}")
        expect("no GPU here" in done.stderr, done.stderr)
    done = run(["--device", "cuda:7"], on_cuda(), folder)
    expect(done.returncode == 3 and "cuda:7" in done.stderr, f"exit code {done.returncode}: {done.stderr}")
    expect(not pathlib.Path(folder, "all.json").exists(), "nothing is written")


def check_usage(folder):
    for words in (["--only", "kernel"], ["--only", ""], ["--samples", "5"], ["--samples"], ["--nothing", "1"],
                  ["--json", "/no/folder/all.json"], ["--device", "cuda"]):
        done = run(words, on_cuda(), folder)
        expect(done.returncode == 2 and done.stderr and not done.stdout, f"{words}: exit code {done.returncode}")
    done = run(["--help"], on_cuda(), folder)
    expect(done.returncode == 0 and done.stdout.startswith("Usage:"), "help")


with tempfile.TemporaryDirectory() as scratch:
    globals()[f"check_{sys.argv[1]}"](scratch)
for line in wrong:
    print("wrong:", line)
sys.exit(1 if wrong else 0)
