#!/bin/sh
# SPDX-License-Identifier: MIT
# real.sh KERNTIME PROGRAM: programs of others, as they are installed: they do the same as without a tracer, and each kernel
# that their options make them run is counted and has a time. 77: the program, or what it runs on, is missing.
set -u

kerntime=$1
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
export KERNTIME_LIB_LEVEL_ZERO=/no/driver POCL_CACHE_DIR="$work/pocl" MESA_SHADER_CACHE_DIR="$work/mesa"

skip() {
    echo "skipped: $*"
    exit 77
}

# expect KIND NAME-PATTERN ROWS CALLS: so many rows, of so many calls each, all with times.
expect() {
    /usr/bin/python3 - "$@" <<'PYTHON' || exit 1
import fnmatch, json, sys
kind, name, rows, calls = sys.argv[1:]
with open("trace.json") as file:
    run, = json.load(file)["runs"]
found = [(r["name"], r["calls"], r["n"]) for r in run["rows"] if r["kind"] == kind and fnmatch.fnmatch(r["name"], name)]
if len(found) != int(rows) or any(of[1:] != (int(calls), int(calls)) for of in found):
    sys.exit(f"{kind} {name}: not {rows} rows of {calls} calls: {found}")
PYTHON
}

# In ten frames of three planes each.
filter() { # FILTER DEVICE COMMAND...
    name=$1 device=$2
    shift 2
    "$@" ffmpeg -nostdin -hide_banner -loglevel error -init_hw_device "$device" -filter_hw_device it \
        -f lavfi -i testsrc2=s=64x64:r=10:d=1 -vf "format=yuv420p,hwupload,$name,hwdownload,format=yuv420p" -f md5 -
}

ffmpeg_filter() { # FILTER DEVICE
    command -v ffmpeg >/dev/null || skip "there is no ffmpeg"
    filter "$1" "$2" env >plain 2>err || skip "ffmpeg cannot filter with $1 here: $(cat err)"
    filter "$1" "$2" "$kerntime" trace -q --json trace.json -- >traced || exit 1
    diff plain traced || exit 1
}

case $2 in
clpeak)
    command -v clpeak >/dev/null || skip "there is no clpeak"
    clpeak --version | grep -q ' 1\.1\.' || skip "of this clpeak it is not known how many kernels it runs"
    clpeak -p 0 -d 0 --kernel-latency >plain 2>&1 && grep -q 'latency : [0-9]' plain || skip "clpeak finds no device"
    "$kerntime" trace -q --json trace.json clpeak -p 0 -d 0 --kernel-latency >traced || exit 1
    grep -q 'latency : [0-9]' traced || exit 1
    # 20,000 launches that it times, and two before.
    expect kernel '*' 1 20002
    ;;
ffmpeg_opencl)
    ffmpeg_filter unsharp_opencl opencl=it:0.0
    expect kernel 'unsharp_*' 1 30
    expect copy 'host to device (image)' 1 30
    expect copy 'device to host (image)' 1 30
    ;;
ffmpeg_vulkan)
    ffmpeg_filter avgblur_vulkan vulkan=it:0
    # One kernel for rows and one for columns, of all planes at once.
    expect kernel '*' 2 10
    ;;
*) exit 1 ;;
esac
