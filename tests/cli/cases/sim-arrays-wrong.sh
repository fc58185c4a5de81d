# SPDX-License-Identifier: MIT
# Submission 2, the first of the warm-up, gives a wrong result. sim spoils the lowest byte of the first number: 0x55 in
# the last place of y[0], -5 (C0A00000 as a float), is 85 * 2^-21 away from it, and 0x78 ^ 0x55 is 0x2d.
kerntime bench saxpy fill --size 1000 -d sim:0:wrong=2 -q
echo "exit $?"
kerntime bench fill saxpy --size 1000 -d sim:0:wrong=2 -q
