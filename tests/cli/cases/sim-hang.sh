# SPDX-License-Identifier: MIT
# Submission 11 never completes: 1 is the first use, 2 and 3 the warm-up, which with so little time is one round. Sample k
# (from 0) takes 4 + 2k and 5 + 2k, the timestamped one first where k is even. So 11 is the timestamped one of sample 3: 3 timestamped
# and 4 plain are kept.
# The device is not asked again, and what another one measures is not touched.
kerntime bench matmul --size 32,64 -d sim:0:hang=11 -d sim:1 --order sequential --timeout 200ms --samples 10..10 --max-time 1us --json file
code=$?
check_json file
json_value file '[(s["name"], s["step"], s["status"], s["n"], s["stop"]) for s in j["series"] if "hang" in s["device"]]'
rm file
# However much is left out on it: one sentence says how much.
kerntime copy -q -d sim:0:hang=5 --size 8KiB..1MiB --timeout 200ms >/dev/null
exit $code
