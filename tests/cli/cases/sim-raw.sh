# SPDX-License-Identifier: MIT
# The virtual clock starts at 1 s and only the work moves it: 1032 pairs of empty steps of the ruler (7216 and 7115 ns,
# see sim-single.sh), the first use (107116) and 96 rounds of warm-up (107116 + 107015 each: 20 ms take 94, and blocks of
# 8 are looked at by threes): sampling begins at 1035453284 ns. A step starts 2003 + 101 + 3001 ns after that and takes 100000. Ticks are ns here, from `start` on.
kerntime bench matmul --size 32 -d sim:0:start=5 --samples 2..2 --raw -q
# Copies of one size are told apart by their directions, of one core and of all.
kerntime copy -d cpu:0 --size 8KiB --samples 3..3 --max-time 1us --raw -q |
    sed -nE 's/^(raw copy\/8192 [a-z-]+ cpu:0 copy [0-9]+ [a-z]+) .*/\1/p'
