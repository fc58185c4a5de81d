#!/bin/sh
# SPDX-License-Identifier: MIT
# The backend of Level Zero over its stub: nothing leaked, nothing misused. With a LOADER's path the stub is the driver behind that.
#
# usage: level_zero.sh PROGRAM STUB times|wraps|units|states|failures [loaded]
set -u
program=$1 stub=$2 area=$3
failed=0
unwanted='leak|misuse'
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KERNTIME_BACKENDS=cpu,level_zero KERNTIME_LIB_LEVEL_ZERO="$stub" KT_STUB_LEVEL_ZERO_COUNTS="$counts"
if [ "${4:-}" = loaded ]; then
    export KERNTIME_LIB_LEVEL_ZERO= ZE_ENABLE_ALT_DRIVERS="$stub"
fi

# expect SCRIPT MOOD [CALL]: it must have been made, so often if there is a number
expect()
{
    export KT_STUB_LEVEL_ZERO="$1"
    : >"$counts"
    if ! "$program" "$stub" "$2" || [ ! -s "$counts" ] || grep -E "^($unwanted)" "$counts"; then
        echo "with \"$1\", $2"
        failed=1
    elif [ -n "${3:-}" ] && ! grep -Eq "^$3( |\$)" "$counts"; then
        echo "with \"$1\", $2 without $3"
        failed=1
    fi
}

case $area in
times)
    expect hz=12000000,strict=1 exact
    expect hz=12000048,kernel_bits=36,strict=1 exact
    expect hz=19200000,kernel_bits=64,strict=1 exact
    expect hz=19200000,kernel_bits=32,garbage=1,strict=1 exact
    expect hz=19200000,unit=hz,late=2,strict=1 exact
    expect tiles=2,strict=1 exact
    expect tiles=16,strict=1 exact
    expect hz=12000000,strict=1 exact_copies
    expect hz=19200000,bits=32,garbage=1,strict=1 exact_copies
    expect hz=12000048,bits=64,groups=copy_first,strict=1 exact_copies
    expect strict=1 trials
    expect strict=1 several_steps zeCommandListAppendQueryKernelTimestamps
    expect extension=0,query_ns=900000,strict=1 several_steps zeCommandListAppendQueryKernelTimestamps
    expect extension=0,signalled=cached,strict=1 several_steps zeCommandListAppendQueryKernelTimestamps
    expect tiles=2,strict=1 several_steps zeEventQueryTimestampsExp
    expect context_percent=60,strict=1 context_beside
    ;;
wraps)
    expect hz=12000000,strict=1 beyond_the_wrap
    expect hz=19200000,call_ns=100000000,strict=1 beyond_the_wrap
    expect hz=19200000,gap_ns=300000000000,strict=1 beyond_the_wrap # longer than a wrap goes by beside the kernel
    ;;
units)
    expect hz=12000000,unit=old found_12_mhz
    expect hz=12000000,unit=refused found_12_mhz
    expect hz=12000048,unit=old,kernel_bits=64 found_12000048_hz
    expect hz=19200000,unit=refused found_19_2_mhz
    expect hz=19200000,unit=old,calibrated_timestamps=unsupported found_19_2_mhz
    expect unit=zero found_without_a_word
    expect clock=host,hz=12000000,unit=old found_on_the_hosts_clock
    expect clock=host,hz=12000000,unit=refused found_on_the_hosts_clock
    expect clock=host,hz=12000000,unit=zero found_on_the_hosts_clock
    expect hz=12000048,unit=both reported_in_hz
    expect hz=12000048,unit=hz reported_in_hz
    ;;
states)
    expect every=4,timestamps=zero zero
    expect every=4,timestamps=unwritten zero
    expect every=4,timestamps=backwards backwards
    expect every=4,timestamps=not_ready not_ready
    expect every=4,timestamps=error failed
    expect tiles=17 too_many_tiles
    expect every=37,timestamps=unwritten several_steps_zero
    expect every=37,timestamps=zero several_steps_zero
    expect every=7,timestamps=zero zero_of_copies
    expect every=7,timestamps=unwritten zero_of_copies
    ;;
failures)
    expect drivers=0 no_driver
    expect devices=0 no_device
    expect groups=none no_device
    expect npu=1 no_device
    expect drivers=2,devices=0 no_device_of_two
    expect fail=zeInit:1,error=unknown not_initialised
    expect fail=zeInit:1,error=uninitialized no_driver # as the loader answers where it finds none
    expect aub=1 nothing_executed
    expect lost=1 device_is_lost
    expect total_bytes=100000,max_alloc=50000 too_large
    expect build=fail not_built
    expect build=late built_without_kernels
    expect groups=pvc groups_of_queues
    expect groups=apart,strict=1 engines_apart
    expect strict=1 local_memory
    expect devices=2,fail=zeDeviceGetCommandQueueGroupProperties:1 one_device_of_two
    expect devices=2,fail=zeDeviceGetCommandQueueGroupProperties:0 no_device_that_answers
    expect fail=zeDeviceGetCacheProperties:2,error=unknown caches_asked_again 'zeDeviceGetCacheProperties 4'
    expect vendor=4660 another_vendor
    expect tiles=3,extension=0 tiles_unseen
    expect tiles=3 without_quirk
    expect extension=0 without_quirk
    expect calibrated_timestamps=unsupported without_pairs
    expect calibrated_timestamps=lost without_pairs
    [ "${4:-}" != loaded ] || expect calibrated_timestamps=missing without_pairs
    expect strict=1 with_pairs
    unwanted=misuse # what a device that does not answer has is never freed
    expect hang=1 hangs
    ;;
*)
    echo "no such area"
    exit 2
    ;;
esac
exit $failed
