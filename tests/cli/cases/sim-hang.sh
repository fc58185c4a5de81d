# Submission 12 never completes: 1 is the first use, 2 to 4 the warm-up, sample k (from 0) takes 5 + 2k and 6 + 2k,
# the stamped one first where k is even. So 12 is the stamped one of sample 3: 3 stamped and 4 unstamped are kept.
# The device is not asked again, and what another one measures is not touched.
kerntime bench matmul --size 32,64 -d sim:0:hang=12 -d sim:1 --timeout 200ms --json file
code=$?
check_json file
json_value file '[(s["name"], s["step"], s["status"], s["n"], s["stop"]) for s in j["series"] if "hang" in s["device"]]'
rm file
exit $code
