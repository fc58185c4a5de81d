# SPDX-License-Identifier: MIT
# Cycles of each sample by the counter of events, above whose width there is anything, and beside them those of a context that was active for half the time.
export KERNTIME_BACKENDS=level_zero KERNTIME_LIB_LEVEL_ZERO="$KT_STUB_LEVEL_ZERO_LIB"
export KT_STUB_LEVEL_ZERO=clock=host,kernel_ticks=2000,context_percent=50,garbage=1
kerntime bench fill --size 64 -d level_zero --raw --samples 5..5 --max-time 1ms --trials 1 --timing device --baseline-samples 0 -q \
    --json file >/dev/null 2>&1
echo "exit $?"
check_json file
json_value file \
    '[sorted({(int(r["end_ticks"]) - int(r["start_ticks"])) % 2**32 for r in s["raw"]}) for s in j["series"] if s["method"] == "device-timestamp"]' \
    '[sorted({(int(r["context_end_ticks"]) - int(r["context_start_ticks"])) % 2**32 for r in s["raw"]}) for s in j["series"] if s["method"] == "device-timestamp"]'
rm file
