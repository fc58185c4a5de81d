# SPDX-License-Identifier: MIT
for time in 0s 2 s 2d -1s 1.2.3s 1e3ms ''; do
    try kerntime bench matmul -d sim:0 --max-time "$time"
done
try kerntime bench matmul -d sim:0 --timeout 5
for share in 0.5 0% 100.1% -1% % ''; do
    try kerntime bench matmul -d sim:0 --rel-err "$share"
done
for samples in 0 0..5 10..5 0.. .. x 1..1000001 5,6; do
    try kerntime bench matmul -d sim:0 --samples "$samples"
done
for samples in x -1 1000001; do
    try kerntime bench matmul -d sim:0 --baseline-samples "$samples"
done
exit 0
