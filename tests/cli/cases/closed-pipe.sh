# The file is written first: a reader of the table that ends early costs nobody the measurement.
kerntime bench matmul --size 32 -d sim:0 -q --raw --samples 2000..2000 --json result.json | sed 1q
check_json result.json && echo "the file is whole"
rm result.json
