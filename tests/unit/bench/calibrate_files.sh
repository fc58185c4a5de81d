#!/bin/sh
# SPDX-License-Identifier: MIT
# calibrate_files.sh KERNTIME-CALIBRATE CALIBRATE_FILES: files of the bench's clocks give what the bench gets,
# and files of people are read, or refused with a sentence that says where.
set -u

program=$1
direct=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

fail() {
    printf '%s\n' "$*" >&2
    failed=1
}

# Each timestamp is placed as without files, whether the moment of asking is given or only the order of ticks.
round_trip() { # SCENARIO SEED
    "$program" --write-scenario "$1" "$2" p.csv q.csv t.csv || fail "$1: not written"
    "$program" --truth t.csv p.csv q.csv >by_moment 2>said || fail "$1: not placed"
    cut -d, -f1 q.csv >q_ticks.csv
    "$program" p.csv q_ticks.csv >by_order || fail "$1: not placed by order"
    "$direct" "$1" "$2" <by_moment || fail "$1: placed otherwise than without files"
    cmp -s by_moment by_order || fail "$1: the order of ticks gives something else"
}

# The same sums by other hands. Host times of 18 digits do not fit into awk's numbers, but their ends do.
sums() { # SCENARIO
    grep -v host t.csv | paste -d' ' - by_moment | awk '
        { split($1, t, "."); error = substr($2, length($2) - 8) - substr(t[1], length(t[1]) - 8)
          if (error > 5e8) error -= 1e9
          if (error < -5e8) error += 1e9
          error -= ("0." t[2])
          squares += error * error; if (error < 0) error = -error; covered += error <= $3 }
        END { printf "rms_ns=%.3f covered=%.3f%% of %d\n", sqrt(squares / NR), 100 * covered / NR, NR }' >sum
    sed 's/ p99.* covered/ covered/' said >short
    cmp -s sum short || fail "$1: says $(cat said), but it is $(cat sum)"
}

# expect CODE TEXT OUTPUT ARGUMENT...: exit code, a part of what is said, and all that is printed.
expect() {
    code=$1 text=$2 output=$3
    shift 3
    "$program" "$@" >out 2>err
    [ $? = "$code" ] || fail "$*: exit code is not $code: $(cat err)"
    grep -qF -- "$text" err || [ -z "$text" ] || fail "$*: says '$(cat err)', not '$text'"
    [ -n "$text" ] || [ ! -s err ] || fail "$*: says '$(cat err)'"
    [ "$output" = any ] || [ "$(cat out)" = "$output" ] || fail "$*: prints '$(cat out)'"
}

round_trip slow-steady-1ns 1
sums slow-steady-1ns
round_trip slow-wandering-52.083ns 7
sums slow-wandering-52.083ns
round_trip reset-52.083ns-32bits 2

# The pair is the only one there is: a tick of 10 ns lies where it says, and 100 ns for each ten ticks on.
printf '1000,50,1000\n' >one.csv
printf '50\n' >at.csv
"$program" --period 10 --bits 64 one.csv at.csv >out || fail "one pair"
placed=$(cut -d' ' -f1 out)
{ [ "$placed" -ge 990 ] && [ "$placed" -le 1010 ]; } || fail "one pair: placed at $placed"

# Without a period, one pair tells none.
expect 0 'no pair, or no period, was known by then' '- -' one.csv at.csv
# A pair that was not done by the moment of asking takes no part.
printf '50,999\n' >before.csv
expect 0 '1 of 1 timestamps' '- -' --period 10 one.csv before.csv
expect 0 'pairs=0' any --state --period 10 one.csv before.csv

printf '1,2,3\n0,3,4\n' >unsorted.csv
expect 2 'unsorted.csv:2: this pair is before the one above it' '' unsorted.csv at.csv
printf '# bits=8\n1,256,3\n' >wide.csv
expect 2 'more than 8 bits' '' wide.csv at.csv
expect 2 'more than 5 bits' '' --bits 5 --period 10 one.csv at.csv
printf 'ticks\n\nx\n' >bad.csv
expect 2 'bad.csv:3: ticks: "x" is not a whole number' '' one.csv bad.csv
printf '# nothing\n' >empty.csv
expect 2 'empty.csv: there are no rows in it' '' empty.csv at.csv
printf '1,2,3\n\000\n' >zero.csv
expect 2 'zero.csv: there is a zero byte in it' '' zero.csv at.csv
expect 2 'none.csv: ' '' none.csv at.csv
printf '1\n2\n' >two.csv
expect 2 'two.csv: there are not as many rows' '' --truth two.csv one.csv at.csv
expect 2 'two files are needed' '' one.csv
expect 2 'unknown option "--perod"' '' --perod 1 one.csv at.csv
expect 2 'a period is' '' --period none one.csv at.csv
expect 2 'a width is' '' --bits 65 one.csv at.csv
expect 2 'its value is missing' '' --bits
expect 2 'there is no scenario "x"' '' --write-scenario x 1 p.csv q.csv t.csv
expect 2 'a seed is' '' --write-scenario gap-1ns -1 p.csv q.csv t.csv
expect 2 'takes a name' '' --write-scenario gap-1ns 1
expect 0 '' any --help
grep -q '^Usage: kerntime-calibrate' out || fail "--help: $(cat out)"
if [ -w /dev/full ]; then
    "$program" --period 10 one.csv at.csv >/dev/full 2>err
    [ $? = 4 ] || fail "a full disk: exit code"
fi

[ "$failed" = 0 ] && echo "calibrate_files: all good"
exit "$failed"
