# SPDX-License-Identifier: MIT
# Formats of other programs: every time has one name, which no machine and no seed changes, and what failed is no 0.
kerntime bench scan matmul --size 64 -d sim:0:jitter_ns=80,seed=7 --samples 20 -q --json r --gbench g --bmf b --action a >/dev/null
check_formats r g b a
sed "/library_version/d" g
cat b a
# The lowest and highest of several runs are their interval.
kerntime bench saxpy --size 64 -d sim:0:jitter_ns=80 --runs 3 --samples 20 -q --json r --gbench g --bmf b --action - >a
check_formats r g b a
cat b a
# A run that failed has no time. One whose output was wrong makes the times of the others worthless.
fail() # EXTRA: the first run
{
    json_value r 'json.dumps({**j, "series": [{**s, "status": "failed", "error": "why", "n": 0, "samples_ns": [], "median_ns": None, '"$1"'}
        if s["run"] == 0 else s for s in j["series"]]})' >f
    kerntime convert f --gbench g --bmf b --action a >/dev/null
    check_formats f g b a
    grep -o '"error_.*' g
    grep -o '"value".*' a
}
fail ''
fail '"wrong": True'
rm f
# Too short for the clock: an error for Google's readers, no entry for the others, which is told. Not so its wall time.
kerntime bench saxpy --size 64 -d sim:0:kernel_ns=20 -q --json r --gbench g --bmf b --action a >/dev/null
check_formats r g b a
grep -o '"error_.*' g
# Samples as repetitions of one name; a row that failed has one entry.
kerntime bench saxpy --size 64 -d sim:0:jitter_ns=80 --samples 6 --runs 2 --timing device -q --gbench - --gbench-repetitions >g
json_value g 'sorted({(b["name"], b["repetitions"]) for b in j["benchmarks"]})' \
    '[(b["repetition_index"], b["family_index"], b["real_time"], b["iterations"]) for b in j["benchmarks"]]'
kerntime bench saxpy --size 64 -d sim:0:kernel_ns=20 --timing device --samples 6 -q --gbench - --gbench-repetitions | grep -c error_
# Devices that differ in their scenario alone keep it in their names.
kerntime bench saxpy --size 64 -d sim:0:kernel_ns=2000 -d sim:0:kernel_ns=3000 -q --json r --gbench g --bmf b --action a >/dev/null
check_formats r g b a
grep -o '"saxpy[^"]*"' b
# A rate is that of copies, not of maps.
kerntime copy --size 4096,8192 --direction heap-device,device-host-map -d sim:0 -q --json r --gbench g --bmf b --action a >/dev/null
check_formats r g b a
json_value g '[(b["name"], round(b.get("bytes_per_second", 0))) for b in j["benchmarks"]]'
rm r g b a
