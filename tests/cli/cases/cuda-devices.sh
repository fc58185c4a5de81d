# SPDX-License-Identifier: MIT
# What devices of CUDA and of HIP say of themselves: clocks that tell how far apart, the memory that a driver may lack, for what code is
# compiled and by what, and why there is no compiler. NVML tells the driver's own version.
export KERNTIME_BACKENDS=cuda,hip KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIP="$KT_STUB_HIP_LIB"
export KT_STUB_CUDA=devices=2 KT_STUB_HIP=managed=0
kerntime devices | sed '/^host: /,/^$/d; /^not here/d'
export KERNTIME_LIB_NVRTC="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIPRTC="$KT_STUB_HIP_LIB" KT_STUB_CUDA=version=13000,capability=90
for library in "$KT_STUB_CUDA_LIB" "$KT_STUB_HIP_LIB"; do # the second one has none of NVML's functions
    KERNTIME_LIB_NVML="$library" kerntime devices | grep driver
done
