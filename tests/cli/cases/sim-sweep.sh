# SPDX-License-Identifier: MIT
# 100 us by default, whatever the size; wall 107.015 us. Sizes are measured in the order given, each once.
# GB/s and GFLOP/s: 12 n^2 bytes and 2 n^3 operations, over the device time.
kerntime bench matmul --size 32..128,33,64 --variant tiled -d sim:0
