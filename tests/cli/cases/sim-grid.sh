# Stamps move in steps of 1000 ns. 100500 ns are seen as 100 or 101 of them, so the 95 % interval has those ends.
# An empty step of 100 ns mostly has both stamps in one grid step: its span is 0, so the grid is what limits, and a
# kernel of 700 ns is seen as none or as one step.
kerntime bench matmul --size 32 -d sim:0:grid_ns=1000,kernel_ns=100500 --samples 100..100 --trials 1 -q --json file >table
tail -n 2 table
json_value file 'sorted(set(j["series"][0]["samples_ns"]))' 'j["devices"][0]["grid_ns"]'
kerntime bench matmul --size 32 -d sim:0:grid_ns=1000,kernel_ns=700 --samples 10..10 --trials 1 -q | sed -n '2p;$p'
check_json file
rm file table
