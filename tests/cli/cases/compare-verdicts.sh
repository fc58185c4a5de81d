# SPDX-License-Identifier: MIT
# 3 % are found with five runs a side, in either direction, and not with one.
measure() # FILE KERNEL_NS [OPTION]...
{
    file=$1 kernel_ns=$2
    shift 2
    kerntime bench matmul --size 32 -d "sim:0:kernel_ns=$kernel_ns,jitter_ns=400" -q --json "$file" "$@" >/dev/null
}
measure usual 100000 --runs 5
measure slow 103000 --runs 5
measure fast 97000 --runs 5
measure usual-once 100000
measure slow-once 103000
for pair in "usual usual" "usual slow" "slow usual" "usual fast" "usual-once slow-once"; do
    # shellcheck disable=SC2086 # two words
    try kerntime compare $pair --json file >table
    check_json file
    json_value file 'j["verdict"], [(r["step"], r["verdict"], r["runs_needed"] is None, r["identical"]) for r in j["rows"]]'
    grep -c "^$(json_value file 'j["rows"][0]["verdict"]') .*matmul/32" table
done
# What is asked to matter more than 3 % does not matter.
try kerntime compare usual slow --min-effect 5% --timing device --json - -q >file
json_value file 'j["options"]' 'j["common_mode"]["run_noise"]' '[(r["step"], r["verdict"]) for r in j["rows"]]'
# The same files, the same bytes; and the words are those that were typed.
kerntime compare usual slow --min-effect 5% --timing device --json - -q | cmp - file
json_value file 'j["command"]' 'j["baseline"]' 'j["started"], j["host"]["os"]'
# Two of three devices are 5 % slower: the third is not faster for that.
devices() # FILE KERNEL_NS KERNEL_NS [,SEED]
{
    kerntime bench matmul --size 32..256 --runs 5 --samples 30..30 --timing device -q --json "$1" -d "sim:0:kernel_ns=$2,jitter_ns=400${4-}" \
        -d "sim:1:kernel_ns=$3,jitter_ns=1000${4-}" -d "sim:2:kernel_ns=90000,jitter_ns=1500${4-}" >/dev/null
}
devices before 20000 50000
devices after 21000 52500 ,seed=9
try kerntime compare before after --json file >table
check_json file
json_value file 'j["verdict"], j["common_mode"]["shift"], j["common_mode"]["exceptions"]' '[(r["device"][:5], r["verdict"]) for r in j["rows"]]'
grep '^warning' table
rm usual slow fast usual-once slow-once before after file table
