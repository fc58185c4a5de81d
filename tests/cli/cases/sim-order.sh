# SPDX-License-Identifier: MIT
# The order of measuring is not that of the rows: without noise both orders give the same bytes, also where a device
# cannot be opened and a size of one workload comes before those of another.
measure()
{
    kerntime bench matmul fill --size 64,8 -d sim:1:kernel_ns=5000 -d sim:0 -d sim:2:fail=1 -q --order "$1" >"$1" 2>"$1.said"
    echo "exit $?"
}
measure interleaved
measure sequential
cmp interleaved sequential
cmp interleaved.said sequential.said
table <interleaved | cut -c1-50 | sed '/^$/,$d'
rm interleaved* sequential*
