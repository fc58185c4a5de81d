# SPDX-License-Identifier: MIT
# Two scenarios, one of them named twice; every size on each device. An empty step of 333 ns is 4 ticks of 83.25 ns
# wherever it starts, 1000000 ns are 12012 of them: 999999 ns. Wall: 1000000 + 7015 ns.
slow=sim:1:period_ns=83.25,bits=36,kernel_ns=1000000,min_span_ns=333
kerntime bench matmul --size 8,16 -d sim:0 -d $slow -d sim:0 --samples 6..6
