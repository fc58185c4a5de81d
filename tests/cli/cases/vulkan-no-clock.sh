# SPDX-License-Identifier: MIT
# Queues that give no timestamps: wall times alone in every output, and one sentence why.
[ -n "${KT_STUB_VULKAN_LIB:-}" ] || skip "built without headers for Vulkan"
export KERNTIME_LIB_VULKAN="$KT_STUB_VULKAN_LIB" KT_STUB_VULKAN=bits=0
kerntime devices -d vulkan | sed '/^host: /,/^$/d'
kerntime bench saxpy --size 64 -d vulkan --samples 8..8 --trials 1 --baseline-samples 0 -q --raw --json result --csv csv --trace trace >table
grep -v '^raw\|^NAME\|^saxpy\|^$' table
check_json result
check_csv result csv
check_trace trace result
recompute_raw result
json_value result 'j["devices"][0]["clocks"]' 'j["devices"][0]["untrusted"]' \
    '[(s["step"], s["status"], s["method"], s["clock"], s["n"], len(s["raw"])) for s in j["series"]]' \
    '{r["state"] for r in j["series"][0]["raw"]}'
json_value trace 'list(j["otherData"]["omitted"])' 'sorted({e["cat"] for e in j["traceEvents"] if e["ph"] == "X"})'
"$KT_REWRITE" result | cmp - result
rm result csv trace table
# Timestamps alone: there is nothing to be had, which is said.
kerntime bench fill --size 64 -d vulkan --timing device --samples 8..8 --baseline-samples 0 -q
