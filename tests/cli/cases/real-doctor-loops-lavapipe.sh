# SPDX-License-Identifier: MIT
# Lavapipe of Mesa 22.3 cuts loops at 65,535 iterations and compiles between the timestamps of the first run. Of one that is not known to cut
# them, that of Mesa 25.0 say, the doctor has no fault to tell.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
kerntime devices -d vulkan >devices 2>&1 || skip "no device here: $(cat devices)"
kerntime doctor -d vulkan:0 -q --json file >/dev/null
code=$?
if ! grep -q '65,535' devices; then
    severity=$(json_value file '[f["severity"] for f in j["diagnostics"] if f["check"] == "loops"]')
    [ "$severity" = "['good']" ] || { echo "loops: $severity"; exit 1; }
    skip "this lavapipe ends no loop, and has no fault to be told; conformance.lavapipe runs loops, too"
fi
echo "exit $code"
json_value file '"\n".join(f["severity"] + " " + f["seen"] for f in j["diagnostics"] if f["check"] in ("loops", "first_use"))' >text
grep -o 'fault a loop of 100,000 iterations ended after 65,53[45]' text
grep -o 'warning .*first run of a new kernel takes .* by its' text | sed 's/takes .* by/takes ... by/'
rm devices file text
