# SPDX-License-Identifier: MIT
# Metal is a part of one system. Elsewhere both libraries have to be named, and what a variable names is what is missing.
export KERNTIME_BACKENDS=metal
kerntime devices | grep metal
try kerntime bench fill --size 64 -d metal:0
KERNTIME_LIB_OBJC=/no/objc kerntime devices | grep metal
KERNTIME_LIB_OBJC=/no/objc KERNTIME_LIB_METAL=$KT_STUB_METAL_LIB kerntime devices | grep metal
KERNTIME_LIB_OBJC=$KT_STUB_METAL_LIB KERNTIME_LIB_METAL=/no/metal kerntime devices | grep metal
KERNTIME_LIB_METAL=$(ldd "$(command -v kerntime)" | sed -n 's/.*=> \(.*libjansson[^ ]*\).*/\1/p')
export KERNTIME_LIB_METAL
KERNTIME_LIB_OBJC=$KT_STUB_METAL_LIB kerntime devices | grep metal
KERNTIME_LIB_OBJC=$KERNTIME_LIB_METAL kerntime devices | grep metal
true
