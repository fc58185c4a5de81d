# SPDX-License-Identifier: MIT
# With wall times alone a submission is 3 commands: the output is spoilt, the kernel, the reading of its result. After 2
# writes of the input, 4 is the kernel of the first use, 7 of the warm-up (in so little time one), 10 + 3k of sample k. Kernel 19
# never completes: 3 samples are kept, the size after it is not tried on this device. It ends at the timeout, whether completion is asked for or told by a callback.
for type in gpu cpu; do
    KT_STUB_OPENCL=hang=19,type=$type kerntime bench matmul --size 8,9 -d opencl:0 -d sim:0 --order sequential --baseline-samples 0 \
        --timing wall --timeout 200ms --samples 10..10 --max-time 1us --json file >/dev/null
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["device"], s["status"], s["n"]) for s in j["series"]]'
done
rm file
