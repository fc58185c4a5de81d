# SPDX-License-Identifier: MIT
# A program that shares nothing with the library computes every sample anew from the raw timestamps. Counters of 32 and 36
# bits start so that they wrap in the midst of the first sampled step: after the ruler (14789592 ns, see sim-raw.sh)
# and three submissions that step lies around 1017.44 ms of the virtual clock (kernels of 3 * 250 us), 19534848 ticks of
# 52.083333 ns, or around 1018.316 ms (1 ms), 2036632000 ticks of 0.5 ns.
p=period_ns=52.083333,kernel_ns=250000,jitter_ns=4000,seed=7
kerntime bench matmul --size 8 -d sim:0:$p,bits=32,start=4275432448 -d sim:1:$p,bits=36,start=68699941888 -d sim:2:$p \
    --order sequential --trials 3 --samples 40..40 --max-time 1us --raw --json narrow -q >lines
kerntime bench matmul --size 8 -d sim:0:period_ns=0.5,bits=32,start=2258335296,kernel_ns=1000000 \
    --samples 20..20 --max-time 1us --raw --json fine -q >/dev/null
check_json narrow fine
recompute_raw --lines lines narrow
recompute_raw fine
rm narrow fine lines
