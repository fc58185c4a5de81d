# lavapipe's stamps cost more than most kernels, and are else as they should be. They are the host's clock, which on some
# processors moves by 10 ns, so the grid may have a note.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
kerntime devices -d vulkan >devices 2>&1 || skip "no device here: $(cat devices)"
kerntime doctor -d vulkan:0 -q --json file >/dev/null
check_json file
json_value file '[f["values"]["stamp_cost_ns"] > 0 for f in j["findings"] if f["check"] == "stamp_cost"]' \
    '[f["severity"] in ("good", "note") for f in j["findings"] if f["check"] == "grid"]' \
    '[f["severity"] for check in ("states", "order", "pairs", "place", "rate") for f in j["findings"] if f["check"] == check]'
rm file devices
