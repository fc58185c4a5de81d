# SPDX-License-Identifier: MIT
"""The archive of ./dev hw-check --bundle, in a root folder that holds a shell and glibc and nothing else, without a network.

usage: bundle.py BUNDLE-SCRIPT HW-CHECK KERNTIME SUITE CUDA-STUB
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

script, hw_check, kerntime, suite, stub = sys.argv[1:]
CONFINED = ["unshare", "--user", "--map-root-user", "--net", "--mount"]


def libraries_of(program):
    text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"(/\S+) \(0x", text)


def put(root, path):
    target = root / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, target)


def run(root, words, **variables):
    done = subprocess.run([*CONFINED, "chroot", root, "/bin/sh", "-c", 'cd /tmp && exec "$@"', "sh", *words],
                          env={"PATH": "/bin:/usr/sbin:/usr/bin:/sbin"} | variables, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, sep="", end="")
    return done


with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch)
    if subprocess.run([*CONFINED, "chroot", "/", "/bin/true"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("skipped: this machine allows no namespaces of its own")
        sys.exit(77)
    # /bin/sh and all parts of glibc.
    for path in ("/bin/sh", *libraries_of("/bin/sh"), *(l for l in libraries_of(hw_check) if re.search(r"/(libm|libc|ld-linux)[-.]", l))):
        put(root, path)
    # glibc opens it when a thread ends; distributions install it with glibc.
    unwinder = subprocess.run(["cc", "-print-file-name=libgcc_s.so.1"], capture_output=True, text=True, check=True).stdout.strip()
    libc = next(l for l in libraries_of(hw_check) if "/libc." in l)
    shutil.copy(unwinder, root / pathlib.Path(libc.lstrip("/")).parent)
    (root / "tmp").mkdir()
    (root / "dev").mkdir()
    (root / "dev/null").touch()
    subprocess.run(["sh", script, root / "all.tar", hw_check, kerntime, suite], check=True)
    subprocess.run(["tar", "-xf", root / "all.tar", "-C", root / "tmp"], check=True)

    program = "/tmp/kerntime-hw-check/hw-check"
    done = run(root, [program])
    assert done.returncode == 3, f"no GPU: exit code {done.returncode}"
    assert done.stderr.count("\n") == 1 and "no GPU here" in done.stderr and not done.stdout, "one sentence"

    put(root, stub)
    # The suite knows the stub by a profile of its own.
    runner = root / "tmp/kerntime-hw-check/run-suite"
    runner.write_text(runner.read_text(encoding="utf-8").replace('"$@"', '"$1" cuda_stub'), encoding="utf-8")
    words = ["--only", "conformance,kernels,copies", "--samples", "6", "--copy-mib", "1", "--copy-rounds", "1", "--json", "/tmp/all.json"]
    done = run(root, [program, *words], KERNTIME_BACKENDS="cuda", KERNTIME_LIB_CUDA=stub, KERNTIME_LIB_NVRTC="/no/compiler",
               KT_STUB_CUDA="clock=host,blocking=patient,step_ns=32,record_ns=32,call_ns=0")
    print((root / "tmp/hw-check.log").read_text(encoding="utf-8")[-2000:])
    device = json.loads((root / "tmp/all.json").read_text(encoding="utf-8"))["devices"][0]
    assert done.returncode == 0 and device["passes"], f"over the stub: exit code {done.returncode}"
    assert device["conformance"]["verdict"] == "within" and device["kernels"] and device["copies"], "all parts ran"
    done = run(root, ["/tmp/kerntime-hw-check/kerntime/kerntime", "--version"], LD_LIBRARY_PATH="/tmp/kerntime-hw-check/kerntime")
    assert done.returncode == 0, f"the command: exit code {done.returncode}"
