#!/bin/sh
# SPDX-License-Identifier: MIT
# Pairs of clocks over every mood of the stub, and how often the driver was asked for the 20 of them: one that
# cannot is asked once, one that never could not at all.
#
# usage: opencl_pairs.sh PROGRAM STUB STUB_WITHOUT_TIMER
set -u
program=$1
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KT_STUB_OPENCL_COUNTS="$counts"

# expect LIBRARY SCRIPT MOOD CALLS
expect()
{
    KERNTIME_LIB_OPENCL=$1 KT_STUB_OPENCL=$2 "$program" "$3" || {
        echo "with \"$2\" it is not: $3"
        failed=1
    }
    calls=$(sed -n 's/^clGetDeviceAndHostTimer //p' "$counts")
    [ "${calls:-0}" = "$4" ] || {
        echo "with \"$2\" the driver was asked ${calls:-0} times, not $4"
        failed=1
    }
    grep -E '^(leak|misuse)' "$counts" && failed=1
    : >"$counts"
}

expect "$2" clock=host host 20
expect "$2" clock=own own 20
expect "$2" clock=own,version=2.1 own 20
expect "$2" clock=host,timer=none unsupported 1
expect "$2" clock=simulated unsupported 1
expect "$2" clock=host,timer=zero unsupported 1
expect "$2" clock=host,timer=fail fails 20
expect "$2" clock=host,version=2.0 unsupported 0
expect "$2" clock=host,version=1.2 unsupported 0
expect "$3" clock=host unsupported 0
exit "$failed"
