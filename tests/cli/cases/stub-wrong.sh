# SPDX-License-Identifier: MIT
# One element of the 5th result is wrong: 1 is the first use, 2 the warm-up in so little time, so it is the third sample. Two were
# right and are in the file, but none is believed; the next size is.
KT_STUB_OPENCL=wrong=5 kerntime bench matmul --size 8,9 -d opencl:0 --order sequential --baseline-samples 0 --timing wall \
    --samples 10..10 --max-time 1us -q --json file >table
echo "exit $?"
check_json file
json_value file '[(s["name"], s["status"], s["verified"], s["n"], s["median_ns"] is None) for s in j["series"]]'
sed -n 's/ *$//;/^matmul/p;/^error/p' table
rm file table
