# SPDX-License-Identifier: MIT
# No device, one that takes no kernel, one whose work fails, and one that does not come back.
export KERNTIME_BACKENDS=metal KERNTIME_LIB_OBJC="$KT_STUB_METAL_LIB" KERNTIME_LIB_METAL="$KT_STUB_METAL_LIB"
export KT_STUB_METAL=devices=0
try kerntime bench fill --size 64 -d metal:0
export KT_STUB_METAL=clock=host,build=fail
try kerntime bench fill --size 64 -d metal:0 --baseline-samples 0 -q >/dev/null
export KT_STUB_METAL=clock=host,error=12
try kerntime bench fill --size 64 -d metal:0 --baseline-samples 0 -q >/dev/null
export KT_STUB_METAL=clock=host,hang=12
try kerntime bench fill --size 64 -d metal:0 --baseline-samples 0 --timeout 100ms -q >/dev/null
export KT_STUB_METAL=clock=host,wrong=3
try kerntime bench fill --size 64 -d metal:0 --baseline-samples 0 -q >/dev/null
true
