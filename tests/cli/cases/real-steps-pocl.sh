# SPDX-License-Identifier: MIT
# Primitives of several kernels: what each takes, and what they add up to, of every sample.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no device here: $(cat devices)"
kerntime bench reduce scan sort --size 65536 -d opencl:0 \
    --samples 5..5 --max-time 1ms --baseline-samples 0 --json file -q >/dev/null
check_steps file reduce scan sort
check_json file
rm file devices
