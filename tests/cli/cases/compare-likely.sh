# SPDX-License-Identifier: MIT
# Twice as slow with one run a side, and samples too unruly for a sure verdict: likely, which a gate may count.
for seed in 1 2 3; do
    kerntime bench matmul --size 32 --timing device -d "sim:0:kernel_ns=100000,jitter_ns=15000,seed=$seed" -q --json "usual$seed" >/dev/null
    kerntime bench matmul --size 32 --timing device -d "sim:0:kernel_ns=200000,jitter_ns=30000,seed=2$seed" -q --json "slow$seed" >/dev/null
    try kerntime compare "usual$seed" "slow$seed" -q --json file >table
    check_json file
    json_value file 'j["verdict"], [(r["verdict"], r["reason"], r["p_longer"] > 0.99) for r in j["rows"]]'
done
tail -4 table
kerntime compare usual1 slow1 -q --markdown - | grep -E '^(\*\*|\| likely)' | cut -c1-110
try kerntime compare usual1 slow1 -q --gate likely >/dev/null
try kerntime compare usual1 slow1 -q --gate slower >/dev/null
# Likely faster is no reason to fail, and none to pass.
try kerntime compare slow1 usual1 -q --gate likely | tail -1
# The same without a change; and three runs decide.
try kerntime compare usual1 usual2 -q | tail -1
try kerntime compare --baseline usual1 --baseline usual2 --baseline usual3 --contender slow1 --contender slow2 --contender slow3 -q | tail -1
try kerntime compare usual1 slow1 --gate sure
rm usual1 usual2 usual3 slow1 slow2 slow3 file table
