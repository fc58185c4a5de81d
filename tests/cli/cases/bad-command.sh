# SPDX-License-Identifier: MIT
try kerntime nothing
try kerntime --nothing
try kerntime ""
try kerntime Bench
try kerntime devices opencl
# A misspelt word: a letter too much, too few, wrong or in its neighbour's place; case does not count.
try kerntime bnech
try kerntime comparee
try kerntime help medain
try kerntime bench-bench-bench-bench-bench-bench-bench
exit 0
