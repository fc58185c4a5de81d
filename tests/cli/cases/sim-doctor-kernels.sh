# What is found by running kernels: a healthy device, one whose third or 40th result is wrong, one whose ticks are longer or shorter than
# told, and one whose counter begins anew within long kernels.
findings='submission|results of|a loop of|first run|device time is|of work|at [0-9.]* ms device'
for scenario in sim:0 sim:0:wrong=3 sim:0:wrong=40 sim:0:drift_ppm=-100000 sim:0:drift_ppm=100000 sim:0:reset=3; do
    echo "$scenario"
    kerntime doctor -d "$scenario" -q >text
    sed -n -E "s/^ *(good|note|warning|fault) +(.*($findings).*)/\1 \2/p" text | cut -c 1-64 | sed "s,agree at .*,agree at ...,"
done
rm text
