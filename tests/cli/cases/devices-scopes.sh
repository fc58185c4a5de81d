# SPDX-License-Identifier: MIT
# The clock of scopes stands beside the CPU, and beside no other device. KERNTIME_CLOCK chooses it, and a value that is none
# is told.
KERNTIME_CLOCK=os kerntime devices -d cpu:0 | sed -n '/^clock of scopes/,$p'
KERNTIME_CLOCK=rtc kerntime devices -d cpu:0 | sed -n 's/.*\(KERNTIME_CLOCK is [^;]*\);.*/\1/p'
kerntime devices -d sim:0 | sed -n '/^clock of scopes/p'
