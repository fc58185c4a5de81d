# A run that is killed costs itself and no other.
/usr/bin/python3 - <<'END'
import os, signal, subprocess, time

def children(pid):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(name))
        except OSError:
            pass
    return found

command = ["kerntime", "bench", "matmul", "--size", "8", "-d", "cpu:0", "--samples", "2..1000000", "--rel-err",
           "0.0001%", "--max-time", "1s", "--runs", "3", "--baseline-samples", "1", "-q", "--json", "file"]
run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
seen = set()
while len(seen) < 2:
    time.sleep(0.02)
    second = [child for child in children(run.pid) if child not in seen]
    seen.update(second)
time.sleep(0.3)
os.kill(second[0], signal.SIGKILL)
print(run.wait(timeout=60))
END
check_json file
json_value file '[(s["run"], s["step"], s["status"], s["n"] > 10) for s in j["series"]]' 'len(j["baselines"])'
rm file
