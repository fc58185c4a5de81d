#!/bin/sh
# SPDX-License-Identifier: MIT
# copy_stub.sh PROGRAM STUB: a copy that a driver leaves out, or does by half, and says that it did, is seen in the submission
# that it belongs to: the first use, then one round of warm-up, then samples.
set -u

program=$1
KERNTIME_LIB_OPENCL=$2
export KERNTIME_LIB_OPENCL
failed=0

# expect SCRIPT SIZE TEXT
expect()
{
    said=$(KT_STUB_OPENCL=clock=host,$1 "$program" device-device "$2") || failed=1
    [ "$said" = "$3" ] && return
    echo "$1, $2 bytes: said \"$said\", not \"$3\""
    failed=1
}

wrong='wrong result, failed, not verified: wrong output:'
for size in 1 4099 1048589; do
    expect skip_copy=0 $size 'ok, timed, verified'
    expect skip_copy=12 $size 'ok, timed, verified' # there are 11
done
expect skip_copy=1 4099 "$wrong 4,099 bytes from byte 0 on were never written"
expect skip_copy=1 1 "$wrong byte 0 was never written"
expect half_copy=1 1048589 "$wrong 524,295 bytes from byte 524,294 on were never written"
for at in 2 7 11; do
    expect skip_copy=$at 1 "$wrong byte 0 is that of the submission before"
    expect skip_copy=$at 1048589 "$wrong 1,048,589 bytes from byte 0 on are those of the submission before"
    expect half_copy=$at 4096 "$wrong 2,048 bytes from byte 2,048 on are those of the submission before"
    expect half_copy=$at 4101 "$wrong 2,051 bytes from byte 2,050 on are those of the submission before"
done
exit "$failed"
