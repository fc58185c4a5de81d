# Lost at once, in the warm-up, in the midst of sampling (a size takes 2 writes; with wall times alone then 2 commands
# a submission, the kernel and the reading of its result: the first use, 3 times of warm-up, the samples), and at
# the second size: whatever was measured is kept, the other device is measured, all is written.
for lost in 1 5 14 15 16 44; do
    echo "lost=$lost"
    KT_STUB_OPENCL=lost=$lost kerntime bench matmul --size 8,9 -d opencl:0 -d sim:0 --baseline-samples 0 \
        --timing wall --samples 10..10 -q --json file >table 2>said
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["device"], s["status"], s["n"]) for s in j["series"]]'
    [ "$(wc -l <said)" = "$(grep -c '^failed\|^partial' table)" ] || cat said table
    sed -n 1p said
done
rm file table said
