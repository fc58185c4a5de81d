#!/bin/sh
# SPDX-License-Identifier: MIT
# The WebGPU backend over every mood of the stub: nothing leaked, nothing misused.
#
# usage: webgpu.sh PROGRAM STUB timestamps|memory|devices|failures|calls|threads STUB_OF_WGPU_TIMER_CONTEXT WEBGPU_H
set -u
program=$1 stub=$2 area=$3 native=$4 header=$5
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
# Real drivers abort under sanitizers.
export KERNTIME_BACKENDS=cpu,webgpu KERNTIME_LIB_WEBGPU="$stub" KT_STUB_WEBGPU_COUNTS="$counts"

fail()
{
    echo "with \"$KT_STUB_WEBGPU\" $*"
    failed=1
}

# run SCRIPT MOOD
run()
{
    export KT_STUB_WEBGPU="$1"
    : >"$counts"
    "$program" "$2" || fail "it is not so: $2"
    [ -s "$counts" ] || fail "the library was not used"
    grep '^misuse' "$counts" && fail "that was misuse"
}

# expect SCRIPT MOOD
expect()
{
    run "$@"
    grep '^leak' "$counts" && fail "that was leaked"
}

# From what was submitted and hangs on, nothing is given back: the driver may still use it.
abandoned()
{
    run "$@"
    for object in buffer device queue instance; do
        grep -q "^leak $object" "$counts" || fail "of the device that hangs is gone: $object"
    done
}

# The functions of one list in webgpu.h.
functions()
{
    sed -n "/define WGPU_FUNCTIONS_OF_$1(/,/^\$/s/^  *X([^,]*, \(wgpu[A-Za-z0-9]*\),.*/\1/p" "$header"
}

case $area in
timestamps)
    for mood in exact trials; do
        expect kernel_ns=777 $mood
        expect kernel_ns=777,late=2 $mood
        expect kernel_ns=777,adapters=cpu,commands=held $mood
        expect kernel_ns=777,done=message $mood
        expect kernel_ns=777,start=18446744073700000000 $mood # 9.5 ms before the counter's end
    done
    expect kernel_ns=777 several_passes
    expect kernel_ns=777,empty_passes=zero several_passes
    expect kernel_ns=777,commands=held,adapters=cpu several_passes
    expect "" by_the_host
    expect commands=held,adapters=cpu by_the_host
    expect kernel_ns=777 by_both
    expect toggle=ignored,kernel_ns=777,empty_ns=70000 cut
    expect resolution=80,kernel_ns=80000,empty_ns=800 coarse
    expect timestamp_query=0 none
    expect timestamps=zero zeros
    for kind in zero zero_begin zero_end; do
        expect timestamps=$kind,every=4,kernel_ns=777 some_zero
    done
    expect timestamps=backwards,every=4,kernel_ns=777 some_backwards
    ;;
memory)
    expect "" bytes
    expect commands=held,adapters=cpu,late=1 bytes
    expect "" many_bytes
    expect "" copies
    expect max_binding=4000 binding_limit
    expect "" all_of_the_adapter
    expect max_groups=3 groups_limit
    expect max_group_size=64 group_limit
    expect max_invocations=64 group_limit
    expect max_buffer=5000 buffer_limit
    expect max_storage_buffers=2 memories_limit
    expect memory=100000 no_memory_left
    expect memory=100000,scopes=thread no_memory_left
    expect memory=100000,scopes=device no_memory_left
    ;;
devices)
    expect adapters=null null_backend
    expect adapters=none no_adapter
    expect timed_wait=0 no_timed_wait
    expect adapters=gpu+integrated+cpu three
    expect adapters=cpu+integrated+gpu three
    expect adapters=cpu one
    KERNTIME_LIB_WEBGPU=/nowhere/libwebgpu.so "$program" no_library || fail "it is not so: no_library"
    KERNTIME_LIB_WEBGPU="$native" "$program" wgpu_native || fail "it is not so: wgpu_native"
    ;;
failures)
    for at in 1 2 9; do
        for more in adapters=gpu adapters=cpu synchronises=1; do
            abandoned hang=$at,$more hangs
            expect lost=$at,$more is_lost
            expect lost=$at,lost_done=error,$more is_lost
        done
    done
    abandoned hang=1 transfer_hangs
    for mood in slow_read slow_write; do
        abandoned ready_ns=200000000 $mood
        abandoned ready_ns=200000000,adapters=cpu $mood
    done
    expect "" shaders
    expect "" fixed_group_size
    : >"$counts" # what is refused here is counted as misuse
    "$program" unused_argument || fail "it is not so: unused_argument"
    grep '^leak' "$counts" && fail "that was leaked"
    for name in wgpuBufferMapAsync wgpuBufferGetConstMappedRange; do
        expect fail=$name:0 timestamps_fail
    done
    ;;
calls) # each by itself: the sentence tells which
    for name in $(functions INSTANCES; functions FUTURES; functions TIMESTAMPS; functions WORK); do
        case $name in
        *Release | *FreeMembers | *Destroy | wgpuDevicePushErrorScope | wgpuDeviceGetQueue | *End | *Unmap) continue ;; # cannot
        wgpuAdapterHasFeature | wgpuBufferGetMappedRange) continue ;; # an answer, not a failure; not used
        esac
        export KT_TEST_CALL="$name"
        for error in validation out_of_memory internal null; do
            case $error,$name in
            null,* | validation,*) ;;
            *,wgpuDeviceCreate*) ;;
            *) continue ;;
            esac
            expect fail="$name":0,error=$error call_fails
        done
    done
    ;;
threads)
    expect threads=waits several_threads
    expect threads=calls,synchronises=1 several_threads
    expect threads=waits,adapters=cpu several_threads
    expect threads=waits,scopes=thread several_threads
    ;;
esac
exit "$failed"
