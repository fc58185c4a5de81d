# SPDX-License-Identifier: MIT
# One element: a run that may not be repeated, since saxpy changes its own input, is no longer than reading the clock,
# so the baselines have no time and nothing has a speed-up over them. fill is repeated and has both.
kerntime bench saxpy fill --size 1 -d cpu:0 --samples 10..10 -q --json file >/dev/null
json_value file '[(b["workload"], b["name"], b["flags"][:3], 0 < b["median_ns"] < 1000) for b in j["baselines"]]'
json_value file '{s["speedup"] for s in j["series"] if s["workload"] == "saxpy"}'
rm file
