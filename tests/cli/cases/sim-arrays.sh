# SPDX-License-Identifier: MIT
# The workloads that memory sets the pace of: of n elements, saxpy reads two arrays and writes one (12 n bytes, 2 n
# operations), fill writes one (4 n bytes, no arithmetic). Any size; --trials 1 is not refused.
# All take 5000 + 7015 ns of wall time.
kerntime bench saxpy fill --size 1000,1025 --trials 1 -d sim:0:kernel_ns=5000 --json file
check_json file
json_value file '[(s["name"], s["bytes"], s["flops"], s["verified"]) for s in j["series"] if s["kind"] == "kernel"]'
rm file
# fill may be repeated: 4 in a row, 5 us each, and a wall time of (4 * 5000 + 7015) / 4 ns.
kerntime bench fill --size 1000 --trials 4 -d sim:0:kernel_ns=5000 -q
