# SPDX-License-Identifier: MIT
# 2: not a device's name; 3: a device that is not here. Both before any work.
try kerntime bench matmul -d abacus:0
try kerntime bench matmul -d abacus
try kerntime bench matmul -d ''
try kerntime bench matmul -d cpu:x
try kerntime bench matmul -d cpu:
try kerntime bench matmul -d cpu:-1
try kerntime bench matmul -d CPU:0
try kerntime bench matmul -d cpu:0:kernel_ns=5
try kerntime bench matmul -d cpu:1
try kerntime bench matmul -d sim:0 -d sim:4
try kerntime devices -d cpu:7
try kerntime devices -d opencll
try kerntime devices -d vulcan:0
try kerntime devices -d level-zero:1
try kerntime devices -d gpu:0
try kerntime devices -d GPU
exit 0
