#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers over every mood of the stub: nothing leaked, nothing misused, nobody told to wait, and nothing flushed but the two
# markers by which importing looks at the driver's timestamps, in a queue of its own.
#
# usage: timer.sh PROGRAM STUB life|misuse|spans|timestamps|threads|events
set -u
program=$1 area=$3
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KERNTIME_LIB_OPENCL="$2" KT_STUB_OPENCL_COUNTS="$counts"

fail()
{
    echo "with \"$KT_STUB_OPENCL\" $*"
    failed=1
}

calls() { # FUNCTION
    sed -n "s/^$1 //p" "$counts" | grep . || echo 0
}

# exactly FUNCTION NUMBER, of the latest run
exactly()
{
    [ "$(calls "$1")" = "$2" ] || fail "$1 was called $(calls "$1") times, not $2"
}

# run SCRIPT MOOD FLUSHES
run()
{
    export KT_STUB_OPENCL="$1"
    : >"$counts"
    "$program" "$2" || fail "it is not so: $2"
    grep -E '^(leak|misuse)' "$counts" && fail "$2 is not clean"
    for name in clFinish clWaitForEvents clSetEventCallback clEnqueueReadBuffer clEnqueueWriteBuffer clEnqueueMapBuffer; do
        exactly $name 0
    done
    exactly clFlush "$3"
}

# expect SCRIPT MOOD: of one import
expect()
{
    run "$1" "$2" 2
}

case $area in
life)
    expect noise=0 spans_are_as_long_as_the_work
    expect noise=0,late=5 spans_are_as_long_as_the_work
    expect noise=0,markers=front spans_by_fills
    expect noise=0,late=3 elapsed_is_of_the_newest
    run lag=1000000 never_ends 1
    expect late=3 waits_for_its_own_alone
    expect "" timers_that_are_gone
    expect "" disabled
    exactly clEnqueueMarkerWithWaitList 7 # 2 of import, the program's event, and 2 spans
    expect noise=0 events_of_an_out_of_order_queue
    expect noise=0,late=2 events_of_an_out_of_order_queue
    expect "" the_queue_is_retained
    # The program itself flushes twice.
    run clock=host works 4
    run clock=own works 4
    run clock=host,version=1.2 works 4
    # Spans that nobody collected when the program exits.
    left=$(KT_STUB_OPENCL="" "$program" left_at_exit) || fail "it does not exit"
    for line in 'gone on opencl: 1 span without a duration: 1 lost' \
        'kept on opencl: 3 spans without a duration: 3 lost' 'runs on opencl: 1 span without a duration: 1 lost'; do
        echo "$left" | grep -qx "$line" || fail "left_at_exit does not print: $line"
    done
    echo "$left" | grep -qE '^kept +opencl .* 1 ' || fail "left_at_exit lost what it had collected"
    ;;
misuse)
    expect "" starts_and_stops
    run devices=2 queues_that_cannot_be 4 # the queue without profiling is imported, too
    expect devices=2 events_that_cannot_be
    expect "" a_closed_timer_context
    run "" null_handles 0
    KERNTIME_LIB_OPENCL=/nowhere/libOpenCL.so.1 "$program" without_a_driver || failed=1
    ;;
spans)
    run noise=0,kernel_ns=0,lag=100000 a_million_spans 1 # no marker of import's ends in time
    expect noise=0,kernel_ns=0,late=1 spans_one_by_one
    expect noise=0,kernel_ns=0,late=3 spans_one_by_one
    run noise=0,kernel_ns=0,late=2,lag=5000 spans_one_by_one 1
    expect noise=0,kernel_ns=1,late=2 above_a_small_cap
    run noise=0,kernel_ns=1,lag=1500 above_the_default_cap 1
    ;;
timestamps)
    expect timestamps=zero,spoil_from=14 become_zero
    expect timestamps=zero,spoil_from=14,late=2 become_zero
    expect timestamps=zero,spoil_from=15 become_zero # of the sixth span the stop alone
    expect timestamps=fake,spoil_from=14 become_fake
    expect timestamps=fake refused_from_the_start
    expect timestamps=zero refused_from_the_start
    run version=1.1 too_old 0
    expect timestamps=backwards some_backwards
    expect timestamps=swapped some_swapped
    run no_profiling_info=1 no_timestamps_at_all 1
    expect event_error=9 one_fails
    expect event_error=9,late=1 one_fails
    expect lost=9 becomes_lost
    expect hang=6 one_hangs
    ;;
events)
    expect noise=0 events_of_calls
    expect noise=0,late=2 events_of_calls
    expect noise=0 an_event_that_is_kept
    expect lost=5 calls_that_fail # 3 commands are of import
    expect "" events_of_other_threads
    expect "" events_at_the_end
    expect "" no_place_for_an_event
    expect devices=2 events_of_wrong_queues
    # Long spans: of import's three commands the third waits, so that times of queueing are believed.
    expect noise=0,empty_ns=200000,backlog=3 stops_come_late
    expect noise=0,empty_ns=200000,backlog=3 the_thread_does_not_sleep
    expect noise=0,empty_ns=200000,backlog=100 stops_come_in_time # they wait for the work before them
    expect noise=0,kernel_ns=80000,empty_ns=300000,backlog=3 stops_come_in_time # they wait for other work
    expect noise=0,backlog=3 stops_come_in_time                   # very short spans
    expect noise=0,empty_ns=200000 stops_come_in_time             # times of queueing are not believed
    ;;
threads)
    run lag=64 threads_beside_each_other 1
    expect late=1 threads_beside_each_other
    expect "" threads_beside_each_other
    run noise=0 closing_beside_a_collector 200 # two of each import
    ;;
esac
exit "$failed"
