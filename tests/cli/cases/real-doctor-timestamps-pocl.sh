# SPDX-License-Identifier: MIT
# What the doctor finds of PoCL's timestamps: they are good (of the host's clock, which on some processors moves by 10 ns), and where a call reads both clocks (PoCL 6, not 3.1), it is as good.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
grep -q "Portable Computing Language" devices || skip "opencl is not PoCL here"
pairs='("note", True)'
if "$KT_OPENCL_CAN" clocks; then pairs='("good", False)'; fi
kerntime doctor -d opencl:0 --timeout 2min -q --json file >/dev/null
check_json file
json_value file '[f["severity"] in ("good", "note") for f in j["diagnostics"] if f["check"] == "resolution"]' \
    '[f["severity"] for check in ("states", "order", "width", "domain", "relation", "placement", "drift", "rate") for f in j["diagnostics"] if f["check"] == check]' \
    '[(f["severity"], "clGetDeviceAndHostTimer" in f["seen"]) == '"$pairs"' for f in j["diagnostics"] if f["check"] == "calibration"]' \
    '["CLOCK_MONOTONIC_RAW" in f["seen"] for f in j["diagnostics"] if f["check"] == "domain"]'
rm file devices
