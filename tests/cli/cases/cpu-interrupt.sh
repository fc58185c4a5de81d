# Ctrl-C in the midst of sampling: it ends at once, and what was measured is written. The shell starts what runs in
# the background with SIGINT ignored, hence python. Interrupted only once samples are being taken: a sweep of a second.
/usr/bin/python3 - <<'END'
import signal, subprocess, time
command = ["kerntime", "bench", "matmul", "--size", "16,32", "-d", "cpu:0", "--samples", "100000..1000000",
           "--max-time", "60s", "--order", "sequential", "--baseline-samples", "1", "-q", "--json", "file", "--trace", "trace"]
run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
time.sleep(1.5)
assert run.poll() is None, "it ended too soon"
run.send_signal(signal.SIGINT)
time.sleep(0.02) # the same Ctrl-C, as timeout(1) sends it to the child and to its group
run.send_signal(signal.SIGINT)
print(run.wait(timeout=50)) # a minute if it went on sampling
END
check_json file
check_trace trace file
json_value file '[(s["name"], s["step"], s["status"], s["n"] > 10, s["stop"], s["error"]) for s in j["series"]]'
rm file trace
