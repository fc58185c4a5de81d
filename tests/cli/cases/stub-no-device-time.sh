# SPDX-License-Identifier: MIT
# A device whose timestamps are made up still has wall times and speed-ups by them: "-" in place of the device time alone.
KT_STUB_OPENCL=timestamps=fake kerntime bench matmul --size 8 -d opencl:0 --samples 10..10 --baseline-samples 2 -q \
    --json file | table | sed -n 1p
check_json file
json_value file '[(s["step"], s["status"], s["method"], s["n"], s["speedup"] is None) for s in j["series"]]'
rm file
