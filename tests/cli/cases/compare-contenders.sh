# SPDX-License-Identifier: MIT
# Rows of one side are listed; several files of a side are runs of it, whatever their number within.
for seed in 1 2 3; do
    kerntime bench fill --size 8 -d sim:0:jitter_ns=400,seed=$seed -q --json run$seed >/dev/null
done
kerntime bench fill --size 8 -d sim:0:jitter_ns=400,seed=1 --runs 3 -q --json runs >/dev/null
kerntime bench fill --size 8,9 -d sim:0:jitter_ns=400,seed=1 --runs 3 -q --json more >/dev/null
kerntime bench fill scan --size 8 -d sim:0:jitter_ns=400,seed=1 --runs 3 -q --json others >/dev/null
try kerntime compare more others --json file >table
check_json file
json_value file '"\n".join(" ".join((r["name"], r["step"], r["verdict"], r["reason"] or "")) for r in j["rows"])'
grep "only in" table
# Three runs in one file, and as three files: a simulated device has no id that shows them to be the same.
try kerntime compare --baseline run1 --baseline run2 --baseline run3 --contender runs --json file >/dev/null
check_json file
json_value file 'j["baseline"]' '[(r["name"], r["step"], r["verdict"], r["baseline_runs"], r["identical"]) for r in j["rows"]]'
# Two devices of one number differ by their scenario alone.
for ns in 20000 21000; do
    kerntime bench fill --size 8 -d sim:0:kernel_ns=10000 -d sim:0:kernel_ns=$ns --samples 6..6 -q --json two$ns >/dev/null
done
try kerntime compare two20000 two21000 --json - --timing device -q >file
json_value file '[(r["device"], r["reason"]) for r in j["rows"]]'
# A comparison of something else: nothing to compare.
kerntime copy --size 8KiB -d sim:0 --direction heap-device --samples 6..6 -q --json copies >/dev/null
try kerntime compare copies runs --json file -q >/dev/null
check_json file
json_value file 'j["verdict"], j["counts"]'
rm run1 run2 run3 runs more others file table two20000 two21000 copies
