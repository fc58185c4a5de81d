# SPDX-License-Identifier: MIT
# Several sizes on several devices: a line a size, a column a device, for each workload that has both, with the device
# times of the rows; "-" where there is none.
slow=sim:1:kernel_ns=1000000
kerntime bench matmul empty --size 8,16 -d sim:0 -d $slow -d sim:2:kernel_ns=50 -d sim:3:zero=1 --samples 6..6 -q |
    sed -n '/^DEVICE TIME/,/^$/p'
# Markdown has it, too.
kerntime bench matmul --size 8,16 -d sim:0 -d $slow --samples 6..6 --markdown - -q | sed -n '/^| DEVICE TIME/,/^$/p'
# One size, one device, or no device time: nothing to lay out.
echo ----
kerntime bench matmul --size 8 -d sim:0 -d $slow --samples 6..6 -q | grep -c '^$'
kerntime bench matmul --size 8,16 -d sim:0 --samples 6..6 -q | grep -c '^$'
kerntime bench matmul --size 8,16 -d sim:0 -d $slow --samples 6..6 --timing wall -q | grep -c '^$'
kerntime bench matmul --size 8,16 -d sim:0 -d $slow --samples 6..6 -q | grep -c '^$'
# Twelve devices: eleven stand side by side, the last one below.
devices=
for seed in 0 1 2 3 4 5 6 7 8 9 10 11; do
    devices="$devices -d sim:0:seed=$seed"
done
kerntime bench empty --size 1,2 $devices --samples 6..6 -q | sed -n '/^DEVICE TIME/,/^$/p'
