#!/bin/sh
# driver.sh KERNTIME PROGRAM: the tracer of Vulkan over a real driver, with the validation layer
# below it if there is one. What the program computes is the same with and without it, and each
# command is seen. The program names its pipeline.
kerntime=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The tracer's own calls are checked, too, and the launcher adds a layer that is there already once more.
layers=VK_LAYER_kerntime_trace:VK_LAYER_KHRONOS_validation
ls /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json >"$work/layer" 2>&1 || {
    layers=VK_LAYER_kerntime_trace
}

fail() {
    echo "driver.sh: $*"
    cat "$work"/*
    exit 1
}

# check SCENARIO COUNT THREADS EXPECTED...: rows as "KIND NAME CALLS [TIMED OVERLAPPED]".
check() {
    scenario="$1 $2 $3"
    # shellcheck disable=SC2086 # words
    "$program" $scenario >"$work/plain" 2>&1
    code=$?
    [ $code -eq 77 ] && exit 77
    [ $code -eq 0 ] || fail "$scenario without a tracer: $code"
    # shellcheck disable=SC2086
    VK_INSTANCE_LAYERS=$layers "$kerntime" trace --quiet --csv "$work/csv" --output "$work/table" -- \
        "$program" $scenario checked >"$work/traced" 2>"$work/messages" || fail "$scenario: $?"
    cmp -s "$work/plain" "$work/traced" || fail "$scenario: other output"
    [ -s "$work/messages" ] && fail "$scenario: messages"
    shift 3
    for row in "$@"; do
        awk -F, -v row="$row" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            { line = $at["kind"] " " $at["name"] " " $at["calls"] " " $at["n"] " " $at["overlapped"] }
            index(line " ", row " ") == 1 { found = 1 }
            END { exit !found }' "$work/csv" || fail "$scenario: no row '$row'"
    done
}

check dispatch 100 1 'kernel by hand 100 100 0' 'copy device to device 2 2 0'
check resubmit 10 1 'kernel by hand 10 10 0'
check simultaneous 5 1 'kernel by hand 5'
check rerecord 10 1 'kernel by hand 10 10 0'
check secondary 4 1 'kernel by hand 8 8 0' 'fill fill 4 4 0'
check copies 5 1 'copy device to device 12 12 0'
check resubmit 10 8 'kernel by hand 80 80 0' 'copy device to device 16 16 0'
check semaphore 1 1 'kernel by hand 2 2 1'
# Reading what has ended must not wait for what the host has yet to signal.
check host_signal 1 1 'kernel by hand 2 2 0'
check host_signal 2 1 'kernel by hand 2'
