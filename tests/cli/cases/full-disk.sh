# What could not be written is told, with exit code 4; the other output is written all the same.
[ -w /dev/full ] || skip "no /dev/full here"
try kerntime bench matmul --size 32 -d sim:0 -q --json result.json >/dev/full
try kerntime bench matmul --size 32 -d sim:0 -q --json /dev/full
check_json result.json
rm result.json
