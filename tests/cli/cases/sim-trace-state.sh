# SPDX-License-Identifier: MIT
# The state of a device is in its trace, as curves: in the last 30 % of each 100 ms it is hot, and its clock half as high.
kerntime bench fill --size 4096 --samples 2000..2000 -d sim:0:clock_mhz=1500,throttled=0.3,power_w=300 --trace file -q >/dev/null
check_trace file
counters='{n: {e["ts"]: e["args"] for e in j["traceEvents"] if e["ph"] == "C" and e["name"] == n} for n in ("core clock", "power", "temperature")}'
json_value file "[sorted({str(v) for v in values.values()}) for values in $counters.values()]"
json_value file "all((c['core clock'][at]['MHz'] == 750) == (c['temperature'][at]['degrees C'] == 92) for c in [$counters] for at in c['core clock'])"
# Without readings there are no curves.
kerntime bench fill --size 4096 --samples 20..20 -d sim:0 --trace file -q >/dev/null
json_value file 'sum(e["ph"] == "C" for e in j["traceEvents"])'
rm file
