# SPDX-License-Identifier: MIT
# Timestamps that are all zero or all lost: no device time, one sentence, and the wall time stays.
for spoilt in zero lost; do
    kerntime bench matmul --size 32 -d sim:0:$spoilt=1 -q --json file
    check_json file
    json_value file '[(s["step"], s["status"], s["n"]) for s in j["series"]]' 'j["devices"][0]["untrusted"]'
done
rm file
