# SPDX-License-Identifier: MIT
# A library that is there and cannot be opened is not one that is not installed.
mkdir libraries
echo 'This is no library.' >libraries/libcuda.so.1
unset KERNTIME_LIB_CUDA
export KERNTIME_BACKENDS=cuda LD_LIBRARY_PATH="$PWD/libraries"
kerntime devices | sed -n "s|$PWD|FOLDER|; /not here: cuda/p"
rm -r libraries
