# With wall times alone a submission is a kernel and the reading of its result, after 2 writes: 3 is the first use, 5, 7
# and 9 the warm-up, 11 + 2k sample k. Kernel 17 never completes: 3 samples are kept, the size after it is not
# tried on this device. It ends at the timeout, whether completion is asked for or told by a callback.
for type in gpu cpu; do
    KT_STUB_OPENCL=hang=17,type=$type kerntime bench matmul --size 8,9 -d opencl:0 -d sim:0 --baseline-samples 0 \
        --timing wall --timeout 200ms --samples 10..10 --json file >/dev/null
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["device"], s["status"], s["n"]) for s in j["series"]]'
done
rm file
