# SPDX-License-Identifier: MIT
# Every byte of a trace, but for where a step lies: that is found by following the device's clock, which has tests of
# its own. The time allowed is that of a single round of warm-up. The rest is exact: 2003 ns to submit and 101 more for
# timestamps, 3001 to launch, 2011 to notify. Two devices have two clocks of the host, and that of the second timestamps nothing.
kerntime bench matmul --size 8 -d sim:0:calibration_jitter_ns=0 -d sim:1:lost=1 --samples 2..2 --max-time 1us --trace - \
    --json result >trace
sed '/"cat": "kernel"/s/"ts": .*"pid"/"ts": (by its clock), "pid"/
    /"cat": "kernel"/s/"uncertainty_ns": [0-9]*}}/"uncertainty_ns": (of its clock)}}/
    s/"first_ns": "[0-9]*"/"first_ns": (after the ruler)/; /"kerntime"/d' trace
check_trace trace result
rm trace result
# It is written as other files are, and where to look at it is said unless --quiet.
kerntime bench matmul --size 8 -d sim:0 --samples 2..2 --trace file --markdown - >/dev/null
check_trace file
kerntime bench matmul --size 8 -d sim:0 --samples 2..2 --trace again -q >/dev/null
cmp file again
# A device whose timestamps are lost now and then lacks these steps, and says how many.
kerntime bench matmul --size 8 -d sim:0:lost=0.2,kernel_ns=9000000 --samples 20..20 --trace file --json result 2>said >/dev/null
sed -n '/^trace: /s/lacks [0-9]*/lacks some/p' said >&2
check_trace file result
# What had been done before a failure is in it: the third submission takes no end.
kerntime bench matmul --size 8 -d sim:0:hang=3,kernel_ns=30000000 --timeout 1s --trace file -q >/dev/null
sed -n '/"status"/s/.*\("name": "[a-z]*"\).*\("status": "[^"]*"\).*/\1 \2/p; /"omitted"/p' file
rm file again result said
