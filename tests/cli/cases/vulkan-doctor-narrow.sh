# SPDX-License-Identifier: MIT
# Groups of 128 work-items are what every device of Vulkan takes, and less than a group of matmul: the clock is looked at beside
# submissions of nothing, which the report says, and all other checks have their kernel.
[ -n "${KT_STUB_VULKAN_LIB:-}" ] || skip "built without headers for Vulkan"
export KERNTIME_LIB_VULKAN="$KT_STUB_VULKAN_LIB"
checks='[f["check"] for f in j["diagnostics"] if f["check"] in ("clocks", "rate", "loops", "first_use", "agreement", "steady")]'
rate='[f["means"] for f in j["diagnostics"] if f["check"] == "rate"]'
results='[f["severity"] for f in j["diagnostics"] if f["check"] == "results"]'
KT_STUB_VULKAN=max_invocations=128,max_group_size=128,clock=host kerntime doctor -d vulkan:0 -q --json file >report
echo "exit $?"
check_json file
json_value file "$checks" "$rate" "$results"
# Groups of 2 are less than any kernel has: those checks have nothing to do.
KT_STUB_VULKAN=max_invocations=2,max_group_size=2,clock=host kerntime doctor -d vulkan:0 -q --json file >report
echo "exit $?"
json_value file "$checks" '[f["seen"] for f in j["diagnostics"] if f["check"] == "loops"]' 'j["diagnostics"][-1]["check"]'
rm file report
