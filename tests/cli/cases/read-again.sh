# SPDX-License-Identifier: MIT
# Whatever the command writes, the reader of result files reads: written again, it has the same bytes. Timestamps as the
# driver gave them, troubles of all kinds, names that are no UTF-8, and what no simulated device has: a real host.
again()
{
    kerntime "$@" -q --json file >/dev/null
    echo "exit $?"
    "$KT_REWRITE" file | cmp - file && echo same
    json_value file 'sorted({s["status"] for s in j["series"]})'
    rm file
}

again bench matmul --size 8..32 --raw --samples 8..8 -d sim:0 -d sim:1:period_ns=52.083333,bits=32,jitter_ns=400,seed=7
again bench matmul --size 8 --samples 10..10 -d sim:0:zero=0.5 -d sim:0:lost=1 -d sim:0:kernel_ns=1,resolution_ns=5
again bench matmul --size 8,9 --samples 6..6 -d sim:0:wrong=7 -d sim:0:hang=8 -d sim:0:fail=61 --order sequential --raw --max-time 1us
again bench matmul --size 8 --trials 7 --samples 2..2 -d sim:0 --variant tiled --timing wall
again bench matmul --size 64 --samples 6..6 --baseline-samples 2 -d cpu --raw
again devices
again devices -d sim:0 -d cpu
kerntime bench matmul --size 8 -d sim:0 -q --json "$(printf 'm\303\244t\344')" >/dev/null
for file in m*; do
    "$KT_REWRITE" "$file" | cmp - "$file" && echo same
    rm "$file"
done

echo '{"schema": "kerntime/2"}' >newer
"$KT_REWRITE" newer
rm newer
"$KT_REWRITE" not-there
