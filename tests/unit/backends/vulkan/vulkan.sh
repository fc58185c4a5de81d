#!/bin/sh
# SPDX-License-Identifier: MIT
# The Vulkan backend over every mood of the stub: nothing leaked, nothing misused, and no more calls than told.
#
# usage: vulkan.sh PROGRAM STUB timestamps|pairs|memory|failures|missing|threads COMMAND API_HEADER
#        vulkan.sh PROGRAM STUB timer_runs|timer_stale|timer_timestamps|timer_misuse|timer_threads COMMAND API_HEADER
set -u
program=$1 area=$3 command=$4 header=$5
failed=0
counts=$(mktemp) || exit 1
output=$(mktemp) || exit 1
trap 'rm -f "$counts" "$output"' EXIT
# Real drivers abort under sanitizers.
export KERNTIME_BACKENDS=cpu,vulkan KERNTIME_LIB_VULKAN="$2" KT_STUB_VULKAN_COUNTS="$counts"

fail()
{
    echo "with \"$KT_STUB_VULKAN\" $*"
    failed=1
}

calls() { # FUNCTION
    sed -n "s/^$1 //p" "$counts" | grep . || echo 0
}

# run SCRIPT PROGRAM ARGUMENTS...
run()
{
    export KT_STUB_VULKAN="$1"
    shift
    : >"$counts"
    "$@" || fail "it is not so: $*"
    [ -s "$counts" ] || fail "the driver was not used"
    grep '^misuse' "$counts" && failed=1
}

# expect SCRIPT MOOD
expect()
{
    run "$1" "$program" "$2"
    grep '^leak' "$counts" && failed=1
}

# at_most FUNCTION NUMBER, of the latest run
at_most()
{
    [ "$(calls "$1")" -le "$2" ] || fail "$1 was called $(calls "$1") times, not $2 at most"
}

# timed SCRIPT MOOD [no-host-reset]: neither the program nor kerntime has waited.
timed()
{
    run "$1" "$program" "$2" ${3-}
    grep '^leak' "$counts" && failed=1
    for name in vkWaitForFences vkQueueWaitIdle vkDeviceWaitIdle; do
        at_most $name 0
    done
}

# From what was submitted and hangs on, nothing is given back: the driver may still use it.
abandoned()
{
    run "$1" "$program" "$2"
    grep -q '^leak buffer [12]$' "$counts" || fail "a buffer of the device that hangs was destroyed"
    grep -q '^leak memory [12]$' "$counts" || fail "memory of the device that hangs was freed"
    for object in device fence "command pool" "command buffer" instance; do
        grep -q "^leak $object" "$counts" || fail "of the device that hangs is gone: $object"
    done
}

# The command itself: a device without timestamps is listed, and measured by wall time.
without_timestamps()
{
    run "$1" "$command" devices >"$output"
    grep -q "no timestamps" "$output" || fail "kerntime devices does not say that there are no timestamps"
    run "$1" "$command" bench fill --size 1000 -d vulkan:0 --samples 10..10 >"$output"
    grep -q "no device time" "$output" || fail "kerntime bench does not say that there is no device time"
}

case $area in
timestamps)
    expect bits=16,period=52.083332,kernel_ticks=777 narrow
    expect bits=36,period=52.083332,kernel_ticks=777,start=68719276736 bits36
    expect "" trials
    expect memory=discrete trials
    expect availability=2 trials
    expect late_fence=3 trials
    expect type=cpu,late_fence=3 trials
    expect bits=0 no_timestamps
    expect families=transfer+compute+compute,bits=64+0+40 family
    expect families=graphics+compute,bits=64+40 family
    expect availability=never never
    expect late=1000000 never
    expect timestamps=zero zero
    expect availability=never,every=4 some_never
    expect late=1,every=4 some_never
    expect timestamps=zero,every=4 some_zero
    expect timestamps=backwards,every=4 some_backwards
    without_timestamps bits=0
    ;;
pairs)
    for calibrated in ext khr both; do
        expect clock=host,calibrated=$calibrated,domains=device+monotonic right_pairs
        at_most vkGetCalibratedTimestampsEXT 88 # 20 pairs and 2 to check, each tried 4 times at most
        at_most vkGetCalibratedTimestampsKHR 88
        at_most vkQueueSubmit 1
    done
    expect clock=host,calibrated=ext,domains=unknown+device+raw+unknown right_pairs
    expect clock=host,calibrated=ext,domains=device right_pairs
    # Each call takes 1 ms before or after it looks at the clocks: wide, not wrong.
    expect clock=host,calibrated=ext,deviation=1000000 right_pairs
    at_most vkGetCalibratedTimestampsEXT 88
    expect clock=host,calibrated=ext,domains=device+raw,deviation=1000000 right_pairs
    at_most vkGetCalibratedTimestampsEXT 88
    expect clock=own,calibrated=ext,deviation=1000,deviation_grows=1 followed_by_pairs
    at_most vkGetCalibratedTimestampsEXT 200 # 32 pairs, 2 to check and some that are taken again
    for lie in epoch rate; do
        expect clock=own,start=1000000000000,calibrated=ext,device_values=$lie refused_pairs
        at_most vkGetCalibratedTimestampsEXT 8
        at_most vkQueueSubmit 1
        expect clock=own,start=1000000000000,calibrated=ext,device_values=$lie followed_by_brackets
    done
    expect clock=own,bits=36,start=68719476736,period=52.083332,calibrated=ext followed_by_pairs
    expect clock=own,calibrated=none refused_pairs
    expect clock=own,calibrated=ext,domains=monotonic+raw+unknown refused_pairs
    at_most vkGetCalibratedTimestampsEXT 0
    expect clock=own,calibrated=ext,availability=never refused_pairs
    expect clock=own,calibrated=ext,fail=vkGetCalibratedTimestampsEXT:0 refused_pairs
    at_most vkGetCalibratedTimestampsEXT 4 # for one pair, and then no more
    expect clock=own,calibrated=ext,fail=vkGetCalibratedTimestampsEXT:0 followed_by_brackets
    expect clock=own,calibrated=ext,fail=vkGetPhysicalDeviceCalibrateableTimeDomainsEXT:0 refused_pairs
    expect clock=own,calibrated=ext,missing=vkGetCalibratedTimestampsEXT refused_pairs
    expect clock=own,calibrated=ext,fail=vkGetCalibratedTimestampsEXT:1,error=lost lost_pairs
    ;;
memory)
    expect memory=unified unified
    expect memory=discrete discrete
    expect memory=bar bar
    expect memory=noncoherent discrete
    for memory in unified discrete bar noncoherent; do
        expect memory=$memory bytes
    done
    # Memory of the process: units larger than pages, and a type that is flushed.
    expect memory=discrete,host_alignment=65536 bytes
    expect memory=noncoherent,host_types=4 bytes
    expect memory=discrete,host_pointers=0 no_heap
    expect memory=discrete,api=1.0 no_heap
    expect memory=discrete,fail=vkEnumerateDeviceExtensionProperties:0 no_heap
    expect memory=discrete,host_types=1 heap_of_no_type # the host does not see it
    expect memory=discrete,host_types=0 heap_of_no_type
    expect memory=discrete,missing=vkGetMemoryHostPointerPropertiesEXT heap_without_function
    expect max_alloc=8191 heap_in_whole_units
    ;;
failures)
    abandoned hang=1 hangs
    abandoned hang=9 hangs
    abandoned type=cpu,hang=9 hangs
    abandoned memory=discrete,hang=1 transfer_hangs
    expect lost=1 is_lost
    expect lost=9 is_lost
    expect type=cpu,lost=9 is_lost
    for name in vkResetCommandPool vkBeginCommandBuffer vkEndCommandBuffer vkResetFences vkQueueSubmit; do
        expect memory=discrete,fail=$name:1 recording_fails_once
    done
    expect max_range=4000 range_limit
    expect "" large_range_limit
    expect memory=noncoherent,host_types=4 kernel_on_heap # here, since it needs glslc as these do
    expect max_groups=3 groups_limit
    expect max_group_size=64 group_limit
    expect max_invocations=64 group_limit
    expect max_alloc=5000 allocation_limit
    expect max_push=8 argument_limits
    expect heap=100000 no_memory_left
    expect devices=0 no_device
    expect fail=vkEnumeratePhysicalDevices:1,error=initialization no_device
    expect families=transfer no_device
    expect api=1.0 of_1_0
    ;;
threads)
    expect clock=own,calibrated=ext several_threads
    expect clock=own,calibrated=ext,type=cpu,memory=discrete several_threads
    ;;
timer_runs)
    for commands in at_once held; do
        for mood in often often_uncollected several_spans anew never_submitted ends; do
            timed commands=$commands $mood
            timed commands=$commands,undefined=garbage $mood
        done
    done
    for mood in often often_uncollected several_spans anew; do
        timed commands=at_once $mood no-host-reset
        timed commands=at_once,api=1.1 $mood no-host-reset
        timed missing=vkResetQueryPool $mood
    done
    timed late=5 come_late
    timed commands=held,late=5 come_late
    timed availability=2 often
    timed late=1 a_million
    timed commands=held two_recordings
    timed commands=held,undefined=garbage two_recordings
    timed availability=never ends_without_timestamps
    ;;
timer_stale)
    for mood in run_before span_by_span recording_before refused_before unfinished_before unreported_before; do
        timed commands=held $mood
        timed commands=held,undefined=garbage $mood
    done
    timed commands=held,progress=5 two_moments
    timed commands=held,writing=shown each_moment
    timed late=5 overwritten
    timed commands=held,late=5 overwritten
    timed commands=held,fail=vkGetQueryPoolResults:1 failed_before
    ;;
timer_timestamps)
    timed bits=36,start=68719468236 wraps # 8500 ticks before the counter's end
    timed commands=held,bits=36,start=68719468236 wraps
    timed bits=20 ambiguous
    timed bits=36,period=0.00001 ambiguous
    timed period=52.083332,kernel_ticks=777 period
    timed timestamps=zero zeros
    timed timestamps=backwards,every=2 backwards # of both timestamps of a span, the second
    timed kernel_ticks=0,empty_ticks=0 below_min_span
    timed kernel_ticks=1000000000000 longer_than_the_host_saw
    timed fail=vkGetQueryPoolResults:1,error=lost device_lost
    timed families=all+compute,bits=0+40 family
    timed "" loader_of_the_system
    ;;
timer_misuse)
    for mood in not_begun out_of_turn simultaneous disabled strangers closed left_open bad_imports caps; do
        timed "" $mood
    done
    timed bits=0 no_driver
    timed families=transfer copies_alone
    for name in $(sed -n '/define VULKAN_TIMER_CONTEXT(/,/^$/s/^  *X(\(vk[A-Za-z0-9]*\)).*/\1/p' "$header"); do
        timed missing="$name" no_driver
    done
    ;;
timer_threads)
    timed commands=held several_threads
    timed commands=held waiting
    ;;
missing)
    for name in $(sed -n '/_OPTIONAL/!s/^  *X(\(vk[A-Za-z0-9]*\)).*/\1/p' "$header"); do
        case $name in
        vkGetPhysicalDeviceProperties2 | vkGetPhysicalDeviceFeatures2 | *EXT) continue ;; # may be missing
        vkDestroyInstance | vkDestroyDevice) # then nothing can be given back
            run missing="$name" "$program" is_missing
            continue
            ;;
        esac
        expect missing="$name" is_missing
    done
    ;;
esac
exit "$failed"
