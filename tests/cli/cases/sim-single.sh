# SPDX-License-Identifier: MIT
# kernel_ns without noise is the device time. The wall time is that and what the simulated driver takes:
# 2003 ns to submit, 3001 ns to launch, 2011 ns to notify, 7015 ns in all; asking for a timestamp costs 101 ns.
kerntime bench matmul --size 32 -d sim:0:kernel_ns=123456
