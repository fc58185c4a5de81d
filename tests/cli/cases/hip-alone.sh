# SPDX-License-Identifier: MIT
# Without hiprtc a device of HIP takes no kernels, and says so; what is no kernel can be timed.
export KERNTIME_BACKENDS=hip KERNTIME_LIB_HIP="$KT_STUB_HIP_LIB" KT_STUB_HIP=clock=host,strict=1
kerntime devices | grep driver
try kerntime bench fill --size 64 -d hip:0 -q >/dev/null
try kerntime copy -d hip:0 --direction host-device --size 4KiB --samples 3..3 --max-time 1ms -q >/dev/null
# Where it is, nothing is said of it.
KERNTIME_LIB_HIPRTC="$KT_STUB_HIP_LIB" kerntime devices | grep driver
