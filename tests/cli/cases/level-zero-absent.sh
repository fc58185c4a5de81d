# SPDX-License-Identifier: MIT
# No loader: a line says what is missing, and a device that is named is an error. What a variable names needs no advice to install,
# and a library that is another one is named.
export KERNTIME_BACKENDS=level_zero
kerntime devices | grep level_zero
try kerntime bench fill --size 64 -d level_zero:0
try kerntime copy --size 4KiB -d level_zero
KERNTIME_LIB_LEVEL_ZERO=$(ldd "$(command -v kerntime)" | sed -n 's/.*=> \(.*libjansson[^ ]*\).*/\1/p')
export KERNTIME_LIB_LEVEL_ZERO
kerntime devices | grep level_zero | sed 's,/[^ ]*/,,'
true
