"""Runs kerntime-hw-check over a stub driver, and holds what it says against what the stub was told to do.

usage: check.py CASE PROGRAM, with KT_CUDA_STUB, KT_HIP_STUB and KT_CUPTI_STUB naming the libraries
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

STEP_NS = 32  # of the stub's %globaltimer, and of its events here
RECORD_NS = 32  # from the moment of an event to what comes behind it
CUPTI_LATE_NS = 100  # by so much the stub's records are longer
LENGTHS_NS = [unit * factor for unit in (1e3, 1e4, 1e5, 1e6, 1e7) for factor in (1, 2, 5)][1:] + [1e8]
JUDGED_NS = 20e3
SHARE = 0.01

DEVICE = {
    "id": str, "name": str, "backend": str, "driver": str, "kernel_driver": (str, None), "clock_khz": (float, None),
    "memory_clock_khz": (float, None), "clock_after_mhz": (float, None), "memory_clock_after_mhz": (float, None),
    "globaltimer_step_ns": (float, None), "cupti_version": (float, None), "error": (str, None), "no_kernels": (str, None),
    "no_cupti": (str, None), "ruler": (dict, None), "conformance": (dict, None), "kernels": list, "launches": list,
    "copies": list, "passes": bool,
}
KERNEL = {
    "nominal_ns": float, "method": str, "samples": float, "device_ns": (float, None), "in_kernel_ns": (float, None),
    "apart_ns": (float, None), "allowed_ns": (float, None), "wall_ns": (float, None), "cupti_ns": (float, None),
    "cupti_apart_ns": (float, None), "verdict": ("within", "beyond", None), "error": (str, None),
}
LAUNCH = {
    "by": ("timer", "job"), "untimed_ns": (float, None), "by_hand_ns": (float, None), "kerntime_ns": (float, None),
    "ratio": (float, None), "ratio_low": (float, None), "ratio_high": (float, None), "verdict": ("within", "beyond", None),
    "error": (str, None),
}
COPY = {
    "direction": str, "bytes": float, "by_hand_ns": (float, None), "kerntime_ns": (float, None), "ratio": (float, None),
    "ratio_low": (float, None), "ratio_high": (float, None), "error": (str, None),
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
        for name, form in (("kernels", KERNEL), ("launches", LAUNCH), ("copies", COPY)):
            for i, row in enumerate(device[name]):
                has_form(row, form, f"{name}[{i}]")


def environment(**variables):
    """None of the caller's own drivers takes part."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("KERNTIME_", "KT_STUB_"))}
    return kept | variables


def on_cuda(script=""):
    stub = os.environ["KT_CUDA_STUB"]
    return environment(KERNTIME_BACKENDS="cuda", KERNTIME_LIB_CUDA=stub, KERNTIME_LIB_NVRTC=stub,
                       KT_STUB_CUDA=f"clock=host,step_ns={STEP_NS},record_ns={RECORD_NS},call_ns=0{script}")


def run(words, variables, folder):
    program = [sys.argv[2], *words]
    done = subprocess.run(program, env=variables, cwd=folder, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, sep="", end="")
    return done


def run_to_json(words, variables, folder):
    done = run([*words, "--json", "all.json"], variables, folder)
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


def has_truth(device, short_ppm=0):
    """Each length is judged once, from 20 us on, and its truth is that of the timer's steps."""
    step = device["globaltimer_step_ns"]
    expect(step and step % STEP_NS == 0 and step < 1000, f"the step of the timer is {step}")
    judged = [k for k in device["kernels"] if k["method"] == "event-pair-held"]
    expect([k["nominal_ns"] for k in judged] == LENGTHS_NS, "a row of each length is held")
    floor_ns = device["ruler"]["floor_ns"]
    for k in judged:
        what = f"{k['nominal_ns'] / 1e3:g} us"
        truth_ns = math.ceil(k["nominal_ns"] / STEP_NS) * STEP_NS
        expect(k["in_kernel_ns"] == truth_ns, f"{what}: in the kernel {k['in_kernel_ns']} ns, not {truth_ns}")
        told_ns = (k["nominal_ns"] + RECORD_NS) * (1 - short_ppm / 1e6)
        # Of both events a step, of the truth another, and what a float of ms cannot hold.
        slack_ns = 3 * STEP_NS + told_ns * 2**-23
        expect(abs(k["device_ns"] - told_ns) <= slack_ns, f"{what}: {k['device_ns']} ns, told {told_ns}")
        expect(abs(k["apart_ns"] - (told_ns - truth_ns)) <= slack_ns, f"{what}: {k['apart_ns']} ns apart")
        expect(math.isclose(k["allowed_ns"], SHARE * truth_ns + floor_ns), f"{what}: {k['allowed_ns']} ns allowed")
        verdict = None if k["nominal_ns"] < JUDGED_NS else "beyond" if short_ppm > 1e6 * SHARE else "within"
        expect(k["verdict"] == verdict, f"{what}: {k['verdict']}")
    for k in device["kernels"]:
        if k["method"] != "event-pair-held":
            expect(k["method"] in ("event-pair", "by-hand") and k["verdict"] is None, f"{k['method']} is judged")


def check_cuda(folder):
    """All parts, in all forms; CUPTI's records and a suite take part."""
    words = ["--samples", "6", "--copy-mib", "1", "--copy-rounds", "1", "--cupti", os.environ["KT_CUPTI_STUB"],
             "--conformance", "/bin/true", "--markdown", "."]
    done, device = run_to_json(words, on_cuda(), folder)
    has_truth(device)
    expect(device["no_cupti"] is None, device["no_cupti"])
    for k in device["kernels"]:
        has_records = k["method"] == "event-pair-held"
        wanted = k["nominal_ns"] + CUPTI_LATE_NS if has_records else None
        expect(k["cupti_ns"] == wanted, f"CUPTI tells {k['cupti_ns']}, not {wanted}")
    expect(device["conformance"]["verdict"] == "within", "the suite passed")
    expect([l["by"] for l in device["launches"]] == ["timer", "job"], "two ways to time a launch")
    for l in device["launches"]:
        expect(l["error"] is None and l["ratio"] > 0, f"{l['by']}: {l['error']}")
    directions = {c["direction"] for c in device["copies"]}
    expect({"heap-device", "device-heap", "host-device", "device-host", "device-device"} <= directions, directions)
    expect(all(c["error"] is None and c["by_hand_ns"] > 0 for c in device["copies"]), "a copy failed")
    expect(device["clock_khz"] == 1500000, f"clocks: {device['clock_khz']}")
    markdown = pathlib.Path(folder, "cuda-stub-0.md").read_text(encoding="utf-8")
    expect("kerntime-hw-check --samples 6" in markdown, "the command stands in Markdown")
    for text in (done.stdout, markdown):
        for head, name in (("KERNEL", "kernels"), ("LAUNCH", "launches"), ("COPY", "copies")):
            expect(len(rows_of(text, head)) == len(device[name]), f"a row for each of {name}")
        expect(re.search(r"PASS\W+conformance", text), "conformance passes")
        expect(re.search(r"PASS\W+device time within 1 % .* 12 of 12", text), "12 of 12 kernels")
        expect(re.search(r"(PASS|FAIL)\W+a launch that a timer times", text), "a sentence on launches")


def check_short_events(folder):
    """Events that are off by 3 % are found out, and so is a suite that fails."""
    words = ["--samples", "6", "--only", "kernels,conformance", "--conformance", "/bin/false"]
    done, device = run_to_json(words, on_cuda(",events_ppm=30000"), folder)
    has_truth(device, 30000)
    expect(done.returncode == 4, f"exit code {done.returncode}")
    expect("FAIL device time within 1 % plus floor of what the kernel itself says: 0 of 12" in done.stdout, "0 of 12")
    expect("FAIL conformance: the suite fails" in done.stdout, "the suite fails")


def check_hip(folder):
    """No kernel there tells the truth, and nobody says so."""
    stub = os.environ["KT_HIP_STUB"]
    variables = environment(KERNTIME_BACKENDS="hip", KERNTIME_LIB_HIP=stub, KERNTIME_LIB_HIPRTC=stub,
                            KT_STUB_HIP="clock=host,call_ns=0")
    words = ["--copy-mib", "1", "--copy-rounds", "1", "--cupti", "/no/cupti"]
    _, device = run_to_json(words, variables, folder)
    expect(device["kernels"] == [] and "PTX" in device["no_kernels"], f"no kernels: {device['no_kernels']}")
    expect(all(l["error"] is None for l in device["launches"]) and len(device["launches"]) == 2, "launches")
    expect(len(device["copies"]) >= 5 and all(c["error"] is None for c in device["copies"]), "copies")
    expect(device["passes"] == (device["launches"][0]["verdict"] == "within"), "what is asked of HIP")


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
    {"cuda": check_cuda, "short_events": check_short_events, "hip": check_hip, "no_gpu": check_no_gpu,
     "usage": check_usage}[sys.argv[1]](scratch)
for line in wrong:
    print("wrong:", line)
sys.exit(1 if wrong else 0)
