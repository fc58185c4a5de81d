# SPDX-License-Identifier: MIT
# The values that docs/result-diagnostics.md lists for each check are written, and no others (check_json looks at
# these in every file). What is left is of a real machine alone, or a fault that no simulated device has.
for scenario in "" bits_reported=0 period_reported=0,period_ns=83.333 reset=50 zero=0.05,lost=0.05,negative=0.05 zero=1 bits=8 gap_ns=-50 wrong=300 host_resolution_ns=1000000,min_span_ns=300000 throttled=1,power_w=300; do
    count=$((${count:-0} + 1))
    kerntime doctor -d "sim:0:seed=1${scenario:+,}$scenario" -q --json "file-$count" >/dev/null
done
check_json file-*
diagnostics_table file-*
rm file-*
