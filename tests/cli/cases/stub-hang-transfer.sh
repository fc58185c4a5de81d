# Commands 1 and 2 write the input, 3 is the first use, 4 reads its result, 18 that of the fourth sample (see stub-hang).
# A transfer that never completes ends at the timeout, too, in set-up as well as in checking.
for hang in 1 4 18; do
    KT_STUB_OPENCL=hang=$hang kerntime bench matmul --size 8,9 -d opencl:0 --baseline-samples 0 \
        --timing wall --timeout 200ms --samples 10..10 --json file >/dev/null
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["step"], s["status"], s["n"]) for s in j["series"]]'
done
rm file
