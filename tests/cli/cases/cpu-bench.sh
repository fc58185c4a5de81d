# SPDX-License-Identifier: MIT
# Everything that depends on the machine stands as a pattern, and one dispatch is enough however coarse its clock is.
# Both baselines, both speed-ups, both kernels.
kerntime bench matmul --size 24 --variant tiled -d cpu --trials 1 --samples 10..10 --baseline-samples 2 --json file --raw >table 2>said
grep -v "^advice: " said >&2 # which depends on what others do
sed '/^raw/d; /^warning: /d; /^note: [a-z]/d' table # what is noticed depends on what others do
check_json file
recompute_raw file
json_value file '[(b["name"], len(b["samples_ns"]), b["flags"][:2]) for b in j["baselines"]]' \
    '[(s["step"], s["method"], s["clock"], s["verified"]) for s in j["series"]]' \
    'j["host"]["clock"] == j["devices"][0]["clocks"][0]["domain"]'
rm table file said
