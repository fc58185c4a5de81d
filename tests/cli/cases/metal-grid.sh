# Apple's GPUs count ns and move by 125/3 of them, which no whole number of ticks divides.
export KERNTIME_BACKENDS=metal KERNTIME_LIB_OBJC="$KT_STUB_METAL_LIB" KERNTIME_LIB_METAL="$KT_STUB_METAL_LIB"
KT_STUB_METAL=clock=host,kernel_ns=100020 kerntime bench fill --size 64 -d metal --samples 30..30 --baseline-samples 0 -q --json file >/dev/null 2>&1
echo "exit $?"
check_json file
json_value file '[abs(d["grid_ns"] - 125 / 3) < 0.1 for d in j["devices"]]'
json_value file '[s["ci95_ns"][0] <= 100020 <= s["ci95_ns"][1] for s in j["series"] if s["step"] == "fill"]'
rm file
