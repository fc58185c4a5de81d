#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers in streams of CUDA or HIP over every mood of the stub: nothing leaked, nothing misused, and the driver is never told to wait.
#
# usage: cuda_timer.sh PROGRAM cuda|hip STUB EARLY spans|captures|threads|timestamps|devices
set -u
program=$1 api=$2 stub=$3 early=$4 area=$5
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
case $api in
cuda) synchronize=cuStreamSynchronize create=cuEventCreate destroy=cuEventDestroy_v2 query=cuEventQuery exchange=cuThreadExchangeStreamCaptureMode ;;
hip) synchronize=hipStreamSynchronize create=hipEventCreateWithFlags destroy=hipEventDestroy query=hipEventQuery exchange=hipThreadExchangeStreamCaptureMode ;;
esac

fail()
{
    echo "$api with \"$script\" $*"
    failed=1
}

exactly() { # FUNCTION NUMBER, of the latest run
    found=$(sed -n "s/^$1 //p" "$counts" | grep . || echo 0)
    [ "$found" = "$2" ] || fail "$1 was called $found times, not $2"
}

at_most() { # FUNCTION NUMBER, of the latest run
    found=$(sed -n "s/^$1 //p" "$counts" | grep . || echo 0)
    [ "$found" -le "$2" ] || fail "$1 was called $found times, more than $2"
}

# run LIBRARY SCRIPT MOOD
run() {
    script=clock=host,copy_ns=300000${2:+,$2}
    : >"$counts"
    case $api in
    cuda) KERNTIME_LIB_CUDA=$1 KT_STUB_CUDA=$script KT_STUB_CUDA_COUNTS=$counts "$program" cuda "$3" ;;
    hip) KERNTIME_LIB_HIP=$1 KT_STUB_HIP=$script KT_STUB_HIP_COUNTS=$counts "$program" hip "$3" ;;
    esac || fail "it is not so: $3"
}

# expect SCRIPT MOOD
expect() {
    run "$stub" "$1" "$2"
    grep -E '^(leak|misuse)' "$counts" && fail "$2 is not clean"
    exactly $synchronize 0
}

case $area in
spans)
    expect "" spans_are_as_long_as_the_work
    expect late=3 spans_are_as_long_as_the_work
    expect "" events_are_used_again
    exactly $create 128
    exactly $destroy 128
    # Recording an event disturbs no capture, so each of 60 spans leaves the thread's mode as it is.
    expect "" spans_are_recorded
    at_most $exchange 59
    expect "" the_default_stream
    expect "" named_default_streams
    expect "" misuse
    ;;
captures)
    expect "" captured_streams_are_refused
    expect "" captures_are_not_disturbed
    expect "" captures_beside_the_benchmark_api
    # A driver that cannot be asked about captures: the spans are good.
    run "$early" "" spans_are_as_long_as_the_work
    ;;
threads)
    expect devices=2 threads_keep_what_they_have
    expect "" threads_beside_each_other
    expect late=1 threads_beside_each_other
    if [ "$api" = cuda ]; then
        expect "" contexts
        expect "" green_contexts
        run "$stub" "" a_destroyed_context # using it is the misuse
        exactly $destroy 0                 # its events went with it
        expect "" a_reset_context
        exactly $destroy 0
    else
        expect devices=2 wrong_streams
    fi
    ;;
timestamps)
    expect elapsed=negative,every=2 become_negative
    expect elapsed=invalid,every=2 become_lost
    expect elapsed=captured,every=2 become_lost
    expect elapsed=nothing,every=2 become_nothing
    run "$stub" "fail=$query:3,error=700" the_device_is_lost
    if [ "$api" = cuda ]; then
        for code in 226 709 721 810; do
            run "$stub" "fail=$query:3,error=$code" the_device_is_lost
        done
    else
        run "$stub" "fail=$query:3,error=709" nothing_is_lost
    fi
    ;;
devices)
    expect elapsed=negative untrusted_times
    expect elapsed=nothing untrusted_times
    expect clock=simulated untrusted_times
    expect elapsed=invalid there_are_no_times
    run "$stub" init=100 there_is_no_device
    run "$stub" init=101 there_is_no_device
    run "$stub" init=34 there_is_no_device
    run "$stub" devices=0 there_is_no_device
    if [ "$api" = hip ]; then # two versions that the loader finds
        folder=$(mktemp -d) || exit 1
        trap 'rm -rf "$counts" "$folder"' EXIT
        cp "$stub" "$folder/libamdhip64.so.6" && cp "$stub" "$folder/libamdhip64.so.7" || exit 1
        LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} KT_STUB_HIP=clock=host,copy_ns=300000 \
            "$program" hip the_programs_own_runtime || fail "another runtime is called"
    fi
    ;;
esac
exit "$failed"
