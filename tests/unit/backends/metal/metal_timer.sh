#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers of passes, encoders and command buffers over every mood of the stub: nothing leaked, nothing misused, and nobody has waited.
#
# usage: metal_timer.sh PROGRAM STUB passes|encoders|commands|timestamps|misuse|threads
set -u
program=$1 area=$3
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KERNTIME_LIB_OBJC="$2" KERNTIME_LIB_METAL="$2" KT_STUB_METAL_COUNTS="$counts"

fail()
{
    echo "with \"$KT_STUB_METAL\" $*"
    failed=1
}

calls() { # SELECTOR
    sed -n "s/^$1 //p" "$counts" | grep . || echo 0
}

at_most() { # SELECTOR NUMBER
    [ "$(calls "$1")" -le "$2" ] || fail "$1 was called $(calls "$1") times, not $2 at most"
}

# timed SCRIPT MOOD
timed()
{
    export KT_STUB_METAL="strict=1,$1"
    : >"$counts"
    "$program" "$2" || fail "it is not so: $2"
    [ -s "$counts" ] || fail "the library was not used"
    grep -E '^(misuse|leak)' "$counts" && fail "$2 is not clean"
}

apple=sampling=apple
case $area in
passes)
    timed $apple often
    at_most newCounterSampleBufferWithDescriptor:error: 7 # 18,000 samples, and the trial's
    timed $apple three_kinds
    timed $apple several_commands
    timed $apple,poll_ns=1 late
    at_most resolveCounterRange: 40 # 24 spans, and the trial's
    timed $apple any_order
    timed $apple timer_gone
    timed $apple,poll_ns=1 left_open
    timed $apple discarded
    timed $apple committed_later
    timed $apple unfilled
    timed $apple kept_descriptor
    timed $apple,timebase=1/1,host_side=ticks three_kinds
    timed $apple,proxy=1 three_kinds
    ;;
encoders)
    for sampling in amd intel; do
        timed sampling=$sampling encoders
        timed sampling=$sampling nested
        timed sampling=$sampling out_of_turn
        timed sampling=$sampling stopped_late
        timed sampling=$sampling never_stopped
        timed sampling=$sampling no_stages
    done
    timed $apple no_boundaries
    ;;
commands)
    for sampling in apple amd intel none; do
        timed sampling=$sampling any_time
        timed sampling=$sampling each_call
        timed sampling=$sampling whole
    done
    for mood in zeros_always whole; do
        timed $apple,timestamps=zero $mood
        timed sampling=amd,timestamps=zero $mood
    done
    timed $apple,timestamps=zero,timestamps_of=copies zeros_of_copies
    timed sampling=none,missing=GPUStartTime no_times
    timed $apple,fail=GPUStartTime:0 only_samples
    timed $apple,fail=GPUStartTime:1 any_time # one bad answer does not cost the clock
    timed sampling=none,fail=GPUStartTime:1 any_time
    ;;
timestamps)
    for sampling in apple amd; do
        timed sampling=$sampling,timestamps=zero,every=6 zeros
        timed sampling=$sampling,timestamps=error,every=6 error_values
        timed sampling=$sampling,timestamps=backwards,every=6 backwards
        timed sampling=$sampling,timestamps=equal,every=6 equal
    done
    timed $apple,error=9 failed_commands # importing commits a few
    timed sampling=intel,bits=32 turned
    timed sampling=intel,bits=32 lived_long
    timed $apple never_encoded
    ;;
misuse)
    for mood in bad_imports strangers wrong_objects committed caps; do
        timed $apple,devices=2 $mood
    done
    timed $apple too_many
    timed $apple,max_sample_buffers=1 none_left
    ;;
threads)
    timed $apple,clock=host several_threads
    timed sampling=amd,clock=host several_threads
    ;;
esac
exit "$failed"
