# SPDX-License-Identifier: MIT
# Drivers that are none or have no device, one whose calls succeed and that executes nothing, and one that takes no kernel.
export KERNTIME_BACKENDS=level_zero KERNTIME_LIB_LEVEL_ZERO="$KT_STUB_LEVEL_ZERO_LIB"
export KT_STUB_LEVEL_ZERO=fail=zeInit:0,error=uninitialized
try kerntime bench fill --size 64 -d level_zero:0
export KT_STUB_LEVEL_ZERO=drivers=0
try kerntime bench fill --size 64 -d level_zero:0
export KT_STUB_LEVEL_ZERO=devices=0
try kerntime bench fill --size 64 -d level_zero:0
export KT_STUB_LEVEL_ZERO=aub=1
try kerntime bench fill --size 64 -d level_zero:0 --baseline-samples 0 -q >/dev/null
try kerntime copy --size 4KiB -d level_zero:0 --direction device-device -q >/dev/null
export KT_STUB_LEVEL_ZERO=build=fail
try kerntime bench fill --size 64 -d level_zero:0 --baseline-samples 0 -q >/dev/null
true
