# What devices of CUDA and of HIP say of themselves: clocks that tell how far apart, and the memory that a driver may lack.
export KERNTIME_BACKENDS=cuda,hip KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIP="$KT_STUB_HIP_LIB"
export KT_STUB_CUDA=devices=2 KT_STUB_HIP=managed=0
kerntime devices | grep -v 'not here'
