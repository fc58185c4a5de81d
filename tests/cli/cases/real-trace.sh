# SPDX-License-Identifier: MIT
# PoCL has no call that reads both clocks; its events are timestamped by a clock of the host, which is found. So every step
# lies between submitting it and the end of waiting for it, to the ns.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
grep -q "Portable Computing Language" devices || skip "opencl is not PoCL here"
kerntime bench saxpy matmul --size 64,128 -d opencl:0 -d cpu:0 --samples 10..30 --max-time 200ms --baseline-samples 0 \
    --trace file --json result -q >/dev/null
check_trace file result
json_value file '[(t["clock"], t["pids"]) for t in j["otherData"]["timelines"]]' 'j["otherData"]["omitted"]' \
    'sum(e["ph"] == "X" and e["cat"] == "kernel" and e["pid"] == 1 for e in j["traceEvents"]) >= 40'
rm file result devices
