# What never completes is waited for until the timeout, whoever asks it to stop: a second Ctrl-C ends it at once, and
# nothing is written. Shells call an end by SIGINT 130.
KT_STUB_OPENCL=hang=1 /usr/bin/python3 - <<'END'
import signal, subprocess, time
command = ["kerntime", "bench", "matmul", "--size", "8", "-d", "opencl:0", "--baseline-samples", "0", "-q", "--json", "file"]
run = subprocess.Popen(command)
time.sleep(1.5)
run.send_signal(signal.SIGINT)
time.sleep(0.5)
print("after one:", run.poll())
begin = time.monotonic()
run.send_signal(signal.SIGINT)
code = run.wait(timeout=30)
print("after two:", "SIGINT" if code == -signal.SIGINT else code, time.monotonic() - begin < 5)
END
