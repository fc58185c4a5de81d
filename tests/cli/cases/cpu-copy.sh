# SPDX-License-Identifier: MIT
# This machine's own memory: by one core and by all, and no yardstick beside it. Whether 1000 bytes are below what
# its clock resolves depends on the machine, and check_json sees that it is told.
kerntime copy -q -d cpu:0 --size 8KiB,1000 --samples 2..5 --max-time 1ms --json file >/dev/null
check_json file
json_value file '[d["id"] for d in j["devices"]]' \
    '[(s["name"], s["variant"], s["step"], s["src"], s["dst"], s["bytes"], s["verified"]) for s in j["series"] if s["kind"] == "copy"]'
rm file
