# SPDX-License-Identifier: MIT
# KERNTIME_BACKENDS, and the path of a driver's library.
try env KERNTIME_BACKENDS=cpu,abacus kerntime bench matmul -s 32
try env KERNTIME_BACKENDS=abacus kerntime devices
try env KERNTIME_BACKENDS=sim kerntime bench matmul -s 32 -d cpu:0
try env KERNTIME_BACKENDS=sim kerntime bench matmul -s 32 -d cpu
try env KERNTIME_BACKENDS=cpu kerntime bench matmul -s 32 -d sim:0
try env KERNTIME_BACKENDS=sim kerntime bench matmul -s 32 # no real device is left
echo "no library" >text
for library in lib/libOpenCL.so.1 /no/libOpenCL.so.1 "$PWD/text"; do
    try env KERNTIME_LIB_OPENCL="$library" kerntime bench matmul -s 32 -d opencl
    try env KERNTIME_LIB_OPENCL="$library" kerntime bench matmul -s 32 -d opencl:0
    try env KERNTIME_LIB_OPENCL="$library" KERNTIME_BACKENDS=cpu,opencl kerntime devices # tells why
    # Goes on, with a word about it, but none about those that were not asked for.
    try env KERNTIME_LIB_OPENCL="$library" KERNTIME_BACKENDS=cpu,opencl kerntime bench empty -s 1 --timing wall --samples 2..2 -q >table
    table <table | sed -n 2p
done
rm text table
