# SPDX-License-Identifier: MIT
# The file is written first: a reader of the table that ends early costs nobody the measurement.
kerntime bench matmul --size 32 -d sim:0 -q --raw --samples 2000..2000 --json result.json | sed 1q
check_json result.json && echo "the file is whole"
# Of a document in the table's place its reader gets what it reads, while the file is whole.
kerntime bench matmul --size 32 -d sim:0 -q --raw --samples 2000..2000 --json - --csv result.csv | sed 1q
kerntime bench matmul --size 32 -d sim:0 -q --raw --samples 2000..2000 --json - >result.json
check_json result.json && check_csv result.json result.csv
rm result.json result.csv
