# SPDX-License-Identifier: MIT
# An empty step takes 100 ns (min_span_ns), and so does a kernel of 50 ns: nothing to rank by, but the wall time is
# 100 + 7015 ns. All 10 samples stand in the file, counted as below_min_span, without a summary.
# 20 of them between two timestamps are 2000 ns, well above the floor: 100 ns each, wall (2000 + 7015) / 20 ns.
kerntime bench matmul --size 32 -d sim:0:kernel_ns=50 --samples 10..10 --json file
check_json file
json_value file '[(s["step"], s["status"], s["n"], s["samples_ns"][0], s["discarded"]["below_min_span"], s["median_ns"])
    for s in j["series"]]'
kerntime bench matmul --size 32 -d sim:0:kernel_ns=50 --trials 20
rm file
