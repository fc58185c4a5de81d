# SPDX-License-Identifier: MIT
# What never completes is waited for until the timeout, whoever asks it to stop: a second Ctrl-C ends it at once, and
# nothing is written. Shells call an end by SIGINT 130.
KT_STUB_OPENCL=hang=1 KT_STUB_AT_HANG=hangs /usr/bin/python3 - <<'END'
import os, signal, subprocess, sys, time
command = ["kerntime", "bench", "matmul", "--size", "8", "-d", "opencl:0", "--baseline-samples", "0", "--timeout", "1h", "-q",
           "--json", "file"]
run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
while not os.path.exists("hangs"):
    assert run.poll() is None, "it ended too soon"
    time.sleep(0.02)
run.send_signal(signal.SIGINT)
sys.stderr.write(run.stderr.readline() + run.stderr.readline())
time.sleep(0.5) # sooner, it would be the same Ctrl-C
print("after one:", run.poll())
run.send_signal(signal.SIGINT)
code = run.wait()
print("after two:", "SIGINT" if code == -signal.SIGINT else code)
sys.stderr.write(run.stderr.read())
END
rm hangs
