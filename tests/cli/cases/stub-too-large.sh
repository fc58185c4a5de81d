# SPDX-License-Identifier: MIT
# The device gives 1024 bytes in one piece: 16 * 16 floats, not 17 * 17. Over the limit is an answer within a sweep
# (exit 0) and a wrong question alone (exit 2); both say why, and a measurement of the size on another device goes on.
KT_STUB_OPENCL=max_alloc=1024
export KT_STUB_OPENCL
try kerntime bench matmul --size 16,17 -d opencl:0 --baseline-samples 0 --timing wall -q --json file >/dev/null
check_json file
json_value file '[(s["name"], s["status"], s["n"], s["error"]) for s in j["series"]]'
try kerntime bench matmul --size 17 -d opencl:0 --baseline-samples 0 -q
try kerntime bench matmul --size 17 -d opencl:0 -d sim:0 --baseline-samples 0 -q >/dev/null
rm file
