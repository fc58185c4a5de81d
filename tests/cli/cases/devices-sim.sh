# SPDX-License-Identifier: MIT
# 2^32 ticks of 52.083333 ns are 223.7 s. What cannot be opened is listed as well as it is known.
kerntime devices -d sim -d sim:1:bits=32,period_ns=52.083333 -d sim:2:fail=1 --json file
check_json file
json_value file '[(len(d["copies"]), d["copies"][:2], d["maps"]) for d in j["devices"]][0]' 'j["document"]' '[d["id"] for d in j["devices"]]' '[d["clock_error"] for d in j["devices"]]' \
    'j["series"]' '"backends" in j'
"$KT_REWRITE" file | cmp - file
rm file
