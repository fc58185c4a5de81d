# SPDX-License-Identifier: MIT
# Three sizes in turns, and the device hangs in one of them: the others end with what they have, and say where it hung and
# what to do about it, as the sizes of a device that hung before do (see sim-hang); their
# rows, that is: one sentence is for all of them.
kerntime bench matmul --size 32,64,96 -d sim:0:hang=30,kernel_ns=5000000 --timeout 200ms --samples 10..10 --max-time 1us \
    --baseline-samples 0 -q --json file >table
echo "exit $?"
check_json file
json_value file 'sorted({(s["name"], s["status"], s["error"]) for s in j["series"]})' 'min(s["n"] for s in j["series"]) > 0'
grep -c '^warning: partial' table
"$KT_REWRITE" file | cmp - file
rm file table
