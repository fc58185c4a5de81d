#!/bin/sh
# SPDX-License-Identifier: MIT
# Is kerntime slower than it was? Runs the benchmarks of two builds in turn, A B B A ..., and compares their result files.
#
#   scripts/gate.sh KERNTIME BASELINE-BENCH CONTENDER-BENCH FOLDER ALLOWED
#
# ALLOWED names rows that may be slower or missing, one "NAME: reason" a line; "everything": the common-mode shift.
# Exit code: 0, nothing is slower, or inconclusive; 1, slower in two sets of runs; 2, a benchmark failed, or a row that the
# baseline measured was not compared, or failed in a run of the contender.
set -u

# Where the linker puts a function can change a loop of a few ns by some percent.
min_effect=5%

say() {
    printf 'gate: %s\n' "$*" >&2
}

[ $# = 5 ] || {
    echo "usage: gate.sh KERNTIME BASELINE-BENCH CONTENDER-BENCH FOLDER ALLOWED" >&2
    exit 2
}
kerntime=$1 baseline=$2 contender=$3 folder=$4 allowed=$5

# Exit code 4 says that a device is not here, which the file shows by itself.
run_bench() { # PROGRAM FILE
    rm -f "$2"
    "$1" --result "$2" >"${2%.json}.log" 2>&1 </dev/null
    rc=$?
    [ -f "$2" ] && { [ "$rc" = 0 ] || [ "$rc" = 4 ]; } && return
    tail -n 5 "${2%.json}.log" >&2
    say "FAILED: $1 --result $2: exit code $rc"
    exit 2
}

# Until the first release a change may rename keys.
check_readable() { # FILE
    "$kerntime" compare "$1" "$1" -q >/dev/null 2>"$folder/read.log"
    [ $? = 2 ] || return 0
    say "SKIPPED: this build cannot read the older one's result files ($(sed -n 1p "$folder/read.log"))"
    exit 0
}

# Prints rows that are slower or lost, and not allowed. Exit code 0: none; 1: slower; 2: lost, or nothing compared.
judge() { # SET
    python3 - "$folder/$1" "$allowed" <<'PY'
import glob, json, sys

def read(path):
    return json.load(open(path, encoding="utf-8"))

def key(row):
    return " ".join((row["name"], row["variant"] or "-", row["device"], row["step"]))

def say(what, rows):
    for row in rows:
        print(f"gate: {what}: {row}", file=sys.stderr)
    return bool(rows)

files, allowed = sys.argv[1:]
entries = [line.partition(":") for line in open(allowed, encoding="utf-8") if line.strip() and line[0] != "#"]
if say(f"FAILED: {allowed}: no reason", [name.strip() for name, _, reason in entries if not reason.strip()]):
    sys.exit(2)
names = {name.strip() for name, _, _ in entries}
document = read(f"{files}.json")
common, rows = document["common_mode"], [row for row in document["rows"] if row["name"] not in names]
measured = {
    key(series) for path in glob.glob(f"{files}-baseline-*.json") for series in read(path)["series"] if series["median_ns"]
}
lost = [f'{key(row)}: {row["reason"] or row["error"]}' for row in rows
        if key(row) in measured and (row["verdict"] == "none" or row["contender_failed"])]
slower = [key(row) for row in rows if row["verdict"] == "slower"]
if common["matters"] and common["shift"] > 0 and "everything" not in names:
    slower.append("everything")
say("allowed", sorted(names))
if say("FAILED: not compared, or failed", lost) or (not common["rows"] and say("FAILED", ["nothing was compared"])):
    sys.exit(2)
sys.exit(1 if say("slower", slower) else 0)
PY
}

# Returns 1 if something is slower.
take_set() { # SET
    name=$1
    set --
    for number in 1 2 3 4 5; do
        order='baseline contender'
        [ $((number % 2)) = 1 ] || order='contender baseline'
        for side in $order; do
            program=$contender file=$folder/$name-$side-$number.json
            [ "$side" = contender ] || program=$baseline
            run_bench "$program" "$file"
            [ "$side$number" != baseline1 ] || check_readable "$file"
            set -- "$@" "--$side" "$file"
        done
    done
    "$kerntime" compare --min-effect "$min_effect" --json "$folder/$name.json" --markdown "$folder/$name.md" "$@"
    case $? in
    0 | 1 | 5) ;;
    *)
        say "FAILED: kerntime compare: $folder/$name-*.json"
        exit 2
        ;;
    esac
    judge "$name"
    case $? in
    0) ;;
    1) return 1 ;;
    *) exit 2 ;;
    esac
}

mkdir -p "$folder" || exit 2
if take_set first; then
    say "nothing is surely slower"
elif say "a second set of runs decides" && take_set second; then
    say "nothing is surely slower: the second set of runs shows nothing"
else
    say "FAILED: slower in both sets of runs, by $min_effect or more"
    exit 1
fi
