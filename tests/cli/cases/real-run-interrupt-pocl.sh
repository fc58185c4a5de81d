# SPDX-License-Identifier: MIT
# Ctrl-C while a kernel hangs ends at once; while samples are taken, what was measured is written. Neither leaves a file or
# a process behind. The shell starts what runs in the background with SIGINT ignored, hence python.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
grep -q "Portable Computing Language" devices || skip "opencl is not PoCL here"
cat >k.cl <<'END'
kernel void k(global float *y, uint n)
{
    volatile int go_on = HANGS;
    while (go_on)
        ;
    y[get_global_id(0)] = n + 0 * TWO;
}
END
for hangs in 1 0; do
    for whom in group parent; do
        rm -f file
        /usr/bin/python3 - $hangs $whom <<'END'
import os, re, signal, sys, time, watched
hangs, whom = sys.argv[1:]
command = watched.Watched(["kerntime", "run", "k.cl", "-n", "1Mi", "-D", "HANGS=" + hangs, "-D", "TWO=1,2", "-d", "opencl:0",
           "--samples", "1000000..1000000", "--max-time", "10min", "--timeout", "10min", "--json", "file"],
                          start_new_session=True)
folder = os.environ["TMPDIR"]
def runs(stage):
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and ("internal-stage=%s:%s" % (stage, folder)).encode() in open("/proc/%s/cmdline" % name, "rb").read():
                return True
        except OSError:
            pass
    return False
if hangs == "1":
    while not runs("check"):
        assert command.run.poll() is None, "it ended too soon"
        time.sleep(0.1)
    time.sleep(2) # enough to be in the kernel on a quiet machine; while PoCL still compiles it ends the same way
else:
    command.until(lambda said: all(re.search("TWO=%d .*, so far" % i, said) for i in (1, 2)))
if whom == "group":
    os.killpg(command.run.pid, signal.SIGINT)
else:
    command.run.send_signal(signal.SIGINT)
print(hangs, whom, command.end(), os.listdir(folder))
for text in ("stopping after what is under way; Ctrl-C again ends at once", "kerntime run: interrupted before anything was measured",
             "kerntime run: interrupted; what was measured so far follows"):
    print(command.said.count(text), end="\n" if text.endswith("follows") else " ")
try:
    os.killpg(command.run.pid, 0)
    print("something is still running")
except ProcessLookupError:
    pass
END
        [ ! -f file ] || check_json file
    done
done
json_value file '{(s["variant"], s["step"], s["status"], s["n"] > 0) for s in j["series"] if s["kind"] == "kernel"} <= {("TWO=%d" % i, "k", "partial", True) for i in (1, 2)}'
rm -f file k.cl devices
