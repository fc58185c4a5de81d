#!/bin/sh
# SPDX-License-Identifier: MIT
# driver.sh KERNTIME PROGRAM IMAGES: the tracer of Vulkan over a real driver, with the validation layer
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

# check SCENARIO COUNT THREADS EXPECTED...: rows as "KIND NAME CALLS [TIMED OVERLAPPED [BYTES]]".
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
            { line = $at["kind"] " " $at["name"] " " $at["calls"] " " $at["n"] " " $at["overlapped"] " " $at["bytes"] }
            index(line " ", row " ") == 1 { found = 1 }
            END { exit !found }' "$work/csv" || fail "$scenario: no row '$row'"
    done
}

check dispatch 100 1 'kernel by hand 100 100 0' 'copy device to device 2 2 0'
check resubmit 10 1 'kernel by hand 10 10 0'
check simultaneous 5 1 'kernel by hand 5'
check frames 20 1 'kernel by hand 20 20'
check rerecord 10 1 'kernel by hand 10 10 0'
check secondary 4 1 'kernel by hand 8 8 0' 'fill fill 4 4 0'
check copies 5 1 'copy device to device 12 12 0'
check resubmit 10 8 'kernel by hand 80 80 0' 'copy device to device 16 16 0'
check semaphore 1 1 'kernel by hand 2 2 1'
# Reading what has ended must not wait for what the host has yet to signal.
check host_signal 1 1 'kernel by hand 2 2 0'
check host_signal 2 1 'kernel by hand 2'
# A program may name objects without the extension; the loader ignores that.
timeout 60 "$kerntime" trace --quiet --csv "$work/csv" -- "$program" dispatch 1 1 unasked \
    >"$work/traced" 2>"$work/messages" || fail "names without the extension: $?"

# Each command once, also in its newer form. Bytes: 512 of an image of 16 x 8 texels of four bytes, 2048 of
# four layers or slices of it, and 120 of 5 x 3 blocks of eight bytes that hold 18 x 10 texels. One dispatch of
# the five is in a secondary command buffer that runs twice, so its first time is lost. Of the four render
# passes, three have no barrier in between.
program=$3
check images 1 1 'copy device to device 2 2 0 160' 'copy device to device (image) 9 9 0 8432' \
    'copy blit (image) 2 2 0' 'copy resolve (image) 2 2 0' 'fill fill 2 2 0 4104' 'fill update 1 1 0 32' \
    'fill clear (image) 3 3 0' 'render render pass 4 4 3' 'kernel count 5 4 0'
