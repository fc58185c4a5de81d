# SPDX-License-Identifier: MIT
# Each device has its own part, in the order of the command line; what fails on one costs the others nothing.
kerntime doctor -d sim:1:fail=1 -d sim:0 -d sim:2:fail=8 --json file >report
echo "exit $?"
grep -e '^sim' -e '^$' -e '^  FAULT' -e '^  shortest' report
check_json file
json_value file '[(f["device"], f["check"]) for f in j["diagnostics"] if f["severity"] == "fault"]' '[d["id"] for d in j["devices"]]'
"$KT_REWRITE" file | cmp - file
rm file report
