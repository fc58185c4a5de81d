#!/bin/sh
# new_backend.sh CMAKE SOURCE-FOLDER WORK-FOLDER [CMAKE-OPTION...]: does to a copy of the source
# tree what docs/adding-a-backend.md tells its reader to, nothing else, and sees the new device
# measured. Fails if the guide is not enough: if a backend costs more than its folder and two lines.
set -u

cmake=$1 source=$2 work=$3
shift 3
guide=docs/adding-a-backend.md

. "$(dirname -- "$0")/../tree.sh"
. "$(dirname -- "$0")/guide.sh"

rm -rf "$work"
copy_tree "$source" "$work/tree"
cd "$work/tree" || exit 1

blocks "$guide" sh >"$work/commands"
grep -q backends/template "$work/commands" || die "the guide does not say how to copy the template"
quietly sh -eu "$work/commands"
add_line "$guide" src/backend.h
add_line "$guide" src/CMakeLists.txt
left=$(grep -ril template src/backends/mydevice)
[ -z "$left" ] || die "the new backend still speaks of a template:" "$left"
quietly sh scripts/check-layers.sh

# Whether it is measured does not depend on optimisation, which takes most of the time here.
quietly "$cmake" -S . -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DKT_WERROR=ON -DKT_TESTS=OFF "$@"
quietly "$cmake" --build "$work/build" --target kerntime --parallel 2

kerntime=$work/build/kerntime
export KERNTIME_BACKENDS=cpu,mydevice # what other drivers do is not the question here
"$kerntime" devices >"$work/devices" || die "kerntime devices: exit $?"
grep -q 'mydevice:0' "$work/devices" || die "mydevice:0 is not listed:" "$(cat "$work/devices")"

"$kerntime" bench empty matmul --size 32 -d mydevice:0 --quiet --json "$work/result.json" ||
    die "kerntime bench: exit $?"
python3 - "$work/result.json" <<'PYTHON' || exit 1
import json, sys
series = json.load(open(sys.argv[1]))["series"]
assert {row["device"] for row in series} == {"mydevice:0"}, series
assert {row["workload"] for row in series} == {"empty", "matmul"}, series
for row in series:
    if row["workload"] == "matmul":
        assert row["verified"] is True and row["status"] == "ok" and row["n"] >= 10, row
kernel = [row for row in series if row["kind"] == "kernel" and row["workload"] == "matmul"]
assert kernel and kernel[0]["median_ns"] > 0, series
PYTHON
