# SPDX-License-Identifier: MIT
for size in 0 -1 abc '' 32,0 32,, 64..32 32.. ..32 32..x 3.5 32x 1e3 99999999999999999999 16385 32,16385 1..32768 "$(seq -s , 257)"; do
    try kerntime bench matmul -d sim:0 --size "$size"
done
exit 0
