# SPDX-License-Identifier: MIT
# Ctrl-C in the midst of sampling: it ends at once, and what was measured is written. The shell starts what runs in
# the background with SIGINT ignored, hence python. A million samples take longer than any pause of python's.
/usr/bin/python3 - <<'END'
import glob, os, signal, time, watched
command = ["kerntime", "bench", "matmul", "--size", "16,32", "-d", "cpu:0", "--samples", "1000000..1000000",
           "--max-time", "10min", "--order", "sequential", "--baseline-samples", "1", "--json", "file", "--trace", "trace"]
# If kerntime gets no processor for a while, the two are two, and the second ends it: five times in a row that is no chance.
for _ in range(5):
    bench = watched.Watched(command)
    bench.until(lambda said: "so far" in said)
    bench.run.send_signal(signal.SIGINT)
    time.sleep(0.02) # the same Ctrl-C, as timeout(1) sends it to the child and to its group
    bench.run.send_signal(signal.SIGINT)
    code = bench.end()
    if code != -signal.SIGINT:
        break
    for half in glob.glob("file.*") + glob.glob("trace.*"): # it was being written
        os.remove(half)
print(code)
print(bench.said.count("stopping after what is under way; Ctrl-C again ends at once"),
      bench.said.count("kerntime: interrupted; 1 of 2 measurements was left out; what was measured so far follows"))
END
check_json file
check_trace trace file
json_value file '[(s["name"], s["step"], s["status"], 0 < s["n"] < 1000000, s["stop"], s["error"]) for s in j["series"]]'
rm file trace
