# SPDX-License-Identifier: MIT
# A copy takes latency_ns + bytes / copy_gbs: 500 + 8192 / 8 = 1524 ns, and 500 + 65536 / 8 = 8692 ns. On simulated devices
# there is no yardstick. Directions come in the order of the kinds, however they were typed.
device=sim:0:latency_ns=500,copy_gbs=8
kerntime copy -d $device --size 8KiB,64KiB --direction device-heap,heap-device --direction heap-device --json file >/dev/null
check_json file
json_value file '[d["id"] for d in j["devices"]]' '[(s["name"], s["workload"], s["variant"], s["params"], s["step"], s["kind"], s["src"], s["dst"],
    s["bytes"], s["status"], s["verified"], s["median_ns"], s["stop"]) for s in j["series"] if s["kind"] == "copy"]' 'j["baselines"]'
# By kind: at either end; of several kinds one of them. Of 4 kinds, 7 directions have one of them at an end, 12 one of two.
for kinds in "--kind device" "--kind heap,host" "--kind heap --kind host" ""; do
    kerntime copy -q -d sim:0 --size 8KiB --timing device --samples 2 $kinds --json file >/dev/null
    json_value file '[(len(c), sum("device" in d for d in c), sum("heap" in d or "host" in d for d in c))
        for c in [[(s["src"], s["dst"]) for s in j["series"] if s["kind"] == "copy"]]]'
done
# Each run is a process of its own.
kerntime copy -d sim:0:jitter_ns=100 --size 8KiB --direction heap-device --samples 3 --runs 2 --json file >/dev/null
json_value file '[(s["variant"], s["step"], s["run"]) for s in j["series"]]'
"$KT_REWRITE" file | cmp - file
# Mappings too small to tell whether they copy: one time, and no GB/s.
kerntime copy -q -d sim:0:copy_gbs=10,latency_ns=5000 --direction device-host-map,heap-device --size 8KiB..64KiB --max-time 5ms \
    --json file --csv rows >/dev/null
check_json file
check_csv file rows
json_value file '[(t["variant"], t["step"], t["state"], round(t["latency_ns"]), t["gb_per_s"] and round(t["gb_per_s"], 2)) for t in j["transfers"]]'
rm file rows
