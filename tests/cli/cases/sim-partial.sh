# SPDX-License-Identifier: MIT
# Each timestamp is zero with a chance of 0.2, drawn by SplitMix64 from the seed, one draw a timestamped submission: 1032 of
# the ruler (8 + 1024: a pair takes 14331 ns of 0.1 s), 2 of first use and warm-up (one round in so little time), then the 20 samples. Of the draws
# 1035 to 1054 for seed 7 those at 1, 4 and 17 are below 0.2: 3 of 20. No sample is lost for the wall times.
kerntime bench matmul --size 32 -d sim:0:zero=0.2,seed=7 --samples 20..20 --max-time 1us --json file --raw >table
sed '/^raw/d' table
grep -c '^raw matmul/32 naive sim:0:zero=0.2,seed=7 matmul [0-9]* zero' table
check_json file
json_value file '[(s["step"], s["status"], s["n"], s["discarded"]["zero"]) for s in j["series"]]' \
    '[i for i, raw in enumerate(j["series"][0]["raw"]) if raw["state"] == "zero"]'
rm file table
