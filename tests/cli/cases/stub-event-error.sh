# SPDX-License-Identifier: MIT
# A command that ends with an error (19 is the kernel of sample 3, see stub-hang.sh): told, and what went before is kept.
KT_STUB_OPENCL=event_error=19 kerntime bench matmul --size 8,9 -d opencl:0 --order sequential --baseline-samples 0 --timing wall \
    --samples 10..10 --max-time 1us -q --json file >/dev/null
echo "exit $?"
check_json file
json_value file '[(s["name"], s["status"], s["n"]) for s in j["series"]]'
rm file
