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
