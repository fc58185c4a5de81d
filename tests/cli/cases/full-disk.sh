# SPDX-License-Identifier: MIT
# What could not be written is told, with exit code 4; the other output is written all the same.
[ -w /dev/full ] || skip "no /dev/full here"
try kerntime bench matmul --size 32 -d sim:0 -q --json result.json >/dev/full
try kerntime bench matmul --size 32 -d sim:0 -q --json /dev/full
# The same for each document, in the table's place and in a file.
for format in json csv markdown; do
    try kerntime bench matmul --size 32 -d sim:0 -q --$format - >/dev/full
done
for format in csv markdown; do
    try kerntime bench matmul --size 32 -d sim:0 -q --$format /dev/full >/dev/null
done
check_json result.json
rm result.json
