# SPDX-License-Identifier: MIT
# With --cold the caches are flushed before each submission: the file says so, the table does, and nothing is compared with
# baselines, which ran with warm ones. A device that cannot says so, and is left out in a sweep. In other formats the name says cold.
kerntime bench saxpy --size 65536 -d opencl:0 -d sim:0 --timing wall --cold --samples 2..2 --max-time 1us -q --json file --gbench g --bmf b --action a >table
echo "exit $?"
check_json file
json_value file '[(s["device"], s["step"], s["status"], s["cold"], s["speedup"]) for s in j["series"]]'
grep -E "^(cold|.*not_possible|SPEED-UP)" table
check_formats file g b a
grep -o '"name": "[^"]*"' a
rm file table g b a
