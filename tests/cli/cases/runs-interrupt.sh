# SPDX-License-Identifier: MIT
# Ctrl-C reaches this program and the run under way, which a SIGTERM does not; timeout(1) sends it to this program, and at
# once to the whole group. All end the same way, what was measured is written, and nothing goes on afterwards. See
# cpu-interrupt.
for whom in group parent both; do
    /usr/bin/python3 - $whom <<'END'
import os, signal, sys, time, watched
command = ["kerntime", "bench", "matmul", "--size", "16", "-d", "cpu:0", "--samples", "1000000..1000000", "--max-time",
           "10min", "--runs", "3", "--baseline-samples", "1", "--json", "file"]
bench = watched.Watched(command, start_new_session=True)
bench.until(lambda said: "so far" in said)
if sys.argv[1] == "group":
    os.killpg(bench.run.pid, signal.SIGINT)
else:
    bench.run.send_signal(signal.SIGTERM)
if sys.argv[1] == "both":
    time.sleep(0.002)
    os.killpg(bench.run.pid, signal.SIGTERM)
print(bench.end())
print(bench.said.count("stopping after what is under way; Ctrl-C again ends at once"),
      bench.said.count("kerntime: interrupted; 2 of 3 measurements were left out; what was measured so far follows"))
try:
    os.killpg(bench.run.pid, 0)
    print("something is still running")
except ProcessLookupError:
    pass
END
    check_json file
    json_value file '[(s["run"], s["step"], s["status"], 0 < s["n"] < 1000000, s["error"]) for s in j["series"]]'
done
rm file
