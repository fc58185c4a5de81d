# SPDX-License-Identifier: MIT
# A device with a lower power limit is compared with its like alone, by fleet and by compare.
for i in 0 1 2 3 4; do
    kerntime bench saxpy --size 4096 --samples 20..20 --runs 3 -q --baseline-samples 0 --json $i.json \
        -d "sim:0:kernel_ns=60000,jitter_ns=80,seed=$i,uuid=$i,clock_mhz=1500,power_w=$((400 - i / 4 * 80))" >/dev/null
done
kerntime fleet . -q --json fleet | grep '^simulated device\|^note\|^verdict'
check_json fleet
json_value fleet '[(g["power_limit_w"], g["clocks_locked"], g["core_clock_max_mhz"], g["devices"]) for g in j["fleet"]["groups"]]'
kerntime compare 0.json 4.json --timing device --json changes | grep '^warning: state\|^Overall'
check_json changes
json_value changes '[row["state_change"] for row in j["rows"]]'
rm [0-4].json fleet changes
