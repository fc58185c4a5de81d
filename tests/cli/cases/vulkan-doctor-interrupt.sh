# SPDX-License-Identifier: MIT
# Ctrl-C while a device does not answer: that it does not is told, as well as what was not looked at.
[ -n "${KT_STUB_VULKAN_LIB:-}" ] || skip "built without headers for Vulkan"
KERNTIME_LIB_VULKAN="$KT_STUB_VULKAN_LIB" KT_STUB_VULKAN=hang=400 KT_STUB_AT_HANG=hangs /usr/bin/python3 - <<'END'
import os, signal, subprocess, time
command = ["kerntime", "doctor", "-d", "vulkan:0", "--timeout", "20s", "-q", "--json", "file"]
run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
while not os.path.exists("hangs"):
    assert run.poll() is None, "it ended too soon"
    time.sleep(0.02)
run.send_signal(signal.SIGINT)
print("exit", run.wait())
END
check_json file
json_value file '[(f["check"], f["severity"], f["seen"]) for f in j["diagnostics"] if f["check"] in ("timestamps", "interrupted")]'
rm file hangs
