# SPDX-License-Identifier: MIT
# What programs export: registries and traces, each file one run, matched by name and backend or device.
registry() # FILE NAME P50_NS N
{
    cat >"$1" <<END
{"schema": "kerntime/1", "document": "registry", "version": "0.1.0", "written": "2026-01-31T12:00:00Z",
 "host": {"os": "Linux", "cpu": "${5-a CPU}", "cores": 2, "clock": "CLOCK_MONOTONIC_RAW"}, "dropped": 0, "rows": [
  {"name": "$2", "backend": "opencl", "n": $4, "total_ns": 1e6, "min_ns": $3, "mean_ns": $3, "max_ns": 2e9, "last_ns": $3,
   "stddev_ns": 1000, "p50_ns": $3, "p95_ns": $3.5, "p99_ns": $3.5, "discarded": {}},
  {"name": "frame", "backend": null, "n": 9, "total_ns": 1e6, "min_ns": 10, "mean_ns": 10, "max_ns": 10, "last_ns": 10,
   "stddev_ns": 0, "p50_ns": 10, "p95_ns": 10, "p99_ns": 10, "discarded": {}},
  {"name": "never", "backend": "opencl", "n": 0, "total_ns": 0, "min_ns": null, "mean_ns": null, "max_ns": null, "last_ns": null,
   "stddev_ns": null, "p50_ns": null, "p95_ns": null, "p99_ns": null, "discarded": {}}]}
END
}
registry old1 blur 100000 500
registry old2 blur 101000 500
registry old3 blur 102000 500
registry new1 blur 150000 500
registry new2 blur 151000 500
registry new3 blur 152000 500
try kerntime compare --baseline old1 --baseline old2 --baseline old3 --contender new1 --contender new2 --contender new3 --json file
check_json file
json_value file '[(r["name"], r["device"], r["kind"], r["verdict"], r["baseline_ns"], r["reason"]) for r in j["rows"]]'
# One file each: programs differ more from run to run than benchmarks, so more is assumed.
try kerntime compare old1 new1 --json file >/dev/null
json_value file 'j["options"]["run_noise"], [r["verdict"] for r in j["rows"]]'
registry other blur 100000 500 'another CPU'
try kerntime compare old1 other -q --json file >/dev/null
json_value file '[(r["name"], r["reason"]) for r in j["rows"]][1]'
# Traces: the spans of a name are its samples, but for those of first use and warm-up.
for seed in 1 2 3; do
    kerntime bench matmul --size 32,64 -d "sim:0:jitter_ns=400,seed=$seed" --samples 30..30 -q --trace "trace$seed" >/dev/null
    sed -i 's/sim:0:jitter_ns=400,seed=./sim:0/' "trace$seed"
    sed '/"phase": "sample"/s/"dur": \([0-9][0-9]\)\./"dur": 1\1./' "trace$seed" >"slow$seed"
done
try kerntime compare --baseline trace1 --baseline trace2 --baseline trace3 --contender slow1 --contender slow2 --contender slow3 --json file -q >/dev/null
check_json file
json_value file '"\n".join(str((r["name"], r["device"], r["step"], r["variant"], r["verdict"])) for r in j["rows"])'
echo '{"traceEvents": [{"name": "a", "ph": "X", "ts": 0, "dur": 1.5, "pid": 1, "tid": 1}, {"name": "a", "ph": "X", "ts": 3, "dur": 2.5}, {"ph": "E", "name": ""}]}' >short
try kerntime compare short short --json file -q >/dev/null
json_value file '[(r["name"], r["device"], r["step"], r["baseline_ns"]) for r in j["rows"]]'
# Files of one kind, and whole ones.
kerntime bench fill --size 8 -d sim:0 --samples 6..6 -q --json result >/dev/null
try kerntime compare old1 trace1
try kerntime compare result old1
try kerntime compare --baseline old1 --baseline result --contender new1
echo '{"traceEvents": [{"name": "b", "ph": "B", "ts": 0}]}' >begins
echo '{"traceEvents": [{"name": "a", "ph": "X", "ts": 0, "dur": -1}]}' >ends
sed 's/"p50_ns": null/"p50_ns": 4/' old1 >unfit
sed 's/kerntime\/1/kerntime\/2/' old1 >later
for bad in begins ends unfit later; do
    try kerntime compare $bad old1
done
rm old1 old2 old3 new1 new2 new3 other file trace1 trace2 trace3 slow1 slow2 slow3 short result begins ends unfit later
