# SPDX-License-Identifier: MIT
# Ticks of each sample as the GPU wrote them: of 83.333 ns on Intel's; by command buffers, where samples are none, as ns.
export KERNTIME_BACKENDS=metal KERNTIME_LIB_OBJC="$KT_STUB_METAL_LIB" KERNTIME_LIB_METAL="$KT_STUB_METAL_LIB"
for script in sampling=intel sampling=intel,timestamps=zero; do
    KT_STUB_METAL=clock=host,kernel_ns=2000000,$script kerntime bench fill --size 64 -d metal --raw --samples 5..5 --max-time 1ms \
        --trials 1 --timing device --baseline-samples 0 -q --json file >/dev/null 2>&1
    echo "$script: exit $?"
    check_json file
    json_value file \
        '[(s["method"], all(abs((int(r["end_ticks"]) - int(r["start_ticks"])) * (83.333 if s["method"] == "device-timestamp" else 1) - 2e6) < 84 for r in s["raw"]), len(s["raw"])) for s in j["series"] if s["raw"] and "end_ticks" in s["raw"][0]]'
    rm file
done
