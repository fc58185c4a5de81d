#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program over Level Zero's stub behind the system's loader, under the validation layer, which answers a call that is wrong with
# a code of its own and does not let the driver see it.
#
# usage: level_zero_validated.sh CONTROL STUB [PROGRAM ARGUMENT...]
#
# CONTROL is the program null_handle. With the layer it is answered by it; without, by the stub, to which a NULL handle is misuse, and with
# strict=1 the process's end. So it shows that the layer is there, and that it objects. Exits with 77 if there is no loader.
set -u

control=$1
shift
export KERNTIME_LIB_LEVEL_ZERO= ZE_ENABLE_ALT_DRIVERS="$1" KT_STUB_LEVEL_ZERO=strict=1,clock=host,groups=pvc
shift
unset ZE_ENABLE_VALIDATION_LAYER ZE_ENABLE_PARAMETER_VALIDATION
ulimit -c 0
"$control" here || exit
if "$control" >/dev/null 2>&1; then
    echo "without the layer the control must not succeed"
    exit 1
fi
export ZE_ENABLE_VALIDATION_LAYER=1 ZE_ENABLE_PARAMETER_VALIDATION=1
answer=$("$control")
if [ "$answer" != 0x78000005 ]; then
    echo "the validation layer is not there: NULL is answered by '$answer'"
    exit 1
fi
[ $# -gt 0 ] || exit 0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
"$@" >"$log" 2>&1
code=$?
if [ "$code" != 0 ] || grep -E '0x780000(05|07|08|0c)' "$log"; then
    tail -n 40 "$log"
    echo "$1 exits with $code"
    exit 1
fi
