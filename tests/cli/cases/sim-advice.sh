# SPDX-License-Identifier: MIT
# What would help is said in one line, unless --quiet; on simulated devices it depends on nothing but the numbers.
bench()
{
    try kerntime bench "$@" >>table
}
# Ten floors of 100 ns, of samples of 100 ns (the floor; the kernel's own 50 are not to be seen in them).
bench fill --size 8 -d sim:0:kernel_ns=50
bench fill --size 8 -d sim:0:kernel_ns=50 --trials 16 # and it is
bench fill --size 8 -d sim:0:kernel_ns=50 -q
# saxpy changes its own input, and for empty the size is the number of trials: a larger size would do. Nothing can be said of
# wall times alone.
bench saxpy empty --size 1 -d sim:0:kernel_ns=50
bench fill --size 8 -d sim:0:kernel_ns=50 --timing wall
# Noise that so few samples, or so little time, leave too wide.
bench matmul --size 8 -d sim:0:jitter_ns=9000,seed=7 --samples 10..20
bench matmul --size 8 -d sim:0:jitter_ns=9000,seed=7 --samples 20..20 # asked for
bench matmul --size 8 -d sim:0:jitter_ns=9000,seed=7 --samples 10..20 --rel-err 20%
bench matmul --size 8 -d sim:0:jitter_ns=9000,seed=7 --max-time 3ms
bench matmul --size 8 -d sim:0:jitter_ns=9000,seed=7 --max-time 3ms --rel-err 0.01%
rm table
