# SPDX-License-Identifier: MIT
# A driver that leaves the 5th dispatch out and says that it was done (1 is the first use, 2 the warm-up in so little time, so it is the
# third sample): the right output of the one before would be found, had it not been spoilt, or, of saxpy, reset.
for workload in matmul fill saxpy; do
    KT_STUB_OPENCL=skip=5 kerntime bench $workload --size 8,9 -d opencl:0 --order sequential --baseline-samples 0 --timing wall \
        --samples 10..10 --max-time 1us -q --json file >/dev/null
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["status"], s["verified"], s["n"], s["median_ns"] is None) for s in j["series"]]'
done
rm file
