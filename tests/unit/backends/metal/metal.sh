#!/bin/sh
# SPDX-License-Identifier: MIT
# The backend of Metal over its stub: nothing leaked, nothing misused.
#
# usage: metal.sh PROGRAM STUB times|states|failures|reported
set -u
program=$1 stub=$2 area=$3
failed=0
unwanted='leak|misuse'
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KERNTIME_BACKENDS=cpu,metal KERNTIME_LIB_OBJC="$stub" KERNTIME_LIB_METAL="$stub" KT_STUB_METAL_COUNTS="$counts"

# expect SCRIPT MOOD
expect()
{
    export KT_STUB_METAL="$1"
    : >"$counts"
    if ! "$program" "$stub" "$2" || [ ! -s "$counts" ] || grep -E "^($unwanted)" "$counts"; then
        echo "with \"$1\", $2"
        failed=1
    fi
}

case $area in
times)
    expect sampling=apple,strict=1 exact
    expect sampling=apple,timebase=1/1,strict=1 exact
    expect sampling=apple,host_side=ticks,strict=1 exact
    expect sampling=apple,block_ns=5000000,block_every=3,strict=1 exact
    expect sampling=intel,drift_ppm=200,strict=1 exact
    expect sampling=intel,timebase=125/3,strict=1 exact
    expect sampling=amd,strict=1 exact_discrete
    expect sampling=amd,host_side=ticks,timebase=125/3,strict=1 exact_discrete
    expect sampling=none,strict=1 exact_by_commands
    expect sampling=apple,timestamps=zero,strict=1 exact_by_commands
    # A command buffer is enough for all steps, so no queue but the device's is made.
    unwanted='leak|misuse|newCommandQueueWithMaxCommandBufferCount: [^1]'
    expect sampling=apple,strict=1 many_steps
    expect sampling=amd,strict=1 many_steps
    unwanted='leak|misuse'
    expect sampling=none,strict=1 many_commands
    expect sampling=apple,strict=1 in_order
    expect sampling=intel,strict=1 in_order
    expect sampling=none,strict=1 in_order
    expect sampling=apple,max_sample_buffers=2,strict=1 buffers_go
    expect sampling=intel,max_sample_buffers=2,strict=1 buffers_go
    ;;
states)
    expect timestamps=zero,every=7,after=4 zero
    expect timestamps=error,every=7,after=4 error
    expect sampling=amd,timestamps=error,every=7,after=4 error
    expect timestamps=backwards,every=5,after=4,timebase=1/1 backwards
    expect timestamps=zero,after=4 turns_to_commands
    expect sampling=intel,timestamps=error,after=4 turns_to_commands
    expect timestamps=zero,after=5000 turns_late
    expect timestamps=zero,after=4 turns_with_many
    ;;
failures)
    expect devices=0 no_device
    expect unlisted=1,devices=0 no_device
    expect unlisted=1,fail=MTLCreateSystemDefaultDevice:0 no_device
    expect missing=MTLCompileOptions no_compile_options
    expect build=fail not_built
    # The 20th commit has no samples. The 21st has, and is made again without.
    expect error=20 fails
    expect error=21 goes_on_without_samples
    expect error=21,error_code=8 goes_on_without_samples
    expect error=21,error_times=2 fails
    expect error=20,error_code=11 is_lost
    expect error=20,error_code=4 is_lost
    expect error=20,error_code=8 has_no_memory
    expect error=20,error_code=11,error_domain=other fails
    expect error=20,error_code=8,error_domain=other fails
    expect max_buffer=65536 too_large
    expect sampling=amd,max_buffer=65536 too_large
    expect strict=1 reflected
    expect strict=1 local_memory
    expect max_threads=64 groups_of_64
    expect sampling=amd,empty_threads=256,device_threads=256,strict=1 groups_of_256
    expect sampling=intel,strict=1 groups_of_256
    expect strict=1 overlaps
    expect timestamps=zero zeros
    expect sampling=intel,timestamps=zero zeros
    expect timestamps=zero,timestamps_of=copies zeros_of_copies
    expect sampling=amd,timestamps=zero,timestamps_of=copies zeros_of_copies
    expect sampling=amd,blits=0,strict=1 no_samples_of_copies
    expect sampling=intel,blits=0,strict=1 no_samples_of_copies
    expect timestamps=error errors
    expect timestamps=backwards backward
    expect timestamps=equal backward
    expect sampling=none no_set
    expect missing=supportsCounterSampling: before_11
    expect missing=counterSets no_set
    expect missing=MTLCounterSampleBufferDescriptor no_set
    expect max_sample_buffers=0 no_buffer
    expect error=1 fails_plain
    expect error=2,error_times=3 fails_timestamped
    expect error=3,error_times=3 fails_timestamped
    expect error=2 reported_of_apple
    expect max_samples=100 no_such_buffer
    expect missing=sampleTimestamps:gpuTimestamp: no_pairs
    expect pairs_percent=110 other_ticks
    expect pairs_percent=110,block_ns=1000000,block_every=2 ticks_of_others
    expect block_ns=2000000,block_every=1 reported_of_apple
    expect block_ns=8000000,block_every=1 reported_of_apple
    expect sampling=none,missing=GPUStartTime no_times
    unwanted=misuse # what a device that does not answer has is never freed
    expect hang=10 hangs
    ;;
reported)
    expect sampling=apple reported_of_apple
    expect sampling=amd reported_of_amd
    expect sampling=intel reported_of_intel
    expect missing=hasUnifiedMemory,sampling=intel,low_power=1 reported_of_intel
    # One bad answer, of kernels or of a copy, costs no clock.
    expect timestamps=zero,first=1 reported_of_apple
    expect timestamps=error,first=3 reported_of_apple
    expect timestamps=backwards,first=2,sampling=amd reported_of_amd
    expect timestamps=zero,first=2,timestamps_of=copies reported_of_apple
    expect missing=maxBufferLength,missing=recommendedMaxWorkingSetSize reported_of_apple
    expect missing=hasUnifiedMemory reported_of_apple
    expect proxy=1 reported_of_apple
    expect proxy=1,sampling=amd reported_of_amd
    expect precise=1,missing=setMathMode: reported_of_apple
    expect precise=1 reported_of_apple
    expect 'sampling=amd,name=Radeon Pro 560' reported_of_radeon
    expect 'sampling=amd,name=GeForce GT 750M' reported_of_geforce
    expect devices=3 three_devices
    expect unlisted=1 one_device
    expect unlisted=1,devices=3 one_device
    ;;
*)
    echo "no such area"
    exit 2
    ;;
esac
exit $failed
