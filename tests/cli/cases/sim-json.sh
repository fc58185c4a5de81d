# SPDX-License-Identifier: MIT
# The whole file, of the numbers explained in sim-raw.sh; --json - puts it in the table's place. Simulated devices
# alone say nothing of this machine and this day, so the bytes are the same everywhere. 2 * 8^3 operations, three
# matrices of 256 bytes.
kerntime bench matmul --size 8 -d sim:0:bits=32 --samples 2..2 --json - --raw >printed
kerntime bench matmul --size 8 -d sim:0:bits=32 --samples 2..2 --raw --json result.json -q >/dev/null
check_json printed result.json
sed 's/"--raw", "--json", "result.json", "-q"/"--json", "-", "--raw"/' result.json | cmp - printed
cat printed
rm printed result.json
