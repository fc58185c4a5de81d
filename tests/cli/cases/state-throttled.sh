# SPDX-License-Identifier: MIT
# A device that heats up is slow for 30 of each 100 ms. Its samples of that time are left out, so that all are of 100 us.
# Energy: 300 W for 100 us are 30 mJ.
hot=sim:0:clock_mhz=1500,throttled=0.3,power_w=300,energy_step_ms=20
kerntime bench fill --size 4096 -d $hot --samples 400..400 -q --json file.json --csv file.csv | awk 'NR > 1 && length > 0'
check_json file.json
check_csv file.json file.csv
"$KT_REWRITE" file.json | cmp - file.json
json_value file.json '[(s["n"], min(s["samples_ns"]) == max(s["samples_ns"]) == 1e5, s["discarded"]["throttled"] > 0, s["state"]["left_out"], s["state"]["throttle"]) for s in j["series"][:1]]'
# The share is the same over several runs.
kerntime bench fill --size 4096 -d $hot --samples 400..400 --runs 3 -q | grep -o "thermal throttling in .*"
# Energy, of a device that stays cool: its interval holds what it takes by hand, with pauses of 0.1 %.
cool=sim:0:power_w=300,energy_step_ms=20
kerntime bench fill --size 4096 -d $cool --samples 10..10 --energy -q --json file.json --csv file.csv >/dev/null
check_json file.json
check_csv file.json file.csv
"$KT_REWRITE" file.json | cmp - file.json
json_value file.json '[(e["ci95_low_j"] <= 0.03003, 0.03 <= e["ci95_high_j"], e["update_ms"], e["windows"]) for e in [j["series"][0]["energy"]]]'
# The table has it, of copies, too: a head and a cell.
kerntime copy -d $cool --direction device-device --size 1MiB --samples 10..10 --energy -q | grep -cE " ENERGY | mJ ±"
# A device without a counter has a reason in place of a number.
kerntime bench fill --size 4096 -d sim:0 --samples 10..10 --energy -q | grep energy
rm file.json file.csv
