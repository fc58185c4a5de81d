#!/bin/sh
# SPDX-License-Identifier: MIT
# The runner itself: it must refuse every kind of difference, and say which.
# usage: test_runner.sh KERNTIME
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
case_file=$scratch/one.sh
failed=0

# expect CODE WHAT: the case as it stands ends with CODE.
expect()
{
    sh "$here/run.sh" "$1" "$case_file" >"$scratch/told" 2>&1
    code=$?
    [ "$code" = "$2" ] || {
        echo "$3: exit code $code instead of $2"
        cat "$scratch/told"
        failed=1
    }
}

good()
{
    rm -f "$scratch"/one.*
    echo 'kerntime --version; echo told >&2' >"$case_file"
    kerntime_says=$("$1" --version)
    echo "$kerntime_says" >"$scratch/one.stdout.exact"
    echo told >"$scratch/one.stderr.exact"
}

good "$1"
expect "$1" 0 "a good case"
echo more >>"$scratch/one.stdout.exact"
expect "$1" 1 "too little on standard output"
good "$1"
: >"$scratch/one.stdout.exact"
expect "$1" 1 "too much on standard output"
good "$1"
rm "$scratch/one.stderr.exact"
expect "$1" 1 "something on standard error where nothing is expected"
good "$1"
mv "$scratch/one.stdout.exact" "$scratch/one.stdout.match"
expect "$1" 0 "a literal pattern"
echo 'kerntime [0-9]*' >"$scratch/one.stdout.match"
expect "$1" 0 "a pattern"
echo 'kerntime [a-z]*' >"$scratch/one.stdout.match"
expect "$1" 1 "a pattern that does not fit"
printf 'kerntime *\nmore\n' >"$scratch/one.stdout.match"
expect "$1" 1 "a pattern without its line"
: >"$scratch/one.stdout.match"
expect "$1" 1 "a line without its pattern"
good "$1"
echo 'exit 3' >>"$case_file"
expect "$1" 1 "another exit code"
echo 3 >"$scratch/one.exit"
expect "$1" 0 "the expected exit code"
good "$1"
echo '>left' >>"$case_file"
expect "$1" 1 "a file left behind"
echo left >"$scratch/one.files"
expect "$1" 0 "a file that is expected"
sed -i '$d' "$case_file"
expect "$1" 1 "an expected file that is missing"
good "$1"
echo '>"$TMPDIR/left"' >>"$case_file"
expect "$1" 1 "a temporary file left behind"
good "$1"
echo 'skip "for a reason"' >"$case_file"
expect "$1" 77 "a skip"
grep -q '^skipped: for a reason' "$scratch/told" || {
    echo "the reason of a skip is not printed"
    failed=1
}
exit "$failed"
