# SPDX-License-Identifier: MIT
try kerntime bench
try kerntime bench nothing -d sim:0
try kerntime bench empty nothing -d sim:0
try kerntime bench empty --variant tiled -d sim:0
try kerntime bench matmul --variant blocked -d sim:0
try kerntime bench empty --trials 10 -d sim:0
try kerntime bench saxpy --trials 8 -d sim:0
try kerntime bench fill saxpy --trials 2 -d sim:0
try kerntime bench matmul --trials 0 -d sim:0
try kerntime bench matmul --trials 1000001 -d sim:0
try kerntime bench matmul --timing gpu -d sim:0
try kerntime bench matmull -d sim:0
try kerntime bench matmul --variant tield -d sim:0
# A kernel of one's own.
try kerntime bench vadd.cl -d sim:0
try kerntime bench kernels/vadd.metal -d sim:0
try kerntime bench .cl.txt -d sim:0
exit 0
