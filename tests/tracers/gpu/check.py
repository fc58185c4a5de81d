# SPDX-License-Identifier: MIT
"""Traces gpu_program over a stub driver, and holds what the trace says against what the program did.

usage: check.py API CASE KERNTIME PROGRAM STUBS
    STUBS: folder of the CUDA or HIP driver, and of the CUPTI or rocprofiler-sdk over it
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KERNEL_NS = 1000  # of the stub, as copies and fillings
LATE_NS = {"cuda": 100, "hip": 0}  # by which its CUPTI's kernels are longer

api, case, kerntime, program, stubs = sys.argv[1:]
kept = tempfile.TemporaryDirectory(prefix="kerntime-gpu-")
folder = pathlib.Path(kept.name)
wrong = []


def expect(is_good, what):
    if not is_good:
        wrong.append(what)


def environment(**variables):
    out = {k: v for k, v in os.environ.items() if not k.startswith(("KT_STUB", "KERNTIME", "CUDA_", "ROCP_"))}
    out["LD_LIBRARY_PATH"] = stubs
    out["KERNTIME_LIB_CUPTI"] = os.path.join(stubs, "libcupti.so.13")
    out.update(variables)
    return out


def start(arguments, options=(), **variables):
    command = [kerntime, "trace", "--quiet", "-o", folder / "table", "--json", folder / "json", *options, "--", program, api,
               *map(str, arguments)]
    return subprocess.Popen(command, env=environment(**variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process, code=0):
    out, err = process.communicate()
    expect(process.returncode == code, f"exit code {process.returncode}, not {code}: {err}")
    expect(code != 0 or out == "done\n", f"the program printed {out!r}")
    expect(err == "", f"standard error has {err!r}")
    return json.loads((folder / "json").read_text())["runs"][0]


def trace(arguments, options=(), code=0, **variables):
    return end(start(arguments, options, **variables), code)


def rows(run):
    return {(row["kind"], row["name"], row["size"], row["device"]): row for row in run["rows"]}


def check_rows(run, wanted):
    """wanted: {(kind, name, size, device): (calls, bytes)}; each call has the stub's own time."""
    found = rows(run)
    expect(found.keys() == wanted.keys(), f"rows are {sorted(map(str, found))}")
    for of, (calls, size) in wanted.items():
        ns = KERNEL_NS + (LATE_NS[api] if of[0] == "kernel" else 0)
        row = found.get(of)
        if row is None:
            continue
        is_right = row["calls"] == row["n"] == calls and row["min_ns"] == row["max_ns"] == ns
        is_right &= row["total_ns"] == calls * ns and row["untimed"] == {} and row["overlapped"] == 0
        is_right &= row["bytes"] == size
        if size is not None:
            is_right &= abs(row["gb_per_s"] - size / (calls * ns)) < 1e-9
        expect(is_right, f"{of}: {row}")


def device(number=0):
    return f"{api}:{number}"


def check_stopped(run, start_of_sentence):
    expect(run["rows"] == [], f"rows: {run['rows']}")
    sentence = run["processes"][0]["stopped"] if run["processes"] else None
    expect(sentence and sentence.startswith(start_of_sentence) and len(sentence) <= 100, f"stopped: {sentence}")


# ---- cases of both ----

def counts():
    fills = {("fill", "fill", None, device()): (5, 500)}
    if api == "hip":
        fills = {("kernel", "__amd_rocclr_fillBufferAligned", None, device()): (5, None)}
    run = trace(["kernel", "work", 4, 1, 64, 5000, "copy", "up", 3, 4096, "copy", "down", 2, 1024, "copy", "across", 4, 64,
                 "fill", 5, 100])
    check_rows(run, {("kernel", "work", None, device()): (5000, None),
                     ("copy", "host to device", None, device()): (3, 12288),
                     ("copy", "device to host", None, device()): (2, 2048),
                     ("copy", "device to device", None, device()): (4, 256), **fills})
    expect([(d["id"], d["name"]) for d in run["devices"]] == [(device(), f"{api.upper()} stub 0")], f"devices: {run['devices']}")
    expect(run["in_flight"] == 0 and run["lost_events"] == 0, f"run: {run}")
    expect(run["cost"]["total_ns"] is None, f"cost: {run['cost']}")
    expect([gap["text"].split(",")[0] for gap in run["gaps"]] == [f"tracing cost of {api}: unknown"], f"gaps: {run['gaps']}")


def sizes():
    run = trace(["kernel", "work", 4, 1, 64, 2, "kernel", "work", 8, 2, 256, 3, "kernel", "work", 4, 1, 64, 4], ["--by-size"])
    check_rows(run, {("kernel", "work", "grid 4 / block 64", device()): (6, None),
                     ("kernel", "work", "grid 8x2 / block 256", device()): (3, None)})


def names():
    """Without a runtime of C++ in the process plain names alone are read."""
    symbols = {"work": ("work", "work"),
               "_Z9vectorAddPKfi": ("vectorAdd", "vectorAdd(float const*, int)"),
               "_ZN1a5innerEv": ("a::inner", "a::inner()"),
               "_Z4fillILi4EEvPf": ("_Z4fillILi4EEvPf", "fill<4>(float*)")}
    kernels = [a for s in symbols for a in ("kernel", s, 1, 1, 1, 2)]
    for has_runtime in (0, 1):
        run = trace(["cpp"] * has_runtime + kernels)
        check_rows(run, {("kernel", both[has_runtime], None, device()): (2, None) for both in symbols.values()})


def devices():
    run = trace(["kernel", "work", 1, 1, 1, 3, "device", 1, "kernel", "work", 1, 1, 1, 4, "copy", "up", 1, 8],
                **{f"KT_STUB_{api.upper()}": "devices=2"})
    check_rows(run, {("kernel", "work", None, device()): (3, None), ("kernel", "work", None, device(1)): (4, None),
                     ("copy", "host to device", None, device(1)): (1, 8)})


def chosen():
    arguments = ["kernel", "work", 1, 1, 1, 30, "kernel", "other", 1, 1, 1, 30]
    check_rows(trace(arguments, ["--kernels", "oth*"]), {("kernel", "other", None, device()): (30, None)})
    check_rows(trace(arguments, ["--skip", "20", "--count", "15"]),
               {("kernel", "work", None, device()): (10, None), ("kernel", "other", None, device()): (5, None)})


def killed():
    """What was delivered is there, whether the program is killed or leaves without its exit handlers."""
    for way, code in (("kill", 137), ("leave", 0)):
        delivered = folder / way
        process = start(["kernel", "work", 1, 1, 1, 50, "await", delivered, way], KT_STUB_DELIVERED=str(delivered))
        out, err = process.communicate()
        expect(process.returncode == code and out == "", f"{way}: {process.returncode} {out!r} {err!r}")
        check_rows(json.loads((folder / "json").read_text())["runs"][0], {("kernel", "work", None, device()): (50, None)})


def forked():
    """The child has neither the driver's threads nor ours, and ends by exit(). Without leaks: LeakSanitizer looks for the threads."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    check_rows(trace(["kernel", "work", 1, 1, 1, 20, "fork", "kernel", "work", 1, 1, 1, 20, "fork"], ASAN_OPTIONS=options),
               {("kernel", "work", None, device()): (40, None)})


def paused():
    """Records begin and end with SIGUSR2."""
    enabled, ready, off, done = (folder / name for name in ("enabled", "ready", "off", "done"))
    process = start(["kernel", "before", 1, 1, 1, 5, "touch", ready, "await", enabled, "kernel", "within", 1, 1, 1, 7,
                     "touch", done, "await", off, "kernel", "after", 1, 1, 1, 9], ["--paused"], KT_STUB_ENABLED=str(enabled))
    await_that(process, ready.exists)
    process.send_signal(signal.SIGUSR2)
    await_that(process, done.exists)
    process.send_signal(signal.SIGUSR2)
    await_that(process, lambda: not enabled.exists())
    off.touch()
    check_rows(end(process), {("kernel", "within", None, device()): (7, None)})


def await_that(process, is_so):
    while not is_so() and process.poll() is None:
        time.sleep(0.001)


def timeline():
    """Events are on the host's clock, whichever CUPTI's is, in a lane for each stream."""
    scripts = {"cuda": ("clock=0", "clock=1"), "hip": ("",)}[api]
    for script in scripts:
        path = folder / "timeline"
        before_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        trace(["fill", 3, 8, "stream", "fill", 4, 8], ["--trace", str(path)], KT_STUB_CUPTI=script)
        after_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        document = json.loads(path.read_text())
        events = [e for e in document["traceEvents"] if e.get("ph") == "X"]
        lanes = sorted(sum(e["tid"] == lane for e in events) for lane in {e["tid"] for e in events})
        expect(lanes == [3, 4], f"{script}: events in lanes: {lanes}")
        expect(all(abs(e["dur"] - 1) < 1e-6 for e in events), f"{script}: durations: {[e['dur'] for e in events]}")
        if script == "clock=1":  # the stub's times are those of the day, cut to seconds, and one second
            first_ns = int(document["otherData"]["timelines"][0]["first_ns"])
            is_near = before_ns - 1e9 < first_ns < after_ns + 2e9
            expect(is_near and document["otherData"]["timelines"][0]["clock"] == "CLOCK_MONOTONIC_RAW", f"first: {first_ns}")


def dropped():
    stub = {"cuda": "KT_STUB_CUPTI", "hip": "KT_STUB_ROCPROFILER"}[api]
    run = trace(["kernel", "work", 1, 1, 1, 100], **{stub: "drop=10"})
    found = rows(run)
    lost = found.pop(("kernel", "(unknown)", None, device()), {})
    expect(lost.get("calls") == 10 and lost.get("n") == 0 and list(lost["untimed"].values()) == [10], f"lost: {lost}")
    expect([(k[1], r["n"]) for k, r in found.items()] == [("work", 90)], f"rows: {found}")


# ---- of CUDA ----

def versions():
    """The records of CUDA 11 and 12 are shorter."""
    for version in (13, 28, 130400):
        run = trace(["kernel", "work", 2, 1, 3, 9, "copy", "up", 2, 16, "fill", 2, 8, "kernel", "work", 1, 1, 1, 1],
                    KT_STUB_CUPTI=f"version={version}")
        check_rows(run, {("kernel", "work", None, device()): (10, None),
                         ("copy", "host to device", None, device()): (2, 32), ("fill", "fill", None, device()): (2, 16)})


def peers():
    run = trace(["copy", "across", 3, 16], KT_STUB_CUPTI="peers=1")
    check_rows(run, {("copy", "peer to peer", None, device()): (3, 48)})


def directions():
    names = ["unknown direction", "host to device", "device to host", "host to device (array)", "device to host (array)",
             *["device to device (array)"] * 3, "device to device", "host to host", "peer to peer", "unknown direction"]
    for number, name in enumerate(names):
        run = trace(["copy", "up", 2, 16], KT_STUB_CUPTI=f"direction={number}")
        check_rows(run, {("copy", name, None, device()): (2, 32)})


def untimed():
    row = trace(["kernel", "work", 1, 1, 1, 100], KT_STUB_CUPTI="untimed=4")["rows"][0]
    expect((row["calls"], row["n"], list(row["untimed"].values())) == (100, 75, [25]), f"row: {row}")


def day():
    """Where CUPTI's times are of CLOCK_REALTIME, they are as exact."""
    run = trace(["kernel", "work", 1, 1, 1, 100], KT_STUB_CUPTI="clock=1")
    check_rows(run, {("kernel", "work", None, device()): (100, None)})


def refused():
    for script, sentence in (("subscribe=39", "another tool uses CUPTI"), ("enable=26", "another tool uses CUPTI"),
                             ("enable=35", "no permission to use CUPTI"),
                             ("enable=999", "cuptiActivityEnable failed with 999: CUPTI_ERROR_UNKNOWN"),
                             ("version=11", "version 11 of CUPTI is not known"),
                             ("version=140000", "version 140000 of CUPTI is not known")):
        check_stopped(trace(["kernel", "work", 1, 1, 1, 5], KT_STUB_CUPTI=script), sentence)
    for path in (str(folder / "none"), "libcupti.so.13"):
        check_stopped(trace(["kernel", "work", 1, 1, 1, 5], KERNTIME_LIB_CUPTI=path),
                      f"KERNTIME_LIB_CUPTI is no library's absolute path: {path[:80]}")


def found():
    """In the toolkit's folder, and beside the libraries of pip's packages, but not in the folder where the program runs.
    CUPTI 10.2 is asked for, because no machine has it."""
    stub = os.path.join(stubs, "libcupti.so.13")
    here = {("copy", "host to device", None, device()): (3, 24)}
    driver = {"KT_STUB_CUDA": "version=10020", "KERNTIME_LIB_CUPTI": ""}
    places = {"lib64": {"CUDA_HOME": str(folder / "lib64")}, "extras/CUPTI/lib64": {"CUDA_PATH": str(folder / "extras")},
              "nvidia/cuda_cupti/lib": {"KT_OPEN_FIRST": str(folder / "pip/nvidia/cuda_runtime/lib/libcudart.so.10")},
              "nvidia/cu13/lib": {"KT_OPEN_FIRST": str(folder / "cu13/nvidia/cu13/lib/libcudart.so.13")}}
    roots = ("lib64", "extras", "pip", "cu13")
    for root, (place, variables) in zip(roots, places.items()):
        (folder / root / place).mkdir(parents=True)
        shutil.copy(stub, folder / root / place / "libcupti.so.10.2")
        opened = variables.get("KT_OPEN_FIRST")
        if opened:
            pathlib.Path(opened).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.join(stubs, "librocprofiler-sdk.so.1"), opened)
        check_rows(trace(["copy", "up", 3, 8], **driver, **variables), here)
    before = os.getcwd()
    os.chdir(folder / "lib64")
    check_stopped(trace(["copy", "up", 3, 8], CUDA_HOME=".", CUDA_PATH="lib64", **driver),
                  "libcupti of CUDA 10 or older is not here")
    os.chdir(before)


# ---- of HIP ----

def layouts():
    for version in (400, 600, 10000, 10100):
        run = trace(["kernel", "work", 2, 1, 3, 9], KT_STUB_ROCPROFILER=f"version={version}")
        check_rows(run, {("kernel", "work", None, device()): (9, None)})


def nameless():
    run = trace(["kernel", "work", 1, 1, 1, 9], KT_STUB_ROCPROFILER="nameless=1")
    check_rows(run, {("kernel", "kernel 1", None, device()): (9, None)})


def hip_refused():
    for script, sentence in (("version=399", "version 0.3.99 of rocprofiler-sdk is not known"),
                             ("version=20000", "version 2.0.0 of rocprofiler-sdk is not known"),
                             ("start=1", "rocprofiler-sdk cannot start: 1, Generalized error")):
        check_stopped(trace(["kernel", "work", 1, 1, 1, 5], KT_STUB_ROCPROFILER=script), sentence)


def others():
    """A tool that is there already stays, and ours is let in behind it."""
    run = trace(["kernel", "work", 1, 1, 1, 9], ROCP_TOOL_LIBRARIES=os.path.join(stubs, "libcupti.so.13"))
    check_rows(run, {("kernel", "work", None, device()): (9, None)})


globals()[case]()
for sentence in wrong:
    print(f"{api} {case}: {sentence}")
sys.exit(bool(wrong))
