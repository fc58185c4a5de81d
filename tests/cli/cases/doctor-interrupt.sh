# SPDX-License-Identifier: MIT
# Ctrl-C: the check that is under way ends, and what was found so far is written. The devices that it had not come to are
# counted: some simulated ones behind a real one, so that there are any.
/usr/bin/python3 - <<'END'
import signal, subprocess, time
devices = [word for i in range(60) for word in ("-d", f"sim:0:seed={i}")]
run = subprocess.Popen(["kerntime", "doctor", "-d", "cpu:0", *devices, "--json", "file"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, text=True)
assert run.stderr.readline().startswith("61 devices"), "the plan comes first"
time.sleep(0.02)
run.send_signal(signal.SIGINT)
rest = run.stderr.read()
print(run.wait())
print("interrupted; " in rest, "left out; what was found so far follows" in rest)
END
check_json file
json_value file 'len(j["devices"]) < 61' '{f["device"] for f in j["diagnostics"]} == {d["id"] for d in j["devices"]}'
rm file
