# SPDX-License-Identifier: MIT
# A clock of 65536 ns, a dispatch of 20000: 1024 of them span 312.5 steps, 512 would be fewer than 200, of which one is
# 0.5 %. The median is then 312 or 313 of 1024, or between them; the wall time (1024 * 20000 + 7015) / 1024 ns.
kerntime bench matmul --size 32 -d sim:0:resolution_ns=65536,kernel_ns=20000 --json file
check_json file
json_value file '[(s["step"], s["status"], s["trials"], s["stop"]) for s in j["series"]]' \
    '19968 <= j["series"][0]["median_ns"] <= 20032' 'j["series"][1]["median_ns"] == (1024 * 20000 + 7015) / 1024'
"$KT_REWRITE" file | cmp - file
# One where the clock is fine enough, where it is asked for, where no timestamp is, and where a dispatch changes its own input;
# and what to do about it.
bench()
{
    try kerntime bench "$@" --json file >/dev/null
    json_value file '[(s["step"], s["status"], s["trials"]) for s in j["series"] if s["step"] != "wall_timestamped"]'
}
bench fill --size 8 -d sim:0:resolution_ns=65536,kernel_ns=15e6
bench fill --size 8 -d sim:0:resolution_ns=65536,kernel_ns=20000 --trials 1
bench fill --size 8 -d sim:0:resolution_ns=65536,kernel_ns=20000 --timing wall
bench saxpy --size 8 -d sim:0:resolution_ns=65536,kernel_ns=20000
# 5 ms in all make 1 of a dispatch of 1 ms, which is 15 steps; the most there may be, 4096 of 10 ns, are less than a step.
bench fill --size 8 -d sim:0:resolution_ns=65536,kernel_ns=1e6 --max-time 5ms
bench fill --size 8 -d sim:0:resolution_ns=65536,kernel_ns=10,min_span_ns=0
# What the library chose is said of the most, and nothing of what was asked for. Two gaps of 503 ns are less than a step each.
kerntime bench fill saxpy --size 8 -d sim:0:resolution_ns=65536,kernel_ns=20000 -q | grep dispatches
kerntime bench fill --size 8 -d sim:0:resolution_ns=65536,kernel_ns=20000 --trials 512 -q | grep dispatches
kerntime bench scan --size 1000 -d sim:0:resolution_ns=65536,kernel_ns=20000 -q --json file | grep -e ' gaps ' -e dispatches
check_json file
json_value file '[(s["status"], s["warnings"], s["ci95_ns"]) for s in j["series"] if s["step"] == "gaps"]'
rm file
