#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh CMAKE PROJECT-FOLDER WORK-FOLDER EXPECTED [CMAKE-OPTION...]: builds a project that uses
# kerntime, and runs each of its programs, use_*; they must print what is EXPECTED. The project has
# no tests and installs nothing, so neither must be there.
set -u

cmake=$1 project=$2 work=$3 expected=$4
shift 4
. "$(dirname -- "$0")/../tree.sh"

rm -rf "$work"
mkdir -p "$work" || exit 1
quietly "$cmake" -S "$project" -B "$work/build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
quietly "$cmake" --build "$work/build" --parallel 2

count=0
for program in "$work"/build/use_*; do
    output=$("$program") || die "${program##*/}: exit $?"
    [ "$output" = "$expected" ] || die "${program##*/} printed '$output' instead of $expected"
    count=$((count + 1))
done

quietly "$cmake" --install "$work/build" --prefix "$work/installed"
[ -z "$(find "$work" -path '*/installed/*')" ] || die "a consumer installs kerntime's files"
tests=$(cd "$work/build" && ctest -N | sed -n 's/^Total Tests: //p')
[ "${tests:-0}" = 0 ] || die "a consumer has $tests tests of kerntime"
# Its own file is compiled by its own rules.
grep '"command".*/use_' "$work/build/compile_commands.json" >"$work/own" || die "no own file"
grep -E 'KT_FAULTS|ffp-contract|fvisibility=hidden|fPIC|-Wshadow|fopenmp' "$work/own" &&
    die "a consumer is compiled with flags of kerntime"
echo "$count programs print $expected"
