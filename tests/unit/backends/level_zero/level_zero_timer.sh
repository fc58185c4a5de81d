#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers in Level Zero lists over every mood of the stub: nothing leaked, nothing misused, and the driver is never told to wait by kerntime.
#
# usage: level_zero_timer.sh PROGRAM DRIVER streams|recordings|events|timestamps|misuse|threads [LOADER]
# DRIVER is loaded by the system's loader; with LOADER that is the stub as if it were a loader, with what came with API 1.9.
set -u
program=$1 driver=$2 area=$3 loader=${4-}
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KT_STUB_LEVEL_ZERO_COUNTS="$counts"
if [ -n "$loader" ]; then
    export KERNTIME_LIB_LEVEL_ZERO="$loader" KT_TEST_STUB="$loader"
else
    unset KERNTIME_LIB_LEVEL_ZERO
    "$program" --loader || { echo "skipped: no loader of Level Zero here (Debian: libze1)"; exit 77; }
    export ZE_ENABLE_ALT_DRIVERS="$driver" KT_TEST_STUB="$driver"
fi
# Barriers take no time, and the host takes none to append: a span is as long as its commands, to the tick.
exact=barrier_ticks=0,call_ns=0
unordered="work is not ordered behind the global timestamp before it"

fail()
{
    echo "with \"$KT_STUB_LEVEL_ZERO\" $*"
    failed=1
}

# run SCRIPT MOOD
run()
{
    export KT_STUB_LEVEL_ZERO="$1"
    : >"$counts"
    "$program" "$2" || fail "it is not so: $2"
}

# expect SCRIPT MOOD
expect()
{
    run "$1" "$2"
    [ -s "$counts" ] || fail "the driver was not used"
    grep -E '^(leak|misuse)' "$counts" && fail "$2 is not clean"
}

# What the device may still write to, or signal, is left to the driver; expect_left SCRIPT MOOD
expect_left()
{
    run "$1" "$2"
    grep '^misuse' "$counts" | grep -v 'zeContextDestroy: .* of the context is there' && fail "$2 is not clean"
    grep -q '^leak event pool' "$counts" || fail "$2 took away what may still be used"
}

case $area in
streams)
    for mood in asynchronous two_lists many removed_lists by_its_own_barriers switched_off; do
        expect $exact $mood
    done
    for mood in asynchronous two_lists many; do
        expect $exact,late=3 $mood
    done
    expect_left $exact ends # of an event that no command has signalled
    expect_left $exact,poll_ns=1 closed_in_flight
    expect $exact,immediate=at_once many
    expect $exact,gap_ns=0 synchronous
    ;;
recordings)
    for mood in often several_spans anew stale overwritten two_recordings; do
        expect $exact $mood
    done
    expect $exact,late=3 several_spans
    expect $exact,late=3 stale
    expect $exact unused_event
    # A driver that keeps an event as signalled until the host resets it.
    for mood in often several_spans anew stale overwritten two_recordings unused_event; do
        expect $exact,signalled=cached $mood
    done
    # Lists of a group that only copies.
    for mood in often several_spans unused_event; do
        expect $exact,groups=copy_first $mood
    done
    ;;
events)
    for mood in in_an_immediate_list in_a_regular_list beside_spans; do
        expect $exact $mood
        expect $exact,hz=12000000,bits=64,kernel_bits=64 $mood
        expect $exact,tiles=2 $mood
        expect $exact,tiles=4,devices=3,drivers=2 $mood
    done
    expect $exact,tiles=2 often
    expect $exact,tiles=3 several_spans
    expect $exact,late=3 beside_spans
    ;;
timestamps)
    expect hz=19200000,bits=36,kernel_bits=32 clocks
    expect hz=12000048,bits=64,kernel_bits=64 clocks
    for bits in 36,kernel_bits=32 32,kernel_bits=24 64,kernel_bits=64 40,kernel_bits=36; do
        expect $exact,bits=$bits wraps
        expect $exact,bits=$bits,garbage=1,hz=12000000 wraps
    done
    expect $exact,kernel_bits=16 ambiguous
    for hz in 12000000 12000048 19200000 38400000; do
        expect clock=host,unit=old,hz=$hz whole_ns
        expect clock=host,unit=refused,hz=$hz,kernel_bits=64,bits=64 whole_ns
    done
    expect clock=host,unit=old,calibrated_timestamps=unsupported cannot_be_measured
    expect clock=host,unit=old,calibrated_timestamps=lost cannot_be_measured
    expect clock=host,unit=old,calibrated_timestamps=slow is_read_slowly
    expect unit=old is_untrusted # its clock moves with questions alone
    expect unit=zero,calibrated_timestamps=unsupported is_not_reported
    expect timestamps=zero zeros
    expect timestamps=backwards,every=2,bits=64,kernel_bits=64 backwards
    expect $exact longer_than_the_host_saw
    expect_left aub=1 never_executed
    run fail=zeEventQueryStatus:1,error=lost device_lost # then nothing can be given back
    ;;
misuse)
    for mood in event_used_anew event_of_a_recording out_of_turn strangers bad_imports limits; do
        expect $exact $mood
    done
    expect_left $exact event_never_used
    if [ -n "$loader" ]; then
        expect $exact wrong_lists
    else
        expect $exact lists_that_do_not_tell
    fi
    KERNTIME_LIB_LEVEL_ZERO=/nowhere "$program" no_driver || fail "without a loader it is not so"
    if [ -z "$loader" ]; then
        ZE_ENABLE_ALT_DRIVERS=/nowhere "$program" no_driver || fail "without a driver it is not so"
    fi
    # Where the barrier behind a timestamp fails, the timestamp is of a span that counts for nothing: what follows need not be ordered behind it.
    for name in Barrier WriteGlobalTimestamp EventReset; do
        for nth in 1 2 5 9 13 17; do
            run $exact,fail=zeCommandListAppend$name:$nth an_append_fails
            grep -E '^(leak|misuse)' "$counts" | grep -v "$unordered" && fail "a failing $name is not clean"
        done
    done
    ;;
threads)
    for late in 0 3; do
        expect clock=host,barrier_ticks=0,kernel_ticks=400,late=$late several_threads
    done
    ;;
esac
exit "$failed"
