# SPDX-License-Identifier: MIT
# Clocks that tell nothing of themselves, of which all is found: by pairs, or by commands where there are none. Of 32 bits
# that nobody tells and that do not wrap meanwhile, only a lower bound is known. On the host's clock, a tick of 83.333 ns of
# a clock that runs 30 ppm fast is 83.333 / 1.00003 = 83.3305 ns long.
hidden=period_reported=0,bits_reported=0,bits=32,period_ns=83.333,drift_ppm=30
kerntime devices -d sim:0:$hidden -d sim:1:$hidden,calibrated_timestamps=0 -d sim:2:bits=36,period_ns=52.083333,drift_ppm=-200,calibrated_timestamps=0 \
    -d sim:3:calibrated_timestamps=0,lost=1 --json file
check_json file
json_value file '[abs(d["clocks"][0]["period_ns"] / (83.333 / 1.00003) - 1) < 1e-4 for d in j["devices"][:2]]' \
    '[(d["clocks"][0]["valid_bits"], d["clocks"][0]["valid_bits_min"] <= 32) for d in j["devices"][:2]]' \
    '[(d["clocks"][0]["period_source"], d["clocks"][0]["relation_source"]) for d in j["devices"]]'
"$KT_REWRITE" file | cmp - file
rm file
# A result file tells what was found while measuring, in each of several runs as well.
for runs in 1 2; do
    kerntime bench empty --size 1 -d sim:0:$hidden --samples 6..6 --runs $runs -q --json file >/dev/null
    check_json file
    json_value file '[(c["period_ns"] is not None, c["valid_bits"], c["period_source"], c["relation_source"])
        for c in j["devices"][0]["clocks"]]'
    "$KT_REWRITE" file | cmp - file
done
rm file
