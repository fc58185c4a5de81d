# SPDX-License-Identifier: MIT
# lavapipe's timestamps cost more than most kernels, and are else as they should be. They are the host's clock, which on some
# processors moves by 10 ns, so the grid may have a note.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
kerntime devices -d vulkan >devices 2>&1 || skip "no device here: $(cat devices)"
kerntime doctor -d vulkan:0 --timeout 2min -q --json file >/dev/null
check_json file
json_value file '[f["values"]["timestamp_overhead_ns"] > 0 for f in j["diagnostics"] if f["check"] == "timestamp_overhead"]' \
    '[f["severity"] in ("good", "note") for f in j["diagnostics"] if f["check"] == "resolution"]' \
    '[f["severity"] for check in ("states", "order", "calibration", "placement", "rate") for f in j["diagnostics"] if f["check"] == check]'
rm file devices
