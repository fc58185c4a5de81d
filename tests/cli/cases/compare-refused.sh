# SPDX-License-Identifier: MIT
# What was measured in another way is not compared, and why is said with both values; then nothing is known.
kerntime bench fill --size 8 -d sim:0 --runs 2 --samples 6..6 -q --json base >/dev/null
others()
{
    kerntime bench fill --size 8 --runs 2 --samples 6..6 -q --json new "$@" >/dev/null
    try kerntime compare base new --json file -q >/dev/null
    check_json file
    json_value file 'j["verdict"]' '"\n".join(sorted({r["verdict"] + ": " + str(r["reason"]) for r in j["rows"]}))'
}
others -d sim:0 --trials 3
others -d sim:0:resolution_ns=4096 --trials 1
others -d sim:0:period_ns=52.083333
others -d sim:0:kernel_ns=50
others -d sim:0:wrong=40
others -d sim:0:zero=1
others -d sim:1
others -d sim:0 --timing device
# What neither side can measure is no reason to doubt the rest.
kerntime bench fill --size 8 -d sim:0:lost=1 --runs 2 --samples 6..6 -q --json base >/dev/null
cp base new
try kerntime compare base new --json file >/dev/null
json_value file '[(r["name"], r["step"], r["verdict"], r["reason"]) for r in j["rows"]]'
# A side whose own runs differ is no better.
kerntime bench fill --size 8 -d sim:0 --samples 6..6 -q --json one >/dev/null
kerntime bench fill --size 8 -d sim:0 --samples 6..6 --trials 2 -q --json two >/dev/null
try kerntime compare --baseline one --baseline two --contender one --json file >/dev/null
json_value file '{r["reason"] for r in j["rows"]}'
# A row that failed in some runs is compared by the others, which do not make the whole fine.
for run in 1 2 3; do
    kerntime bench fill --size 8 -d sim:0:jitter_ns=40,seed=$run --samples 20..20 -q --json good$run >/dev/null
    kerntime bench fill --size 8 -d sim:0:jitter_ns=40,seed=$run,wrong=5 --samples 20..20 -q --json bad$run >/dev/null 2>&1
done
partly()
{
    try kerntime compare "$@" --json file --timing device >table
    check_json file
    json_value file 'j["verdict"], j["counts"]' '[(r["verdict"], r["baseline_failed"], r["contender_failed"], r["error"]) for r in j["rows"]]'
    grep '^error: failed' table
}
partly --baseline good1 --baseline good2 --baseline good3 --contender good3 --contender good2 --contender bad1
partly --baseline good1 --baseline good2 --baseline bad3 --contender good3 --contender good2 --contender good1
rm base new one two file table good1 good2 good3 bad1 bad2 bad3
