#!/bin/sh
# SPDX-License-Identifier: MIT
# The backends of CUDA and HIP over their stub drivers: nothing leaked, nothing misused.
#
# usage: cuda.sh PROGRAM cuda|hip STUB times|states|blocking|failures|clock|transfers|names [NVRTC]
set -u
program=$1 api=$2 stub=$3 area=$4
failed=0
unwanted='leak|misuse'
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KERNTIME_BACKENDS="cpu,$api"
export KERNTIME_LIB_CUDA="$stub" KERNTIME_LIB_NVRTC="$stub" KERNTIME_LIB_HIP="$stub" KERNTIME_LIB_HIPRTC="$stub"
export KT_STUB_CUDA_COUNTS="$counts" KT_STUB_HIP_COUNTS="$counts"

# expect SCRIPT MOOD
expect()
{
    export KT_STUB_CUDA="$1" KT_STUB_HIP="$1"
    : >"$counts"
    if ! "$program" "$api" "$stub" "$2" || [ ! -s "$counts" ] || grep -E "^($unwanted)" "$counts"; then
        echo "with \"$1\", $2"
        failed=1
    fi
}

# launches N: how often the last mood launched the kernel that measures the clock
launches()
{
    found=$(sed -n 's/^kernel kt_clock //p' "$counts")
    if [ "${found:-0}" != "$1" ]; then
        echo "${found:-0} launches of kt_clock, not $1"
        failed=1
    fi
}

case $area in
times) # HIP's streams are never blocked, so there is nothing to hold back
    expect launch_gap_ns=0,call_ns=0 exact
    expect launch_gap_ns=0,call_ns=0,busy_launch_ns=1500 busy_launches
    if [ "$api" = hip ]; then
        expect launch_gap_ns=0,call_ns=0,fence_ns=40000 exact # events of ours have no system fence
        expect launch_gap_ns=0,call_ns=0,fence_flag=0 exact   # a runtime that refuses the flag
    fi
    expect launch_gap_ns=0,call_ns=0 chained
    ;;
states)
    expect kernel_ns=50000,launch_gap_ns=0,call_ns=0,every=4,elapsed=negative negative
    expect kernel_ns=50000,launch_gap_ns=0,call_ns=0,every=4,elapsed=nothing nothing_written
    expect kernel_ns=50000,launch_gap_ns=0,call_ns=0,every=4,elapsed=not_ready not_ready
    expect kernel_ns=50000,launch_gap_ns=0,call_ns=0,every=4,elapsed=invalid lost_timestamps
    expect kernel_ns=50000,launch_gap_ns=0,call_ns=0,every=4,elapsed=captured lost_timestamps
    ;;
blocking)
    if [ "$api" = cuda ]; then
        expect launch_gap_ns=20000,call_ns=400 blocked
        expect launch_gap_ns=20000,call_ns=400,blocking=refused unblocked
        expect launch_gap_ns=20000,call_ns=400,fail=cuModuleLoadDataEx:1,error=2 blocked_later
        expect launch_gap_ns=20000,call_ns=400 blocked_shared
        expect launch_gap_ns=20000,call_ns=400,concurrent=0 unblocked_shared
        expect launch_gap_ns=20000,call_ns=400,managed_waits=1 waiting_shared
        expect call_ns=0 many
        expect launch_gap_ns=20000,call_ns=400,give_up=3 blocked # one alone was a hiccup
        expect launch_gap_ns=20000,call_ns=400,give_up_every=2 unblocked
        expect give_up_every=8 given_up_seldom
        expect give_up_every=4 given_up_often
        expect launch_gap_ns=20000,call_ns=400,depth=2 unblocked # each launch behind the blocking kernel waits for its end
    else
        expect launch_gap_ns=20000,call_ns=400 unblocked
    fi
    ;;
failures)
    expect init=100 unavailable
    expect init=101 unavailable
    expect init=999 broken
    expect devices=0 unavailable
    [ "$api" = hip ] || expect init=34 stub_library
    expect total_bytes=200000,free_bytes=100000 too_much_shared
    expect managed=0 no_shared
    expect lost=1 device_is_lost
    expect strict=1 limits
    expect strict=1 reflected
    expect strict=1 local_memory
    shared=200024
    [ "$api" = cuda ] || shared=40024
    grep -qx "shared $shared" "$counts" || {
        echo "no launch with $shared bytes of shared memory"
        failed=1
    }
    if [ "$api" = cuda ]; then
        expect nvrtc=12080 compiled                        # machine code of its major version
        expect nvrtc=12080,version=12020,capability=76 compiled # PTX for the architecture before it
        expect nvrtc=13000 compiled
        expect nvrtc=13000,version=10020 not_loaded
    fi
    ;;
clock)
    export KERNTIME_LIB_NVML=/no/nvml
    if [ "$api" = cuda ]; then
        expect kernel_mhz=1234 kernel_clock
        launches 2
        expect kernel_mhz=0 invalid_clock
        expect kernel_mhz=4000000 invalid_clock
        for call in cuStreamCreate:2 cuMemHostAlloc:1 cuModuleLoadDataEx:1 cuModuleGetFunction:1; do
            expect fail=$call failed_clock
            launches 0
        done
        expect fail=cuLaunchKernel:1 failed_clock
        KERNTIME_LIB_NVML="$stub" expect strict=1 nvml_clock
        launches 0
        KERNTIME_LIB_NVML="$stub" expect fail=nvmlDeviceGetClockInfo:0,error=4,kernel_mhz=1234 kernel_clock
        launches 2
        unwanted=misuse # the kernel never ends, so nothing of it is freed
        expect clock_hangs=1,poll_ns=1000 failed_clock
        launches 1
    else
        expect strict=1 unsupported_clock
    fi
    ;;
names)
    export KERNTIME_LIB_NVRTC="$5"
    expect strict=1 named
    ;;
transfers)
    unwanted=misuse # what a device that does not answer has is never freed
    expect hang_copy=1,poll_ns=1000 transfer_hangs
    ;;
*)
    echo "no such area"
    exit 2
    ;;
esac
exit $failed
