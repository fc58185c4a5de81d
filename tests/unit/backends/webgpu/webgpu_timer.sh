#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers of passes over every mood of the stub: nothing leaked, nothing misused, and nobody has waited.
#
# usage: webgpu_timer.sh PROGRAM STUB frames|timestamps|misuse|threads|native
set -u
program=$1 area=$3
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KERNTIME_LIB_WEBGPU="$2" KT_STUB_WEBGPU_COUNTS="$counts"

fail()
{
    echo "with \"$KT_STUB_WEBGPU\" $*"
    failed=1
}

calls() { # FUNCTION
    sed -n "s/^$1 //p" "$counts" | grep . || echo 0
}

at_most() { # FUNCTION NUMBER
    [ "$(calls "$1")" -le "$2" ] || fail "$1 was called $(calls "$1") times, not $2 at most"
}

# timed SCRIPT MOOD: the instance has no timed waits, so the stub counts each wait with a time as misuse.
timed()
{
    export KT_STUB_WEBGPU="empty_ns=1000,$1"
    : >"$counts"
    "$program" "$2" || fail "it is not so: $2"
    [ -s "$counts" ] || fail "the library was not used"
    grep -E '^(misuse|leak)' "$counts" && failed=1
    at_most wgpuInstanceProcessEvents 0
    at_most wgpuQueueOnSubmittedWorkDone 0
    at_most wgpuDevicePoll 0
}

case $area in
frames)
    timed commands=at_once often
    at_most wgpuDeviceCreateQuerySet 1
    at_most wgpuDeviceCreateBuffer 2
    timed commands=held many_late
    at_most wgpuDeviceCreateQuerySet 8
    timed late=5 come_late
    at_most wgpuInstanceWaitAny 12 # 2 of the program, 2 x 2 of error scopes, 6 of collecting two marks
    timed commands=at_once mixed
    timed commands=at_once timer_gone
    timed commands=held left_open
    timed commands=at_once discarded
    at_most wgpuDeviceCreateQuerySet 1
    ;;
timestamps)
    timed timestamps=zero,lax=1 zeros
    timed timestamps=backwards,every=2 backwards
    timed empty_ns=0 below_min_span
    timed empty_ns=300000 quantised
    timed empty_ns=100000 quantised_short
    timed resolution=100000,empty_ns=450000 rounded
    timed resolution=100000,empty_ns=150000 rounded_short
    timed lax=1 never_begun
    timed lax=1 overwritten
    timed lax=1 twice_in_a_row
    timed lost=2 device_lost
    timed fail=wgpuBufferMapAsync:1 mapping_fails
    for error in validation out_of_memory null; do
        timed fail=wgpuDeviceCreateQuerySet:1,error=$error no_room
        timed fail=wgpuDeviceCreateBuffer:1,error=$error no_room
        timed fail=wgpuDeviceCreateBuffer:2,error=$error no_room
    done
    ;;
misuse)
    for mood in out_of_turn strangers other_shapes disabled caps bad_imports without_timestamps named_library; do
        timed commands=at_once $mood
    done
    ;;
threads)
    timed commands=held,synchronises=1 several_threads
    timed commands=at_once,synchronises=1,late=2 several_threads
    ;;
native)
    timed commands=at_once wgpu_native
    ;;
esac
exit "$failed"
