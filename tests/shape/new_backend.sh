#!/bin/sh
# SPDX-License-Identifier: MIT
# new_backend.sh CMAKE SOURCE-FOLDER WORK-FOLDER [CMAKE-OPTION...]: does to a copy of the source
# tree what docs/adding-a-backend.md and docs/adding-a-format.md tell their readers to, nothing else,
# and sees the new device measured, and its times in the new format. Fails if a guide is not enough: if a backend costs more
# than its folder and two lines, timers more than two files, and a format more than one file and one row.
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
add_line "$guide" include/kerntime/registry.h
add_line "$guide" src/CMakeLists.txt
left=$(grep -ril template src/backends/mydevice)
[ -z "$left" ] || die "the new backend still speaks of a template:" "$left"
format=docs/adding-a-format.md
blocks "$format" sh >"$work/commands"
quietly sh -eu "$work/commands"
add_line "$format" include/kerntime/result.h
quietly sh scripts/check-layers.sh

# Whether it is measured does not depend on optimisation, which takes most of the time here.
quietly "$cmake" -S . -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DKT_WERROR=ON "$@"
quietly "$cmake" --build "$work/build" --target kerntime kerntime_static --parallel 2

kerntime=$work/build/kerntime
export KERNTIME_BACKENDS=cpu,mydevice # what other drivers do is not the question here
"$kerntime" devices >"$work/devices" || die "kerntime devices: exit $?"
grep -q 'mydevice:0' "$work/devices" || die "mydevice:0 is not listed:" "$(cat "$work/devices")"

"$kerntime" bench empty matmul --size 32 -d mydevice:0 --quiet --json "$work/result.json" --lines "$work/lines" ||
    die "kerntime bench: exit $?"
"$kerntime" bench --help | grep -q -- '--lines FILE *write a line for each time; - is standard output' ||
    die "the help lacks --lines"
"$kerntime" doctor -d mydevice:0 --lines - >"$work/refused" 2>&1 && die "doctor takes --lines"
python3 - "$work/result.json" "$work/lines" <<'PYTHON' || exit 1
import json, sys
series = json.load(open(sys.argv[1]))["series"]
lines = [line.split() for line in open(sys.argv[2])]
assert [line[:3] for line in lines] == [[row["name"], row["device"], row["step"]] for row in series], lines
assert [float(line[3]) if line[3] != "-" else None for line in lines] == [row["median_ns"] for row in series], lines
assert {row["device"] for row in series} == {"mydevice:0"}, series
assert {row["workload"] for row in series} == {"empty", "matmul"}, series
for row in series:
    if row["workload"] == "matmul":
        assert row["verified"] is True and row["status"] == "ok" and row["n"] >= 10, row
kernel = [row for row in series if row["kind"] == "kernel" and row["workload"] == "matmul"]
assert kernel and kernel[0]["median_ns"] > 0, series
PYTHON

# A span of a timer, in a program of its own.
cat >"$work/timer.c" <<'PROGRAM'
#include <kerntime/kerntime.h>
#include <kerntime/timer/mydevice.h>
#include <kerntime/snapshot.h>
#include <stdio.h>

int main(void)
{
    int queue;
    const kt_mydevice_import desc = {.size = sizeof desc, .stream = (struct mydevice_queue *)(void *)&queue};
    kt_timer_context *context = NULL;
    kt_timer *timer = NULL;
    double elapsed_ns = 0;
    kt_timer_context_import_mydevice(&desc, &context);
    kt_timer_create(context, "work", &timer);
    kt_timer_start(timer, &queue);
    kt_timer_stop(timer, &queue);
    kt_timer_context_wait(context, 0);
    if (kt_timer_elapsed(timer, &elapsed_ns) != KT_OK)
        printf("%s\n", kt_error_text());
    kt_snapshot *snapshot = NULL;
    kt_snapshot_take(&snapshot);
    const kt_row *row = kt_snapshot_find(snapshot, "work", KT_BACKEND_MYDEVICE);
    printf("%s %d\n", row ? kt_backend_id_name(row->backend) : "no row", elapsed_ns > 0);
    return 0;
}
PROGRAM
cc -std=c11 -Wall -Werror -Iinclude -o "$work/timer" "$work/timer.c" "$work/build/src/libkerntime.a" -lm -ldl -pthread -fopenmp ||
    die "the program with a timer does not build"
said=$("$work/timer")
[ "$said" = "mydevice 1" ] || die "the timer of the new API says:" "$said"
