# SPDX-License-Identifier: MIT
# Managed memory that is more than what is free would be moved to and fro: it is not given.
export KERNTIME_BACKENDS=cuda KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KT_STUB_CUDA=clock=host,free_bytes=1000000,strict=1
try kerntime copy -d cuda:0 --direction shared-host --size 1MB --samples 3..3 --max-time 1ms -q >/dev/null
try kerntime copy -d cuda:0 --direction shared-host --size 2MB --samples 3..3 --max-time 1ms -q >/dev/null
# Each of the two memories of a kernel would fit, both do not: that is known beforehand.
KT_STUB_CUDA=total_bytes=1048576,strict=1 try kerntime bench saxpy -s 262144 -d cuda:0 --samples 3..3 -q >/dev/null
