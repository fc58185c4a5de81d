# SPDX-License-Identifier: MIT
# A device that is out of memory has failed like any other: the report goes on to its end, and whoever looks for faults finds
# one. 2000 bytes have no room for three matrices of 16 * 16.
KT_STUB_OPENCL=memory=2000,clock=host try kerntime doctor -d opencl:0 -q --json file >report
sed -n '/^  FAULT/,/^  [a-zW]/p' report | sed '$d'
grep -c '^  shortest kernel' report
check_json file
json_value file '[f["check"] for f in j["diagnostics"] if f["severity"] == "fault"]' 'j["diagnostics"][-1]["check"]' \
    'j["devices"][0]["resolution_ns"] is not None'
# 7000 have it, but for no larger ones: the work goes back to these, of one group, and all checks are made.
KT_STUB_OPENCL=memory=7000,clock=host try kerntime doctor -d opencl:0 -q --json file >report
grep -o 'the load was 1 group ' report
json_value file '[f["check"] for f in j["diagnostics"] if f["check"] in ("clocks", "loops", "steady")]'
rm file report
