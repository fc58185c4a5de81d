# SPDX-License-Identifier: MIT
# --runs: each run in a fresh process; all series in one file, run i of a simulated device with seed + i. The same
# command gives the same bytes; the words in the file are those that were typed.
device=sim:0:jitter_ns=4000,seed
kerntime bench matmul saxpy --size 32 -d $device=7 --runs 3 --raw --json file --csv csv --markdown md >table
check_json file
check_csv file csv >/dev/null
json_value file 'j["command"]' 'j["started"], len(j["devices"]), j["devices"][0]["min_span_ns"], j["baselines"]' \
    '[(s["name"], s["step"], s["run"]) for s in j["series"]]'
mkdir again
(cd again && kerntime bench matmul saxpy --size 32 -d $device=7 --runs 3 --raw --json file --csv csv --markdown md >table)
for name in file csv md table; do
    cmp $name again/$name
done
# Each run is what a process of its own, with that seed, would have measured.
for run in 0 1 2; do
    kerntime bench matmul saxpy --size 32 -d $device=$((7 + run)) -q --raw --json alone >/dev/null
    /usr/bin/python3 - "$run" <<'END'
import json, sys
run = int(sys.argv[1])
ours, alone = ([s for s in json.load(open(name))["series"]] for name in ("file", "alone"))
ours = [s for s in ours if s["run"] == run]
for s in ours + alone:
    del s["run"], s["device"]
print(run, len(ours), ours == alone, ours[0]["samples_ns"][:2])
END
done
# One run is the same as none asked for, but for the words.
kerntime bench matmul --size 32 -d $device=7 -q >one
kerntime bench matmul --size 32 -d $device=7 -q --runs 1 | cmp - one
# However it is written; what follows -- is no option.
kerntime bench -qs32 --run=2 -d$device=7 --json - -- matmul >typed
json_value typed 'j["command"]' '[(s["step"], s["run"]) for s in j["series"]]'
try kerntime bench -q -d sim:0 --runs 2 -- matmul --runs
rm -r again file csv md table alone one typed
