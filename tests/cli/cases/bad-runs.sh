# SPDX-License-Identifier: MIT
# What can be known before work starts is said once, and no run is begun.
for count in 0 -1 1001 2.5 all ''; do
    try kerntime bench matmul -d sim:0 --runs "$count"
done
try kerntime bench matmul --size 8 -d sim:0 --runs 2 --json no/folder/file
try kerntime bench matmul --size 8 -d sim:0 --runs 2 --csv - --markdown -
try kerntime bench matmul --size 8 -d sim:0:no=1 --runs 2
try kerntime bench nothing -d sim:0 --runs 2
try kerntime bench matmul --size 8 -d cpu:7 --runs 2
# Options that do not go together, or not with this workload.
try kerntime bench matmul -d sim:0 --order random
try kerntime bench matmul --size 8 -d sim:0 --cold --trials 2
try kerntime bench empty -d sim:0 --cold
try kerntime bench matmul --size 8 -d sim:0 --runs 2 --trace file
# The option by which the program tells itself which run it is does not take what it has not written itself.
try kerntime bench matmul --size 8 -d sim:0 --internal-run 3/5
true
