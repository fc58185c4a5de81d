# No loader: a line says what is missing, and a device that is named is an error.
export KERNTIME_BACKENDS=level_zero
kerntime devices | grep level_zero
try kerntime bench fill --size 64 -d level_zero:0
try kerntime copy --size 4KiB -d level_zero
true
