# SPDX-License-Identifier: MIT
# Lost at once, in the warm-up, in the midst of sampling (a size takes 2 writes, then with wall times alone 3 commands
# a submission, see stub-hang: the first use, one of warm-up, the samples, so that sample k takes 9 + 3k to
# 11 + 3k and the second size begins with 39), and at the second size: whatever was measured is kept, the other
# device is measured, all is written.
for lost in 1 7 14 15 16 17 52; do
    echo "lost=$lost"
    KT_STUB_OPENCL=lost=$lost kerntime bench matmul --size 8,9 -d opencl:0 -d sim:0 --order sequential --baseline-samples 0 \
        --timing wall --samples 10..10 --max-time 1us -q --json file >table 2>said
    echo "exit $?"
    check_json file
    json_value file '[(s["name"], s["device"], s["status"], s["n"]) for s in j["series"]]'
    [ "$(wc -l <said)" = "$(grep -c '^error: failed\|^warning: partial' table)" ] || cat said table
    sed -n 1p said
done
rm file table said
