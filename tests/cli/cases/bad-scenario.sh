# SPDX-License-Identifier: MIT
for scenario in colour=red bits=65 bits=7 bits=-1 bits= bits bits=3.5 period_ns=0 period_ns=nan period_ns=0x10 \
    zero=1.5 zero=-0.1 kernel_ns=1e14 seed=18446744073709551616 fail=x bits=32, =5 ,bits=32; do
    try kerntime bench matmul -s 32 -d "sim:0:$scenario"
done
exit 0
