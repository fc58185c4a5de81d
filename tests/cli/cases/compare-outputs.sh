# SPDX-License-Identifier: MIT
# JSON, Markdown and the table at once, each to its place; what takes the table's place is all that is printed.
kerntime bench empty fill --size 8 -d sim:0:jitter_ns=400 --runs 3 -q --json base >/dev/null
kerntime bench empty fill --size 8 -d sim:0:jitter_ns=400,seed=9 --runs 3 -q --json new >/dev/null
kerntime compare base new --json file --markdown page -q >table
grep -c "^| same " page
grep -c "^same " table
kerntime compare base new --markdown - -q | cmp - page
kerntime compare base new -q | cmp - table
kerntime compare base new --json - -q >printed
check_json file printed
try kerntime compare base new -q --json /dev/full >table
try kerntime compare base new -q >/dev/full
# An old file stays what it is as long as there is nothing better.
cp file kept
try kerntime compare base missing --json file
cmp file kept
rm base new file page table printed kept
