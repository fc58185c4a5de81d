# SPDX-License-Identifier: MIT
# The driver needs 2 ms to begin in an idle stream. A blocked stream has nothing of it in its time; a copy from memory that is not
# pinned is not blocked, and says so; HIP streams are never blocked. Without blocking a copy has the 2 ms or not: a quick host hands the copy over
# while the event before it is still being recorded.
export KERNTIME_BACKENDS=cuda,hip KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_HIP="$KT_STUB_HIP_LIB"
export KT_STUB_CUDA=clock=host,blocking=patient,kernel_ns=100000,launch_gap_ns=2000000,strict=1
export KT_STUB_HIP="$KT_STUB_CUDA"
for device in cuda:0 hip:0; do
    kerntime copy -d $device --direction heap-device,host-device,device-device --size 64KiB --trials 1 --samples 5..5 \
        --max-time 1ms -q --json file >/dev/null
    echo "exit $?"
    check_json file
    json_value file '[(s["src"], s["dst"], s["method"], s["method"].endswith("blocked") and s["median_ns"] > 2e6) for s in j["series"] if s["kind"] == "copy" and s["device"] != "cpu:0"]'
done
rm file
# More commands than stand in a blocked stream are not blocked, and a note says what is in their times.
export KERNTIME_LIB_NVRTC="$KT_STUB_CUDA_LIB" KT_STUB_CUDA=clock=host,blocking=patient,kernel_ns=1000,strict=1
for size in 300 1000,2000; do
    kerntime bench empty -d cuda:0 --size $size --samples 5..5 --max-time 1ms --baseline-samples 0 -q | grep "work between"
done
kerntime copy -d cuda:0 --direction heap-device,device-device --size 64KiB --trials 1 --samples 5..5 --max-time 1ms -q |
    grep "work between"
# Each event flushes the caches, and a submission without timestamps has none.
for fence_ns in 0 20000000; do
    KT_STUB_HIP=clock=host,kernel_ns=2000000,fence_flag=0,fence_ns=$fence_ns,strict=1 \
        kerntime copy -d hip:0 --direction device-device --size 64KiB --trials 1 --samples 9..9 --max-time 1ms -q | grep "above WALL"
done
