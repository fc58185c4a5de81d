# SPDX-License-Identifier: MIT
# Oclgrind's timestamps are whole microseconds since 1970 in doubles of ns, which shows them rounded to 256 ns; the doctor finds both.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[ -f $OCL_ICD_VENDORS ] || skip "no Oclgrind here (Debian 13 has none): unit.first_readings has its clock"
kerntime devices -d opencl >devices 2>&1 || skip "no Oclgrind here: $(cat devices)"
grep -qi oclgrind devices || skip "opencl is not Oclgrind here"
kerntime doctor -d opencl:0 --timeout 2min -q --json file >/dev/null
check_json file
json_value file '[(f["severity"], f["values"]["resolution_ns"], f["values"]["tick_ns"]) for f in j["diagnostics"] if f["check"] == "resolution"]' \
    '["CLOCK_REALTIME" in f["seen"] for f in j["diagnostics"] if f["check"] == "domain"]' \
    '[f["severity"] for check in ("states", "order", "placement") for f in j["diagnostics"] if f["check"] == check]'
rm file devices
