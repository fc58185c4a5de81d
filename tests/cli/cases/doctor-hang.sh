# SPDX-License-Identifier: MIT
# A device that does not answer within --timeout is not asked again; what was found before stands, and the next one is examined.
kerntime doctor -d sim:0:hang=4 -d sim:1 --timeout 200ms --json file >report
echo "exit $?"
grep -e '^sim' -e '^  FAULT' -e '^  shortest' report
check_json file
json_value file '[f["check"] for f in j["diagnostics"] if f["severity"] == "fault"]' 'j["diagnostics"][-1]["device"]'
rm file report
