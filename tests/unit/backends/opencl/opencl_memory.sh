#!/bin/sh
# SPDX-License-Identifier: MIT
# Shared memory and maps over every mood of the stub: nothing leaked, nothing misused.
#
# usage: opencl_memory.sh PROGRAM STUB STUB_OF_1_2
set -u
program=$1
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KT_STUB_OPENCL_COUNTS="$counts"

# expect LIBRARY SCRIPT MOOD [faults]
expect()
{
    library=$1 script=$2
    shift 2
    KERNTIME_LIB_OPENCL=$library KT_STUB_OPENCL=$script "$program" "$@" || {
        echo "with \"$script\" it is not: $*"
        failed=1
    }
    grep -E '^(leak|misuse)' "$counts" && failed=1
    grep -q '^clEnqueueMapBuffer' "$counts" || failed=1
    : >"$counts"
}

expect "$2" clock=host shared faults
expect "$2" clock=host,type=cpu shared
expect "$2" clock=host,version=2.0 shared
expect "$2" clock=host,svm=none none faults
expect "$2" clock=host,version=1.1 none
expect "$3" clock=host none
exit "$failed"
