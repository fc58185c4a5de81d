# SPDX-License-Identifier: MIT
# Real times, two jobs that take turns, and a kernel of several dispatches: by the checker alone.
kerntime bench matmul saxpy --size 64,100 -d cpu:0 --samples 20..50 --trials 1 --trace file --json result -q >/dev/null 2>&1
check_trace file result
json_value file 'j["otherData"]["timelines"][0]["clock"]' 'j["otherData"]["omitted"]' \
    'sorted({e["cat"] for e in j["traceEvents"] if e["ph"] == "X"})' \
    'sorted(e["args"]["name"] for e in j["traceEvents"] if e["ph"] == "M" and "name" in e["args"])'
# Wall times alone: nothing of the device.
kerntime bench matmul --size 64 -d cpu:0 --samples 10..10 --trials 3 --timing wall --trace file --json result -q >/dev/null
check_trace file result
json_value file 'sorted({e["cat"] for e in j["traceEvents"] if e["ph"] == "X"})'
rm file result
