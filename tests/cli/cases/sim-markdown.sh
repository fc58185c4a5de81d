# SPDX-License-Identifier: MIT
# The rows of the table with a border, and what is behind them as a list; the same to a file, beside the table. A
# sentence, and a device's name, may hold what is markup: "<" is escaped, and kernel_ns is none within a word.
kerntime bench matmul --size 8,32 -d sim:0 -d sim:1:fail=1 -d sim:2:kernel_ns=50 --samples 6..6 --markdown - -q 2>/dev/null >printed
kerntime bench matmul --size 8,32 -d sim:0 -d sim:1:fail=1 -d sim:2:kernel_ns=50 --samples 6..6 --markdown file -q 2>/dev/null |
    table | sed -n 1p
cmp printed file
cat file
# Without an answer there is still a table, and exit code 4.
kerntime bench matmul --size 8 -d sim:0:fail=1 --markdown - -q
code=$?
rm printed file
exit $code
