# SPDX-License-Identifier: MIT
# Each run finds the period of a timer that is told in whole ns, and its times can be made of its own raw timestamps.
export KERNTIME_BACKENDS=level_zero KERNTIME_LIB_LEVEL_ZERO="$KT_STUB_LEVEL_ZERO_LIB"
export KT_STUB_LEVEL_ZERO=clock=host,unit=old,hz=12000000,kernel_ticks=20000,context_percent=50
kerntime bench fill --size 64 -d level_zero --raw --runs 2 --samples 5..5 --max-time 1ms --trials 1 --timing device --baseline-samples 0 -q \
    --json file >/dev/null 2>&1
echo "exit $?"
check_json file
json_value file '[abs(s["clock_period_ns"] * 12e6 / 1e9 - 1) < 1e-5 for s in j["series"] if s["clock"]]' \
    'len({s["clock_period_ns"] for s in j["series"] if s["clock"]})'
recompute_raw file >told && echo recomputed || cat told
rm file told
