# SPDX-License-Identifier: MIT
# Beside a real device cpu:0 is measured, too, whatever was asked for, unless it was named: then it is simply measured.
kerntime copy -d opencl:0 --size 8KiB --direction heap-device --samples 2 --max-time 1ms --timing wall --json file 2>said >/dev/null
sed -n '/is measured, too/p; 1s/: [^:]*$//p' said
check_json file
what='[(s["device"], s["variant"], s["status"]) for s in j["series"] if s["step"] == "wall"]'
json_value file '[d["id"] for d in j["devices"]]' "$what"
kerntime copy -q -d opencl:0 --size 8KiB --kind host --samples 2 --max-time 1ms --timing wall --json file >/dev/null
json_value file "$what"
kerntime copy -d cpu:0 -d opencl:0 --size 8KiB --kind host --samples 2 --max-time 1ms --timing wall --json file 2>said >/dev/null
json_value file "$what"
grep "measured, too" said
# Without the backend there is none.
KERNTIME_BACKENDS=opencl kerntime copy -q -d opencl:0 --size 8KiB --direction device-heap --samples 2 --max-time 1ms --timing wall --json file >/dev/null
json_value file "$what"
# The yardstick is nothing that was asked for: where nothing else was possible, the question was wrong.
KT_STUB_OPENCL=max_alloc=4096
export KT_STUB_OPENCL
try kerntime copy -q -d opencl:0 --size 4097 --direction device-device --samples 2 --max-time 1ms --timing wall >/dev/null
try kerntime copy -q -d opencl:0 --size 4097 --direction device-device --samples 2 --max-time 1ms --timing wall --runs 2 >/dev/null
# Its own ways can be asked for like those of the others, and it does no size for the sake of others that none of them can.
try kerntime copy -q -d opencl:0 --size 8 --direction heap-heap,device-heap --samples 2 --max-time 1ms --timing wall --json file >/dev/null
json_value file "$what"
try kerntime copy -q -d opencl:0 --size 8,4097 --direction device-heap --samples 2 --max-time 1ms --timing wall --json file >/dev/null
json_value file '[(s["name"], s["device"], s["variant"], s["status"]) for s in j["series"] if s["step"] in ("wall", "copy")]'
rm file said
