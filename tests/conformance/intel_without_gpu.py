#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the command over Intel's driver of Level Zero for a GPU that is not here.

usage: intel_without_gpu.py KERNTIME NULL_HANDLE FAMILY [OVERRIDE|-] [layer]

Told to write its commands down (AUB mode), the driver has a device of any family, tells its true properties and takes all calls; nothing is
executed. So all that kerntime can rightly do is to show the device, and to say of each measurement within seconds that nothing was
executed: exit code 4, one sentence, and no time.

OVERRIDE is how many slices, sub-slices and units the device is said to have ("1x4x8"); of some families the driver makes a
device that can run nothing unless it is told. With "layer" all of it runs under the validation layer, which answers with codes of
its own where a call is wrong; NULL_HANDLE is the control that the layer is there. Exit code 77: the driver is not here."""
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS_MAX = 600  # for one command, which takes one or two on a quiet machine: more is a hang
INTEL = 0x8086
KERNEL_BITS, GLOBAL_BITS = 32, 36  # of all GPUs of these families
ALL = ["compute", "copy", "cooperative", "metrics"]
NO_METRICS = ["compute", "copy", "cooperative"]
# Groups of queues of each family, [kinds, count], as zeDeviceGetCommandQueueGroupProperties tells them; in all others one that does all.
QUEUE_GROUPS = {
    "dg1": [[ALL, 1], [["copy"], 1]],
    "dg2": [[NO_METRICS, 1], [ALL, 1], [["copy"], 1]],
    "dg2 1x4x8": [[ALL, 1], [["copy"], 1]],  # its compute engines are of more sub-slices
    "pvc": [[NO_METRICS, 1], [["copy"], 1], [["copy"], 8]],
    "xe_hp_sdv": [[NO_METRICS, 1], [["copy"], 1]],
}
WITHOUT_GROUPS = ("adlp", "xe_hp_sdv", "dg2", "pvc")  # unless there is an override, which adlp takes no notice of
LAYER = {"ZE_ENABLE_VALIDATION_LAYER": "1", "ZE_ENABLE_PARAMETER_VALIDATION": "1"}
OBJECTION = re.compile("0x780000(05|07|08|0c)")

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


class Machine:
    """Where commands run: a folder of their own, since the driver leaves files in it, and an environment that names the family."""

    def __init__(self, family, override, layer):
        self.folder = tempfile.TemporaryDirectory()
        ours = ("ZE_", "ZEL_", "ZET_", "KERNTIME_", "KT_STUB_")
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        self.environment.update(NEOReadDebugKeys="1", SetCommandStreamReceiver="1", ProductFamilyOverride=family,
                                KERNTIME_BACKENDS="level_zero", LC_ALL="C")
        if override:
            self.environment["HardwareInfoOverride"] = override
        if layer:
            self.environment.update(LAYER)

    def run(self, *command):
        """The command's end and its words. One that hangs is a failure like any other."""
        try:
            return subprocess.run(command, cwd=self.folder.name, env=self.environment, capture_output=True, text=True,
                                  timeout=SECONDS_MAX, check=False, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            sys.exit(f"{' '.join(command)} did not end within {SECONDS_MAX} s")

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            return json.load(file)


def is_here(machine, control):
    """Whether loader and driver are installed; under the layer, also whether that objects to what it should."""
    end = machine.run(control, "here")
    if end.returncode == SKIPPED:
        print(end.stdout.strip())
        sys.exit(SKIPPED)
    check(end.returncode == 0, f"the control ends with {end.returncode}")


def check_control(machine, control, layer):
    end = machine.run(control)
    if layer:
        check(end.stdout == "0x78000005\n", f"the validation layer is not there: NULL is answered by {end.stdout!r}")
    else:
        check(end.stdout != "0x78000005\n", "without the layer NULL is objected to, so the control shows nothing")


def taken_for(machine):
    """A family that the driver does not know is taken for another, without a word; but it names its files by what it takes it for."""
    return {re.sub("_[0-9]+x[0-9x]+_.*", "", name) for name in os.listdir(machine.folder.name) if name.endswith(".aub")}


def check_device(machine, kerntime, family, override):
    end = machine.run(kerntime, "devices", "-d", "level_zero", "--json", "file")
    words = end.stdout + end.stderr
    check(end.returncode in (0, 4), f"devices ends with {end.returncode}: {words}")
    check(not OBJECTION.search(words), f"the layer objects: {words}")
    devices = machine.read("file")["devices"]
    check(family in taken_for(machine), f"the driver takes {family} for another: {taken_for(machine)}")
    check(len(devices) == 1, f"there are {len(devices)} devices: {words}")
    device = devices[0]
    check(re.fullmatch(r"Intel\(R\) Graphics \[0x[0-9a-f]{4}\]", device["name"]), f"name: {device['name']}")
    check(device["vendor_id"] == INTEL and device["type"] == "gpu", f"vendor, type: {device}")
    clocks = {clock["name"]: clock for clock in device["clocks"]}
    check(sorted(clocks) == ["context", "global", "kernel"], f"clocks: {sorted(clocks)}")
    for name, bits in (("kernel", KERNEL_BITS), ("global", GLOBAL_BITS), ("context", KERNEL_BITS)):
        clock = clocks.get(name, {})
        check(clock.get("valid_bits") == bits, f"width of {name}: {clock}")
        check((clock.get("frequency_hz") or 0) > 0, f"frequency of {name}: {clock}")
    groups = [[group["kinds"], group["queues"]] for group in device["queue_groups"]]
    expected = QUEUE_GROUPS.get(f"{family} {override}") or QUEUE_GROUPS.get(family, [[ALL, 1]])
    check(groups == expected, f"queue groups: {groups}")


def check_no_time(document, sentence, what):
    """Each row failed and has no time, not even one of 0. The first tells the reason; of those behind it the same or that it was told."""
    rows = document["series"]
    check(rows and sentence in rows[0]["error"], f"{what}: the first row is no such failure: {rows[:1]}")
    for row in rows:
        times = [key for key, value in row.items() if key.endswith("_ns") and value not in (None, [])]
        check(row["status"] == "failed" and row["n"] == 0 and not times, f"{what}: {row['name']} has times: {times}")


def check_refused(machine, sentence, kerntime, *words):
    """The command must fail with code 4 and that sentence, of each measurement, and give no time."""
    what = " ".join(words)
    end = machine.run(kerntime, *words, "-d", "level_zero", "--json", "file", "-q")
    said = end.stdout + end.stderr
    check(end.returncode == 4, f"{what} ends with {end.returncode}, not 4: {said}")
    check(not OBJECTION.search(said), f"{what}: the layer objects: {said}")
    check(sentence in end.stderr, f"{what} does not say {sentence!r}: {said}")
    check(not re.search(r"\b0\.000 ns|\binf\b|\bnan\b", said), f"{what} prints a time that is none: {said}")
    check_no_time(machine.read("file"), sentence, what)


def check_doctor(machine, kerntime, sentence):
    end = machine.run(kerntime, "doctor", "-d", "level_zero", "-q")
    said = end.stdout + end.stderr
    check(end.returncode == 4, f"doctor ends with {end.returncode}, not 4: {said}")
    check(sentence in said, f"doctor does not say {sentence!r}: {said}")


def main():
    kerntime, control, family = sys.argv[1:4]
    override = sys.argv[4] if len(sys.argv) > 4 and sys.argv[4] != "-" else None
    layer = "layer" in sys.argv[4:]
    machine = Machine(family, override, layer)
    is_here(machine, control)
    check_control(machine, control, layer)
    sentence = "maxTotalGroupSize is 0" if family in WITHOUT_GROUPS and not override else "not ready"
    check_device(machine, kerntime, family, override)
    check_refused(machine, sentence, kerntime, "bench", "empty", "saxpy", "matmul", "--size", "32")
    check_refused(machine, sentence, kerntime, "copy", "--size", "64KiB")
    check_doctor(machine, kerntime, sentence)
    for failure in failures:
        print(f"{family}: {failure}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
