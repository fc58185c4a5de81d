# SPDX-License-Identifier: MIT
# 3 dispatches between two timestamps: 250 us each; wall (3 * 250000 + 7015) / 3 ns. The file has both values.
kerntime bench matmul --size 32 --trials 3 -d sim:0:kernel_ns=250000 --json file
check_json file
json_value file '[(s["step"], s["trials"], s["median_ns"], s["median_total_ns"]) for s in j["series"]]'
rm file
