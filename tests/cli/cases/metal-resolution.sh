# SPDX-License-Identifier: MIT
# Apple's clocks are told in ns and move by 41.67 of them; and why the times are of command buffers stands below them.
# 100,030 ns are 2400.7 of them: 30 samples whose median is one step too low are all but impossible.
export KERNTIME_BACKENDS=metal KERNTIME_LIB_OBJC="$KT_STUB_METAL_LIB" KERNTIME_LIB_METAL="$KT_STUB_METAL_LIB"
for script in sampling=apple timestamps=zero; do
    KT_STUB_METAL=clock=host,kernel_ns=100030,$script kerntime bench fill --size 64 -d metal:0 --samples 30..30 --trials 1 --baseline-samples 0 -q \
        --json file >text 2>/dev/null
    echo "$script: exit $?"
    grep -o 'its counter sample buffers.*' text
    json_value file '[abs(d["resolution_ns"] - 125 / 3) < 0.1 for d in j["devices"]]'
    json_value file '[s["ci95_ns"][0] <= 100030 <= s["ci95_ns"][1] for s in j["series"] if s["step"] == "fill"]'
    rm file text
done
true
