# SPDX-License-Identifier: MIT
# What a device cannot do has a row with the reason, and does not keep others from being measured; alone it is a wrong question.
# 1 TiB is more than any machine here has. A direction that one of several devices has not: one sentence for all sizes.
try kerntime copy -d sim:0 --size 8KiB,1TiB --direction heap-device,device-device --json file >/dev/null
check_json file
json_value file '[(s["name"], s["variant"], s["kind"], s["status"], s["src"], s["dst"], s["bytes"], s["error"])
    for s in j["series"] if s["kind"] == "copy"]'
try kerntime copy -q -d sim:0 --size 1TiB --direction heap-device >/dev/null
try kerntime copy -q -d sim:0 -d cpu:0 --size 8KiB,64KiB --direction heap-device --samples 2 --json file >/dev/null
json_value file '[(s["name"], s["device"], s["status"], s["src"], s["dst"]) for s in j["series"] if s["kind"] == "copy"]'
# More than half of this machine is never taken, whatever the device says.
try kerntime copy -q -d cpu:0 --size 1TiB 2>said >/dev/null
sed 's/ [0-9.]* [GM]iB$/ .../' said
rm file said
