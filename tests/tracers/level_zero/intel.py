# SPDX-License-Identifier: MIT
"""intel.py KERNTIME: a program over Intel's driver without a GPU, which takes all calls and executes nothing."""
import json
import os
import subprocess
import sys
import tempfile

KERNTIME = os.path.abspath(sys.argv[1])

with tempfile.TemporaryDirectory() as folder:  # the driver leaves files in it
    ours = ("ZE_", "ZEL_", "ZET_", "KERNTIME_", "KT_STUB_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment.update(NEOReadDebugKeys="1", SetCommandStreamReceiver="1", ProductFamilyOverride="skl",
                       KERNTIME_BACKENDS="level_zero")

    def run(*command):
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    if run(KERNTIME, "devices").stdout.count("level_zero:0") == 0:
        print("Intel's driver is not here")
        sys.exit(77)
    copy = (KERNTIME, "copy", "-d", "level_zero:0", "--size", "4096", "--samples", "2", "--quiet")
    alone = run(*copy)
    for variables in ({}, {"ZE_ENABLE_LOADER_INTERCEPT": "1"}):
        environment.update(variables)
        traced = run(KERNTIME, "trace", "-b", "level_zero", "--json", "trace.json", "--", *copy)
        assert traced.returncode == alone.returncode, traced.stderr
        with open(os.path.join(folder, "trace.json"), encoding="utf-8") as file:
            document = json.load(file)["runs"][0]
        assert [device["id"] for device in document["devices"]] == ["level_zero:0"], document
        assert document["rows"] and document["in_flight"] == 0, document
        for row in document["rows"]:
            assert row["calls"] > 0 and row["n"] == 0 and sum(row["untimed"].values()) == row["calls"], row
