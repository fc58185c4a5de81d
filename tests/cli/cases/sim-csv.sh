# SPDX-License-Identifier: MIT
# One row a series. The numbers are those of sim-json: 100 us, 107015 and 107116 ns of wall time, 768 bytes, 1024
# operations; those of empty are per dispatch, of 8. A device's name holds a comma. What is unknown is empty: an interval
# of 2 samples, the work of an empty kernel, whatever was not measured.
set -- bench matmul empty --samples 2..2 -s 8 -d sim:0:bits=32,seed=3 -d sim:1:fail=1 -q
kerntime "$@" --csv - 2>/dev/null >printed
kerntime "$@" --csv file.csv --json file.json 2>/dev/null | table | sed -n 1p
check_csv file.json file.csv
cmp printed file.csv
cat printed
# With noise and discarded timestamps; per dispatch of 3; and into a pipe.
kerntime bench matmul --size 8,9 -d sim:0:jitter_ns=4000,zero=0.2,seed=7 -d sim:1:kernel_ns=50 --trials 3 \
    --samples 20..20 --json file.json --csv - -q | cat >file.csv
check_csv file.json file.csv
rm printed file.csv file.json
