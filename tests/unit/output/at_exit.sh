#!/bin/sh
# SPDX-License-Identifier: MIT
# at_exit.sh PROGRAM STATIC-PLUGIN SHARED-PLUGIN [SANITIZER]: where programs report when they exit, and that their exit codes stay.
set -u
program=$1 static_plugin=$2 shared_plugin=$3 sanitizer=${4-}
failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail()
{
    echo "$@"
    failed=1
}

# run REPORT CODE WAY [PATH]: in an empty folder
run()
{
    rm -rf "$folder"/*
    if [ "$1" ]; then export KT_REPORT="$1"; else unset KT_REPORT; fi
    shift
    code=$1
    shift
    "$program" "$@" >out 2>err
    found=$?
    [ "$found" = "$code" ] || fail "$*: exit $found, not $code"
}

# FILE holds a line like REGULAR-EXPRESSION
holds()
{
    grep -qE "$2" "$1" 2>/dev/null || fail "KT_REPORT=${KT_REPORT-}: nothing like \"$2\" in $1: $(cat "$1" 2>&1)"
}

# nothing but what is named is here
only()
{
    names=$(echo *)
    [ "$names" = "$*" ] || fail "KT_REPORT=${KT_REPORT-}: $names are here, not $*"
}

silent()
{
    [ ! -s err ] || fail "KT_REPORT=${KT_REPORT-}: it says $(cat err)"
}

# ---- Where the user says ----

run times.json 3 record
holds times.json '"document": "registry"'
holds times.json '"name": "work"'
only err out times.json
silent
run "$folder/times.csv" 3 record
holds times.csv '^work,cpu,1,'
run times.txt 3 record
holds times.txt '^work +cpu +1\.000 us .* 1 '
run - 3 record
[ "$(sed -n 1p out)" = "printed before" ] || fail "the report stands before what was printed before"
holds out '^work +cpu '
only err out
run stderr 3 record
holds err '^work +cpu '
run times-%p-%p.txt 3 record
[ -f "$(echo times-[0-9]*-[0-9]*.txt)" ] || fail "no file with the number of the process: $(echo *)"
run times.txt 3 elsewhere
holds times.txt '^work +cpu '
run times.txt 3 late
holds times.txt '^late +cpu '
run times.txt 3 nothing
only err out
run "" 3 record
only err out

# ---- What cannot be ----

run times.jsn 3 record
holds err "^kerntime: no report at exit: a report goes to a \.txt, \.json or \.csv file, to - or to stderr, not to .*/times\.jsn$"
run nowhere/times.txt 3 record
holds err '^kerntime: no report at exit: cannot write .*/nowhere/times\.txt: No such file or directory$'
[ "$(wc -l <err)" = 1 ] || fail "more than a sentence: $(cat err)"

# ---- Where the program says ----

run "" 3 ask last.csv
holds last.csv '^work,cpu,1,'
only err last.csv out
run users.txt 3 ask last.csv
holds users.txt '^work +cpu '
only err out users.txt
run "" 3 ask times.jsn
holds out 'not to times\.jsn$'
only err first.txt out
run "" 3 ask nowhere/times.txt
holds out '^cannot write nowhere/times\.txt'

# ---- A child of fork() ----

run times.txt 0 fork
only err out
run times-%p.txt 0 fork
holds "$(echo times-*.txt)" '^work .* 2 '
run "" 0 fork own.txt
holds own.txt '^work .* 2 '

# ---- In the middle of something ----

# ThreadSanitizer's atomics take a lock of its own, which a signal handler may not.
[ "$sanitizer" = thread ] || for i in 1 2 3 4 5 6 7 8 9 10; do
    run times.txt 0 signal
    [ -f times.txt ] || [ -s err ] || fail "neither a report nor a reason after exit() in a signal handler"
done
run times.txt 3 threads
holds times.txt '^work +cpu '

# ---- A library that is unloaded before: its own kerntime reports then, a shared one at exit ----

case $program in
*static*) ;; # both have one kerntime then, or two
*)
    run times.csv 3 plugin "$shared_plugin"
    holds out '^nothing yet$'
    holds times.csv '^of a plugin,vulkan,3,'
    ;;
esac
run times.csv 3 plugin "$static_plugin"
holds out '^of a plugin,vulkan,3,'
silent
exit "$failed"
