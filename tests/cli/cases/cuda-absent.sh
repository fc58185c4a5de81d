# SPDX-License-Identifier: MIT
# No driver, no device, and what is no driver: a line for each, and a device that is named is an error.
export KERNTIME_BACKENDS=cuda,hip
kerntime devices | grep 'cuda\|hip'
try kerntime bench fill --size 64 -d cuda:0
try kerntime bench fill --size 64 -d hip:0
export KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIP="$KT_STUB_HIP_LIB"
for code in 34 100 101 999; do
    echo "init $code"
    KT_STUB_CUDA=init=$code KT_STUB_HIP=init=$code kerntime devices | grep 'cuda\|hip'
done
export KT_STUB_CUDA=devices=0 KT_STUB_HIP=devices=0
try kerntime bench fill --size 64 -d cuda:0
try kerntime bench fill --size 64 -d hip:0
true
