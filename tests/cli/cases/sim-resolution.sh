# SPDX-License-Identifier: MIT
# Timestamps move in steps of 1000 ns. 100500 ns are seen as 100 or 101 of them, so the 95 % interval has those ends.
# An empty step of 100 ns mostly has both timestamps in one grid step: its span is 0, so the grid is what limits, and a
# kernel of 700 ns is seen as none or as one step.
kerntime bench matmul --size 32 -d sim:0:resolution_ns=1000,kernel_ns=100500 --samples 100..100 --trials 1 -q --json file >table
grep -v '^$' table
json_value file 'sorted(set(j["series"][0]["samples_ns"]))' 'j["devices"][0]["resolution_ns"]'
kerntime bench matmul --size 32 -d sim:0:resolution_ns=1000,kernel_ns=700 --samples 10..10 --trials 1 -q >table
table <table | sed -n 2p
grep '^note' table
check_json file
rm file table
