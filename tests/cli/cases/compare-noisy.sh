# SPDX-License-Identifier: MIT
# Where many more runs would be needed than anybody measures, what can be decided is said; and then it is.
for seed in 1 2; do
    kerntime bench matmul --size 32,64,96 -d "sim:0:kernel_ns=50000,jitter_ns=12000,seed=$seed" --runs 4 --samples 8..8 -q --json noisy$seed >/dev/null
    kerntime bench matmul --size 32,64 -d "sim:0:kernel_ns=50000,jitter_ns=12000,seed=$seed" --samples 8..8 -q --json once$seed >/dev/null
done
for alpha in 5% 1%; do
    kerntime compare noisy1 noisy2 --alpha $alpha --json file >table 2>said
    echo "exit $?"
    check_json file
    json_value file 'all(r["reason"] for r in j["rows"] if r["verdict"] == "inconclusive")'
    grep -q "> 30$" table || cat table
    effect=$(sed -n 's/^advice: .* more than 30 runs each: this machine is too noisy for 1 %; .* decide: --min-effect //p' said)
    grep -qF "too noisy for 1 %" table && grep -qF -e "--min-effect $effect" table || cat said table
    kerntime compare noisy1 noisy2 --alpha $alpha --min-effect "$effect" -q --json file >/dev/null
    json_value file 'sum(r["verdict"] == "inconclusive" and (r["runs_needed"] or 99) > 30 for r in j["rows"])'
    check_json file
done
# Of single runs nobody knows.
kerntime compare once1 once2 2>&1 >table | sed 's/^advice: [0-9]* of [0-9]*/advice: n of n/' | grep -F "shows what"
grep "one run each" table
rm noisy1 noisy2 once1 once2 file table said
