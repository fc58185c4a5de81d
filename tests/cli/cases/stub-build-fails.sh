# SPDX-License-Identifier: MIT
# A kernel that does not compile: the compiler's log is shown, the other device is measured, and all is written.
KT_STUB_OPENCL=build=fail kerntime bench matmul --size 8 -d opencl:0 -d sim:0 --baseline-samples 0 --json file
code=$?
check_json file
json_value file '[(s["device"], s["status"], s["method"], s["n"]) for s in j["series"]]' 'j["series"][0]["error"]'
rm file
exit $code
