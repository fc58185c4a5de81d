# SPDX-License-Identifier: MIT
# What a device did when it was opened: its lines in the list, at most 80 columns wide, and its member in the file. One
# that is throttled all the time runs at half of its clock. One that tells nothing has neither line nor member.
hot=sim:0:clock_mhz=1500,throttled=1,power_w=300,energy_step_ms=20
kerntime devices -d $hot -d sim:1:clock_mhz=800.5 -d sim:2 --json file
kerntime devices -d $hot -d sim:1:clock_mhz=800.5 | awk '/^    state/ && length > 80'
check_json file
"$KT_REWRITE" file | cmp - file
sed -n '/"state": {/,/}/p' file
json_value file '["state" in d for d in j["devices"]]'
# Measurements read it as well, in this process and in those of runs.
for runs in "" "--runs 2"; do
    kerntime bench fill --size 64 -d $hot -d sim:2 --samples 2..2 $runs -q --json file >/dev/null
    check_json file
    json_value file '[d.get("state", {}).get("core_clock_mhz") for d in j["devices"]]'
done
rm file
