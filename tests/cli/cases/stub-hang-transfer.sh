# SPDX-License-Identifier: MIT
# Commands 1 and 2 write the input, 3 spoils the output before the first use, 5 reads what 4 made; 18 and 20 are the
# same of the fourth sample (see stub-hang). A transfer that never completes ends at the timeout, too, in set-up as
# well as in resetting and checking.
for hang in 1 3 5 18 20; do
    KT_STUB_OPENCL=hang=$hang kerntime bench matmul --size 8,9 -d opencl:0 --order sequential --baseline-samples 0 \
        --timing wall --timeout 200ms --samples 10..10 --max-time 1us --json file >/dev/null
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["step"], s["status"], s["n"]) for s in j["series"]]'
done
rm file
