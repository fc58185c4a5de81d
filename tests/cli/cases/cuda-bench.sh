# SPDX-License-Identifier: MIT
# Each of the workloads on CUDA and on HIP, whose results are right; caches are emptied before each submission.
export KERNTIME_BACKENDS=cuda,hip KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIP="$KT_STUB_HIP_LIB"
export KERNTIME_LIB_NVRTC="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIPRTC="$KT_STUB_HIP_LIB"
export KT_STUB_CUDA=clock=host,blocking=patient,total_bytes=16777216,strict=1
export KT_STUB_HIP="$KT_STUB_CUDA"
kerntime bench fill saxpy matmul reduce scan sort --size 33 -d cuda:0 -d hip:0 --cold --timing device --samples 3..3 --max-time 1ms \
    --baseline-samples 0 -q --json file >/dev/null
echo "exit $?"
check_json file
json_value file 'sorted({(s["name"], s["device"]) for s in j["series"]})' \
    'sorted({(s["device"], s["method"], s["verified"], s["cold"]) for s in j["series"] if s["method"] != "host-wall"})'
rm file
# Where no second cache is reported, there may still be one.
export KT_STUB_HIP="$KT_STUB_HIP,l2_bytes=0" KT_STUB_CUDA="$KT_STUB_CUDA,l2_bytes=0"
for device in cuda:0 hip:0; do
    kerntime bench fill --size 33 -d $device --cold --timing device --samples 3..3 --max-time 1ms --baseline-samples 0 -q 2>&1 >/dev/null
    echo "exit $?"
done
