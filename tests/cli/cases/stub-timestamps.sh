# SPDX-License-Identifier: MIT
# Timestamps that are made up, zero or not told: no device time, one sentence why, and the wall time stays.
# Spoilt ones (every 4th event that has timestamps) are counted: every other one of 20 samples, since of the 5 dispatches of
# a sample the first and the last have timestamps. Coarse ones (65536 ns) are below the grid, all of them.
# The stub's clock is the host's, so that device times fit into wall times.
measure()
{
    echo "$1"
    KT_STUB_OPENCL=$1,clock=host kerntime bench empty --size 5 -d opencl:0 --timing device --samples 20..20 -q \
        --json file >table
    echo "exit $?"
    check_json file
    sed -n '/^empty/p;/^warning: partial/p;/no device time/p;/^note: "</p' table
    json_value file '[(s["step"], s["status"], s["n"], s["method"], sum(s["discarded"].values())) for s in j["series"]]'
}
for timestamps in timestamps=fake timestamps=zero no_profiling_info=1; do
    measure $timestamps
    json_value file 'j["devices"][0]["untrusted"] == j["series"][0]["error"]' 'j["devices"][0]["resolution_ns"]'
done
for timestamps in timestamps=swapped timestamps=backwards timestamps=coarse; do
    measure $timestamps
    json_value file '{state: n for state, n in j["series"][0]["discarded"].items() if n}'
done
json_value file 'j["devices"][0]["resolution_ns"] % 65536' # of the last one
# Of one dispatch a sample: every 4th has no time of its queueing.
KT_STUB_OPENCL=timestamps=swapped,clock=host kerntime bench empty --size 1 -d opencl:0 --timing device --samples 20..20 -q \
    --raw --json file >table
check_json file
json_value file '[sum("queued_ticks" in raw for raw in j["series"][0]["raw"]), j["series"][0]["n"]]'
rm file table
