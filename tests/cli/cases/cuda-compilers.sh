# SPDX-License-Identifier: MIT
# The compiler of HIP 6 beside its runtime: what is in the place of one of HIP 7, which is first in the list of names, is none.
stubs=$(dirname "$KT_STUB_HIP_LIB")
mkdir libraries
cp "$stubs/libcupti.so.13" libraries/libhiprtc.so.7
cp "$KT_STUB_HIP_LIB" libraries/libhiprtc.so.6
export KERNTIME_BACKENDS=hip KERNTIME_LIB_HIP="$stubs/apart/libamdhip64.so.6" LD_LIBRARY_PATH="$PWD/libraries"
unset KERNTIME_LIB_HIPRTC
for version in 60443483 70051831; do
    KT_STUB_HIP=version=$version kerntime devices | grep driver
done
rm -r libraries
