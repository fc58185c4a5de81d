# SPDX-License-Identifier: MIT
# A job of several steps: a line for each, their sum, what is between them and the span; the wall time beside that. On a
# device without noise each of 12 kernels takes 100 us and each of 11 gaps 503 ns, so the span is 1205.533 us, and
# the wall time 7.015 us more. The checker finds that sum and gaps make the span in each sample.
kerntime bench sort --size 1000 -d sim:0 --samples 6..6 -q --json result.json
check_json result.json
kerntime bench sort --size 1000 -d sim:0 --samples 6..6 -q --markdown -
# With noise, ticks of no whole ns and timestamps that are lost; and with steps that overlap in all samples: 1200 us are
# longer than 11 * 100 ns less. Those have no gaps, which is said, and everything else.
kerntime bench sort --size 1000 -d sim:0:jitter_ns=4000,period_ns=52.083333,lost=0.02,seed=5 --trials 7 --samples 50..50 \
    -q --json result.json --csv result.csv >printed
check_json result.json
check_csv result.json result.csv
kerntime bench sort --size 1000 -d sim:0:gap_ns=-100 --samples 6..6 -q --json result.json --csv result.csv
check_json result.json
check_csv result.json result.csv
grep -c 'gaps,kernel,not_possible' result.csv
rm printed result.json result.csv
