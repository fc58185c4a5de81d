#!/bin/sh
# SPDX-License-Identifier: MIT
# cold.sh PROGRAM STUB: a flush before each submission, no more, no fewer; made of one buffer and one
# program; and one that fails or hangs ends the measurement. The stub counts enqueues from 1: flush,
# copy, flush, copy ... of the first use, one of warm-up, and 10 samples.
set -u

program=$1
KERNTIME_LIB_OPENCL=$2
KT_STUB_OPENCL_COUNTS=$(mktemp)
export KERNTIME_LIB_OPENCL KT_STUB_OPENCL_COUNTS
trap 'rm -f "$KT_STUB_OPENCL_COUNTS"' EXIT
failed=0

# expect SCRIPT TEXT [COUNT...]
expect() {
    script=$1 text=$2
    shift 2
    said=$(KT_STUB_OPENCL=$script "$program" opencl:0) || failed=1
    [ "$said" = "$text" ] || failed=1
    for count in "$@"; do
        grep -qx "$count" "$KT_STUB_OPENCL_COUNTS" || failed=1
    done
    [ "$failed" = 0 ] && return
    echo "$script: said \"$said\", not \"$text\"; looked for $*"
    cat "$KT_STUB_OPENCL_COUNTS"
    exit 1
}

for type in cpu gpu; do
    expect type=$type 'ok after 12' 'clEnqueueNDRangeKernel 12' 'clEnqueueWriteBuffer 12' \
        'clBuildProgram 1' 'clCreateBuffer 2'
    grep -E '^(leak|misuse)' "$KT_STUB_OPENCL_COUNTS" && exit 1
    for hang in 1 2; do # the first flush, the first copy
        expect "type=$type,hang=$hang" 'timed out after 0'
    done
    for hang in 7 8; do # of the fourth submission
        expect "type=$type,hang=$hang" 'timed out after 3'
        expect "type=$type,event_error=$hang" 'driver error after 3'
    done
done
expect build=fail 'build failed after 0'
# Twice the stub's cache of 1 MiB is 2 MiB, its 4 units take 16 MiB, and a quarter of what it has is as much as one buffer.
expect max_alloc=2097152 'ok after 12'
