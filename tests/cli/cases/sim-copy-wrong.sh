# SPDX-License-Identifier: MIT
# What goes wrong is found and named. Submission 8 is the first of sample 2 (see sim-hang.sh): its copy is wrong, the rest is
# measured. Timestamps that never come leave the wall time alone.
try kerntime copy -q -d sim:0:wrong=8 --size 8KiB,64KiB --direction heap-device --json file >/dev/null
check_json file
json_value file '[(s["name"], s["step"], s["status"], s["verified"], s["n"]) for s in j["series"]]'
for fault in lost=1 zero=1 lost=0.3; do
    try kerntime copy -q -d sim:0:$fault --size 8KiB --direction heap-device --samples 20 --json file >/dev/null
    json_value file '[(s["step"], s["status"], s["n"], {k: v for k, v in s["discarded"].items() if v}) for s in j["series"]]' \
        'j["devices"][0]["untrusted"]'
done
try kerntime copy -q -d sim:0:hang=8 --size 8KiB --kind shared --json file >/dev/null
json_value file '[(s["variant"], s["step"], s["status"], s["src"], s["dst"], s["bytes"]) for s in j["series"]]'
rm file
