# SPDX-License-Identifier: MIT
# Two documents in one place: found before work starts, so that nothing is there afterwards.
try kerntime bench matmul --size 8 -d sim:0 --json - --markdown -
try kerntime bench matmul --size 8 -d sim:0 --markdown - --json - -q
try kerntime bench matmul --size 8 -d sim:0 --csv - --markdown -
try kerntime bench matmul --size 8 -d sim:0 --csv - --json - --markdown -
try kerntime bench matmul --size 8 -d sim:0 --json file --markdown file
try kerntime bench matmul --size 8 -d sim:0 --csv file --markdown file
try kerntime bench matmul --size 8 -d sim:0 --csv file.svg --plot file.svg
try kerntime bench matmul --size 8 -d sim:0 --json file --csv ./file
try kerntime bench matmul --size 8 -d sim:0 --markdown missing/file
try kerntime bench matmul --size 8 -d sim:0 --csv missing/file
try kerntime bench matmul --size 8 -d sim:0 --csv ''
try kerntime bench matmul --size 8 -d sim:0 --json - --trace -
try kerntime bench matmul --size 8 -d sim:0 --markdown file --trace file
try kerntime bench matmul --size 8 -d sim:0 --trace file.svg --plot file.svg
try kerntime bench matmul --size 8 -d sim:0 --trace missing/file
try kerntime bench matmul --size 8 -d sim:0 --trace ''
try kerntime devices --trace file
try kerntime devices --csv file
# The last one of two of a kind counts, as with any option, and one document in the table's place leaves a file for
# another.
kerntime bench matmul --size 8 -d sim:0 -q --markdown file --markdown - --json result.json | table | sed -n 3p
check_json result.json
rm result.json
