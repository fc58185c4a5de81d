#!/bin/sh
# Is kerntime slower than it was? Runs the benchmarks of two builds in turn and compares the files that they write.
#
#   scripts/gate.sh KERNTIME BASE-BENCH NEW-BENCH FOLDER [SLOWER-ON-PURPOSE...]
#
# ./dev gate builds all of these. KERNTIME compares; BASE-BENCH may be missing, or too old to write result files: then
# NEW-BENCH is compared with itself. FOLDER gets the files. SLOWER-ON-PURPOSE are names of rows.
# Exit code: 0, nothing is slower or it cannot be told; 1, something is; 2, the benchmarks or the comparison failed.
#
# What makes this hold on machines that others use, too: both sides have five processes each, which take turns
# (A B B A A B ...); what is not surely slower by 5 % passes; and what is found must be found once more in the same row
# by a second set of runs, taken afterwards.
set -u

# 5 %: where the linker puts a function can change a loop of a few ns by some percent, which no number of runs averages out.
min_effect=5%
runs=5

say() {
    printf 'gate: %s\n' "$*" >&2
}

[ $# -ge 4 ] || {
    sed -n '4p' "$0" >&2
    exit 2
}
kerntime=$1 base=$2 new=$3 folder=$4
shift 4
on_purpose=$*

# What benchmarks print is in the log; 4 says that a device is not here, which the file shows by itself.
run_bench() { # PROGRAM FILE
    rm -f "$2"
    "$1" --result "$2" >"${2%.json}.log" 2>&1 </dev/null
    rc=$?
    [ -f "$2" ] && { [ "$rc" = 0 ] || [ "$rc" = 4 ]; }
}

run_side() { # SET SIDE NUMBER
    program=$new
    [ "$2" = new ] || program=$base
    file=$folder/$1-$2-$3.json
    run_bench "$program" "$file" && return
    tail -n 5 "${file%.json}.log" >&2
    say "$program --result $file: exit code $rc"
    return 1
}

# The second set begins with the other side.
take_set() { # first|second
    number=1
    while [ "$number" -le "$runs" ]; do
        order='base new'
        case $1$((number % 2)) in
        first0 | second1) order='new base' ;;
        esac
        for side in $order; do
            run_side "$1" "$side" "$number" || return
        done
        number=$((number + 1))
    done
}

# 0: nothing is slower; 1: something is; 2: it could not be compared at all.
compare_set() { # SET
    set -- "$1" --min-effect "$min_effect" --json "$folder/$1.json" --markdown "$folder/$1.md"
    name=$1
    shift
    number=1
    while [ "$number" -le "$runs" ]; do
        set -- "$@" --base "$folder/$name-base-$number.json" --new "$folder/$name-new-$number.json"
        number=$((number + 1))
    done
    "$kerntime" compare "$@"
    case $? in
    0 | 5) return 0 ;;
    1) return 1 ;;
    *)
        say "kerntime compare failed: $folder/$name-*.json"
        return 2
        ;;
    esac
}

# A line for each row that is slower. What is common to all rows is none of the machine's: each is a ratio.
slower_rows() { # SET
    python3 - "$folder/$1.json" <<'PY' >"$folder/$1.slower"
import json, sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
lines = [
    " ".join((row["name"], row["variant"] or "-", row["device"], row["step"]))
    for row in document["rows"]
    if row["verdict"] == "slower"
]
print(*sorted(lines), sep="\n", end="\n" * bool(lines))
PY
}

# Takes a set of runs and looks: 0, nothing in it is slower; 1, FOLDER/SET.slower says what is; 2, that failed.
look() { # SET
    say "$runs runs a side, $base and $new in turn"
    take_set "$1" || return 2
    compare_set "$1"
    found=$?
    [ "$found" = 1 ] || return "$found"
    slower_rows "$1" || return 2
    [ ! -s "$folder/$1.slower" ] || return 1
}

# Prints the lines of slower rows that nobody meant to be slower.
not_on_purpose() {
    while IFS= read -r row; do
        case " $on_purpose " in
        *" ${row%% *} "*) say "slower on purpose: $row" ;;
        *) printf '%s\n' "$row" ;;
        esac
    done
}

mkdir -p "$folder" || exit 2
if [ ! -x "$base" ] || ! run_bench "$base" "$folder/probe.json"; then
    say "there is no older build whose benchmarks write result files: this one is compared with itself"
    base=$new
fi
look first
case $? in
0)
    say "nothing is surely slower"
    exit 0
    ;;
2) exit 2 ;;
esac

say "slower, unless a second set of runs says otherwise:"
cat "$folder/first.slower" >&2
look second
case $? in
0) : >"$folder/second.slower" ;;
2) exit 2 ;;
esac
LC_ALL=C comm -12 "$folder/first.slower" "$folder/second.slower" | not_on_purpose >"$folder/slower"
if [ -s "$folder/slower" ]; then
    say "FAILED: slower in both sets of runs, by $min_effect or more:"
    cat "$folder/slower" >&2
    exit 1
fi
say "nothing is surely slower: no row of the first set was so in the second"
