# SPDX-License-Identifier: MIT
# Submission 8 is the first of sample 2 (see sim-hang.sh), so 2 samples of each kind had been taken and are shown in
# the file, but none is believed. sim spoils the lowest byte of the first number, -78 (C29C0000 as a float):
# 0x55 in its last place is 85 * 2^-17 more.
kerntime bench matmul --size 32 -d sim:0:wrong=8 --max-time 1us --json file
code=$?
check_json file
json_value file '[(s["step"], s["status"], s["verified"], s["wrong"], s["n"], s["median_ns"]) for s in j["series"]]'
rm file
exit $code
