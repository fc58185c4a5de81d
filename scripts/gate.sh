#!/bin/sh
# Is kerntime slower than it was? Runs the benchmarks of two builds in turn and compares the files that they write.
#
#   scripts/gate.sh KERNTIME BASELINE-BENCH CONTENDER-BENCH FOLDER [ON-PURPOSE...]
#
# ./dev gate builds all of these. KERNTIME compares. BASELINE-BENCH is '' where there is no older build, and may be too old to
# write result files: then CONTENDER-BENCH is compared with itself, which the last line says. FOLDER gets the files.
# ON-PURPOSE are names of rows that may be slower, or gone; 'everything' is what all rows have in common.
# Exit code: 0, nothing is slower or it cannot be told; 1, something is; 2, the benchmarks or the comparison failed, or a
# row was not compared or failed in a run.
#
# What makes this hold on machines that others use, too: both sides have five processes each, which take turns
# (A B B A A B ...); what is not surely slower by 5 % passes; and what is found must be found once more in the same row
# by a second set of runs, taken afterwards. 'Everything is slower' and the names of the rows are two ways to say the
# same, and which one a set of runs takes is up to its noise: so each also claims what the other would say.
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
kerntime=$1 baseline=$2 contender=$3 folder=$4
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
    program=$contender
    [ "$2" = contender ] || program=$baseline
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
        order='baseline contender'
        case $1$((number % 2)) in
        first0 | second1) order='contender baseline' ;;
        esac
        for side in $order; do
            run_side "$1" "$side" "$number" || return
        done
        number=$((number + 1))
    done
}

# Slower, faster or undecided: what was found stands in the file.
compare_set() { # SET
    set -- "$1" --min-effect "$min_effect" --json "$folder/$1.json" --markdown "$folder/$1.md"
    name=$1
    shift
    rm -f "$folder/$name.json"
    number=1
    while [ "$number" -le "$runs" ]; do
        set -- "$@" --baseline "$folder/$name-baseline-$number.json" --contender "$folder/$name-contender-$number.json"
        number=$((number + 1))
    done
    "$kerntime" compare "$@"
    case $? in
    0 | 1 | 5) ;;
    *)
        say "kerntime compare failed: $folder/$name-*.json"
        return 2
        ;;
    esac
}

# Writes to FOLDER/SET.slower a line for each row that is slower, and one for what all rows have in common, which was
# taken off each: a sample is a ratio of times of one process, so a slower machine is no reason for it. To SET.claims the
# same, and each row that this one line speaks for. To SET.lost each row that the baseline measured and that was not compared, with
# the reason, or that failed in a run of the contender, whose others say nothing of that one. Says how much was seen.
list_rows() { # SET
    python3 - "$folder" "$1" "$runs" <<'PY'
import collections, json, sys

folder, name, runs = sys.argv[1:]

def read(file):
    return json.load(open(f"{folder}/{name}{file}", encoding="utf-8"))

def write(file, lines):
    open(f"{folder}/{name}.{file}", "w", encoding="utf-8").writelines(line + "\n" for line in sorted(lines))

def key(row): # by the device's id without its scenario, which may be another in each process
    device = ":".join(row["device"].split(":")[:2])
    return " ".join((row["name"], row["variant"] or "-", device, row["step"]))

def count_runs(side, is_so): # of a side, in which a row is so
    return collections.Counter(
        row
        for number in range(1, int(runs) + 1)
        for row in {key(series) for series in read(f"-{side}-{number}.json")["series"] if is_so(series)}
    )

document = read(".json")
rows, common = document["rows"], document["common_mode"]
compared = [row for row in rows if row["verdict"] != "none"]
slower = {key(row) for row in compared if row["verdict"] == "slower"}
claims = set(slower)
if common["matters"] and common["shift"] > 0:
    slower.add("everything")
    claims = slower | {key(row) for row in compared if row["verdict"] != "faster"}
write("slower", slower)
write("claims", claims)

measured = count_runs("baseline", lambda series: series["status"] in ("ok", "partial") and (series["median_ns"] or 0) > 0)
failed = count_runs("contender", lambda series: series["status"] == "failed")
lost = {key(row): row["reason"] for row in rows if row["verdict"] == "none"}
for row in map(key, compared):
    if failed[row]:
        lost[row] = f"failed in {failed[row]} of {runs} runs of the contender"
write("lost", {f"{row}: {reason}" for row, reason in lost.items() if measured[row]})

unclear = [row for row in compared if row["verdict"] == "inconclusive"]
known = [row["shift_ci95"] for row in compared if row["shift_ci95"] and None not in row["shift_ci95"]]
widest = max((100 * (high - low) / 2 for low, high in known), default=None)
print(
    f"gate: {len(compared)} rows compared, {len(unclear)} of them inconclusive",
    *[] if widest is None else [f"the least sure one is known to within {widest:.1f} %"],
    sep="; ",
    file=sys.stderr,
)
sys.exit(0 if compared else 3)
PY
}

# Takes a set of runs and looks: 0, nothing in it is slower; 1, FOLDER/SET.slower says what is; 2, that failed.
look() { # SET
    say "$runs runs a side, $baseline and $contender in turn"
    take_set "$1" || return 2
    compare_set "$1" || return 2
    list_rows "$1"
    listed=$?
    case $listed in
    0 | 3) ;;
    *) return 2 ;;
    esac
    not_on_purpose gone <"$folder/$1.lost" >"$folder/lost"
    if [ -s "$folder/lost" ]; then
        say "FAILED: the older build measured this, and it was not compared, or failed:"
        cat "$folder/lost" >&2
        return 2
    fi
    [ "$listed" = 0 ] || {
        say "FAILED: nothing was compared"
        return 2
    }
    [ ! -s "$folder/$1.slower" ]
}

is_on_purpose() { # NAME
    case " $on_purpose " in
    *" $1 "*) return 0 ;;
    esac
    return 1
}

# Prints the lines of rows that are not among those on purpose.
not_on_purpose() { # WHAT
    while IFS= read -r row; do
        if is_on_purpose "${row%% *}"; then
            say "$1 on purpose: $row"
        else
            printf '%s\n' "$row"
        fi
    done
}

# Prints the lines that both sets of runs have in such a file.
in_both() { # slower|claims
    LC_ALL=C comm -12 "$folder/first.$1" "$folder/second.$1"
}

# Compares the contender with itself: the gate is seen to work, and no more. The baseline has to say so by itself; that it failed once
# is no reason.
skip() { # REASON
    skipped=$1
    baseline=$contender
    say "SKIPPED: $skipped: $contender is compared with itself"
}

# Programs that are older than --result answer it like this.
knows_no_result() {
    [ "$rc" = 2 ] && [ ! -e "$folder/probe.json" ] && grep -q '^Usage: ' "$folder/probe.log" &&
        ! grep -q -e --result "$folder/probe.log"
}

# Until the first release a change may rename keys: then an older file is refused with 2.
can_read() { # FILE
    "$kerntime" compare "$1" "$1" -q >/dev/null 2>"$folder/read.log"
    [ $? != 2 ]
}

pass() { # SENTENCE
    say "${skipped:+SKIPPED: $skipped: it was compared with itself, and }$1"
    exit 0
}

command -v python3 >/dev/null || {
    say "python3 is not here, which reads what was compared"
    exit 2
}
mkdir -p "$folder" || exit 2
skipped=
if [ -z "$baseline" ]; then
    skip "there is no older build"
elif ! run_bench "$baseline" "$folder/probe.json"; then
    knows_no_result || {
        tail -n 5 "$folder/probe.log" >&2
        say "$baseline --result $folder/probe.json: exit code $rc"
        exit 2
    }
    skip "the older build writes no result files"
elif ! can_read "$folder/probe.json"; then
    skip "this build cannot read the older one's result files ($(sed -n 1p "$folder/read.log"))"
fi
look first
case $? in
0) pass "nothing is surely slower" ;;
2) exit 2 ;;
esac

say "slower, unless a second set of runs says otherwise:"
cat "$folder/first.slower" >&2
look second
[ $? != 2 ] || exit 2
# Rows that are claimed with everything need no lines of their own where both sets say that, and may be slower where it may.
in_both claims >"$folder/claims"
what=claims
if grep -qx everything "$folder/claims"; then
    what=slower
elif is_on_purpose everything && grep -qx everything "$folder/first.claims" "$folder/second.claims"; then
    say "slower on purpose: everything, in one set of runs"
    what=slower
fi
in_both "$what" | not_on_purpose slower >"$folder/slower"
if [ -s "$folder/slower" ]; then
    say "FAILED: slower in both sets of runs, by $min_effect or more:"
    cat "$folder/slower" >&2
    exit 1
fi
pass "nothing is surely slower: no row of the first set was so in the second"
