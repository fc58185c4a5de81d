# SPDX-License-Identifier: MIT
# --samples MIN..MAX, or one number; --quiet leaves standard error empty. Without noise the interval is narrow enough
# at the first two looks: at 30 and 45 samples, or at MIN and half as many again. With noise of 20 % and an aim of
# 0.01 % it goes on to MAX. MIN beats the time limit.
for samples in 5..1000 40..1000 10..10 25 1; do
    kerntime bench matmul --size 32 -d sim:0 --samples $samples -q | table | sed -n 2p
done
noisy=sim:0:jitter_ns=20000,seed=3
kerntime bench matmul --size 32 -d $noisy --samples 10..200 --rel-err 0.01% --max-time 1min -q --json max_samples >/dev/null
kerntime bench matmul --size 32 -d $noisy --samples 12..200 --rel-err 0.01% --max-time 1ns -q --json max_time >/dev/null
kerntime bench matmul --size 32 -d $noisy --samples 10..200 --rel-err 50% --max-time 1min -q --json rel_err >/dev/null
for file in max_samples max_time rel_err; do
    json_value $file '(j["series"][0]["stop"], j["series"][0]["n"])'
done
check_json max_samples max_time rel_err
rm max_samples max_time rel_err
