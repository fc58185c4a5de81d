# SPDX-License-Identifier: MIT
# device: timestamped submissions alone; their wall time holds the cost of taking timestamps and is shown in the file only.
# wall: plain ones alone: no device time, no ruler.
kerntime bench matmul --size 32 -d sim:0 --timing device -q --json device.json
kerntime bench matmul --size 32 -d sim:0 --timing wall -q --json wall.json
check_json device.json wall.json
json_value device.json '[s["step"] for s in j["series"]]'
json_value wall.json '[s["step"] for s in j["series"]]' 'j["devices"][0]["resolution_ns"]'
rm device.json wall.json
