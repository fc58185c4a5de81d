# Lavapipe of Mesa 22.3 cuts loops at 65,535 iterations and compiles between the stamps of the first run. Of one that does not, other things
# are to be said.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
kerntime devices -d vulkan >devices 2>&1 || skip "no device here: $(cat devices)"
grep -q 'Mesa 22\.' devices || skip "this lavapipe is not the one that cuts loops: $(cat devices)"
kerntime doctor -d vulkan:0 -q --json file >/dev/null
echo "exit $?"
json_value file '"\n".join(f["severity"] + " " + f["seen"] for f in j["findings"] if f["check"] in ("loops", "first_use"))' >text
grep -o 'fault a loop of 100,000 iterations ended after 65,53[45]' text
grep -o 'warning .*first run of a new kernel takes .* by its' text | sed 's/takes .* by/takes ... by/'
rm devices file text
