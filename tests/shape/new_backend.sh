#!/bin/sh
# new_backend.sh CMAKE SOURCE-FOLDER WORK-FOLDER [CMAKE-OPTION...]: does to a copy of the source
# tree what docs/adding-a-backend.md tells its reader to, nothing else, and sees the new device
# measured. Fails if the guide is not enough: if a backend costs more than its folder and two lines.
set -u

cmake=$1 source=$2 work=$3
shift 3
tree=$work/tree
guide=docs/adding-a-backend.md

die() {
    echo "$@"
    exit 1
}

quietly() {
    "$@" >"$work/log" 2>&1 && return
    cat "$work/log"
    die "failed: $*"
}

# All of the project as it is now; a tarball has no git to ask.
files() {
    git -c safe.directory="$source" ls-files -co --exclude-standard 2>/dev/null ||
        find . -path ./build -prune -o -type f -print
}

blocks() { # KIND: what the guide shows in fences of that kind
    awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside; $0 == fence { inside = 1 }' "$guide"
}

add_line() { # FILE: the one line that the guide adds to it, below the line that the guide shows
    blocks diff | awk -v file="$1" '
        /^[+][+][+] / { inside = $2 == file; next }
        inside && /^[+]/ { print substr(before, 2); print substr($0, 2); exit }
        { before = $0 }' >"$work/two"
    [ "$(wc -l <"$work/two")" -eq 2 ] || die "the guide adds no line to $1"
    awk 'NR == FNR { line[FNR] = $0; next } { print } $0 == line[1] { print line[2]; n++ }
        END { exit n != 1 }' "$work/two" "$1" >"$work/edited" ||
        die "$1 has not one line like the guide's: $(head -n 1 "$work/two")"
    cp "$work/edited" "$1"
}

rm -rf "$work"
mkdir -p "$tree" || exit 1
(cd "$source" && files | while IFS= read -r file; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
done | tar -cf - -T -) | tar -xf - -C "$tree" || die "the source tree could not be copied"
cd "$tree" || exit 1

blocks sh >"$work/commands"
grep -q backends/template "$work/commands" || die "the guide does not say how to copy the template"
quietly sh -eu "$work/commands"
add_line src/backend.h
add_line src/CMakeLists.txt
left=$(grep -ril template src/backends/mydevice)
[ -z "$left" ] || die "the new backend still speaks of a template:" "$left"
quietly sh scripts/check-layers.sh

quietly "$cmake" -S . -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DKT_WERROR=ON -DKT_TESTS=OFF "$@"
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
