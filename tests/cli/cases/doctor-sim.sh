# SPDX-License-Identifier: MIT
# What is found on a simulated device: every line about it is there, the last one is the shortest kernel, and the file says the same.
# Its time is not this machine's, so neither is anything else.
kerntime doctor -d sim:0 -q --json file --markdown page >report
sed -n 1p report
grep -c '^  good     resolution ' report
sed -n '$p' report | sed 's/: .*/: .../'
check_json file
"$KT_REWRITE" file | cmp - file
json_value file 'j["document"]' '{f["device"] for f in j["diagnostics"]}' 'j["diagnostics"][-1]["check"]' 'j["series"]' '"backends" in j'
# Of the device itself only the findings tell the ruler as well.
json_value file '[f["values"]["resolution_ns"] for f in j["diagnostics"] if f["check"] == "resolution"] == [j["devices"][0]["resolution_ns"]]'
grep -v '```' page | cmp - report
kerntime doctor -d sim:0 -q | cmp - report
KERNTIME_BACKENDS=sim kerntime doctor -d sim:0 -q --json - | sed '/"command"/d' >again
sed '/"command"/d' file | cmp - again
rm file page report again
