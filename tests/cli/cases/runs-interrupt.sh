# Ctrl-C reaches this program and the run under way, which a SIGTERM does not; timeout(1) sends it to this program, and at
# once to the whole group. All end the same way, what was measured is written, and nothing goes on afterwards. See
# cpu-interrupt.
for whom in group parent both; do
    /usr/bin/python3 - $whom <<'END'
import os, signal, subprocess, sys, time
command = ["kerntime", "bench", "matmul", "--size", "16", "-d", "cpu:0", "--samples", "100000..1000000", "--max-time",
           "60s", "--runs", "3", "--baseline-samples", "1", "-q", "--json", "file"]
run = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
time.sleep(1.5)
assert run.poll() is None, "it ended too soon"
if sys.argv[1] == "group":
    os.killpg(run.pid, signal.SIGINT)
else:
    run.send_signal(signal.SIGTERM)
if sys.argv[1] == "both":
    time.sleep(0.002)
    os.killpg(run.pid, signal.SIGTERM)
begin = time.monotonic()
code = run.wait(timeout=30)
print(code, time.monotonic() - begin < 5)
try:
    os.killpg(run.pid, 0)
    print("something is still running")
except ProcessLookupError:
    pass
END
    check_json file
    json_value file '[(s["run"], s["step"], s["status"], s["n"] > 10, s["error"]) for s in j["series"]]'
done
rm file
