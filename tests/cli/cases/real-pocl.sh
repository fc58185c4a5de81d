# SPDX-License-Identifier: MIT
# PoCL's event clock is the host's CLOCK_MONOTONIC_RAW, so every sample lies between the host's two moments.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
grep -q "Portable Computing Language" devices || skip "opencl is not PoCL here"
kerntime bench matmul --size 32,100,128 -d opencl --samples 10..50 --max-time 1s --baseline-samples 1 --raw --json one -q \
    >/dev/null
kerntime bench matmul --size 64 --variant tiled -d opencl --samples 10..20 --trials 3 --baseline-samples 0 --raw --json three \
    -q >/dev/null
kerntime bench empty -d opencl --samples 10..50 --max-time 1s --raw --json empty -q >/dev/null
kerntime devices --json devices -d opencl >/dev/null
check_json one three empty devices
recompute_raw --order one three
recompute_raw empty
json_value one 'sorted({(s["status"], s["verified"], s["method"]) for s in j["series"]})' \
    'all(s["speedup"] > 0 for s in j["series"])'
rm one three empty devices
