# 2^32 ticks of 52.083333 ns are 223.7 s.
kerntime devices -d sim -d sim:1:bits=32,period_ns=52.083333 --json file
check_json file
json_value file 'j["document"]' '[d["id"] for d in j["devices"]]' 'j["series"]' '"backends" in j'
rm file
